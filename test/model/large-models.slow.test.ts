import { expect, test } from 'vitest';
import { explore } from './explore.ts';
import { usual } from './faults.ts';
import type { Options } from './state.ts';

const settings: [string, Partial<Options>][] = [
  ['on one lane, with a crash and a retry', { suspensions: 0 }],
  ['on one lane, with a suspension', { crashes: 0, retries: 0 }],
  ['on two lanes, with a crash', { lanes: [0, 1], suspensions: 0, retries: 0 }],
  ['that are equal, on one lane, with a crash', { equal: true, suspensions: 0, retries: 0 }],
  ['that are equal, on one lane, with a retry', { equal: true, crashes: 0, suspensions: 0 }],
];

test.each(settings)(
  'two workers and two posts %s anywhere: no state is wrong',
  (_, options) => {
    const { states, violation } = explore({ ...usual, ...options });
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(10_000);
  },
  600_000,
);
