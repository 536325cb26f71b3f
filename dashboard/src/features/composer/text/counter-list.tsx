import type { Connection, PlatformLimits } from '@crier/client';
import { RingProgress } from '@mantine/core';
import { memo } from 'react';
import type { Validation } from '../validation/use-validation.ts';
import { countersFor } from './counters.ts';
import classes from './text.module.css';

/** Remaining characters per network, as text with a ring. */
export default memo(function CounterList({
  text,
  chosen,
  validation,
  limits,
}: {
  text: string;
  chosen: readonly Connection[];
  validation: Validation;
  limits: Readonly<Record<string, PlatformLimits>>;
}) {
  const counters = countersFor(text, chosen, validation, limits);
  if (counters.length === 0) return null;
  return (
    <ul className={classes.counters} aria-label="Characters left">
      {counters.map(({ key, text: words, used, isOver, isTight }) => (
        <li key={key} className={classes.counter} data-over={isOver || undefined}>
          <RingProgress
            size={22}
            thickness={3}
            aria-hidden
            sections={[{ value: used * 100, color: isOver ? 'red' : isTight ? 'orange' : 'indigo' }]}
          />
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
});
