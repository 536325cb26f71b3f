import { RingProgress } from '@mantine/core';
import { PlatformIcon } from '../../components/platform-icon.tsx';
import classes from './composer.module.css';
import type { Counter } from './counters.ts';

/** How much room each network leaves, as text with a ring. */
export function CounterList({ counters }: { counters: readonly Counter[] }) {
  if (counters.length === 0) return null;
  return (
    <ul className={classes.counters} aria-label="Characters left">
      {counters.map(({ key, platform, text, used, isOver }) => (
        <li key={key} className={classes.counter} data-over={isOver || undefined}>
          <RingProgress
            size={22}
            thickness={3}
            aria-hidden
            sections={[{ value: used * 100, color: isOver ? 'red' : used > 0.9 ? 'orange' : 'indigo' }]}
          />
          <PlatformIcon platform={platform} size={15} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
