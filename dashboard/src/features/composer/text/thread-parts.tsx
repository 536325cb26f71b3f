import type { Connection } from '@crier/client';
import { Text } from '@mantine/core';
import { memo } from 'react';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { type CheckedText, textOn } from '../validation/checked-texts.ts';
import type { Validation } from '../validation/use-validation.ts';
import classes from './text.module.css';

/** Longer lists start collapsed: the cuts are marked in the text, and the preview shows all parts. */
const shownParts = 4;

/** The parts of a text that becomes a thread. */
export const ThreadParts = memo(function ThreadParts({
  chosen,
  validation,
}: {
  chosen: readonly Connection[];
  validation: Validation;
}) {
  const threads = new Map<CheckedText, string[]>();
  for (const { platformId } of chosen) {
    const checked = textOn(validation, platformId);
    if (!checked || checked.parts.length < 2) continue;
    const names = threads.get(checked) ?? [];
    const name = platformName(platformOf(platformId));
    threads.set(checked, names.includes(name) ? names : [...names, name]);
  }
  return [...threads].map(([checked, names]) => (
    <details key={names.join()} className={classes.thread} open={checked.parts.length <= shownParts}>
      <summary>
        Thread on {names.join(', ')}: {checked.parts.length} posts
      </summary>
      <ol className={classes.parts}>
        {checked.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position only.
          <li key={index}>
            <span className={classes.partNumber}>
              {index + 1}/{checked.parts.length}
            </span>
            <Text span size="sm" lineClamp={2} dir="auto" flex={1}>
              {part}
            </Text>
          </li>
        ))}
      </ol>
    </details>
  ));
});
