import { expect, test } from 'vitest';
import { PlatformError } from './failure.ts';

test.for([
  ['auth', false],
  ['rejected', false],
  ['too_large', false],
  ['rate_limited', false],
  ['network', false],
  ['unavailable', true],
  ['timeout', true],
  ['unknown_outcome', true],
] as const)('"%s" leaves the outcome in doubt unless told otherwise: %s', ([kind, inDoubt]) => {
  expect(new PlatformError(kind, 'Failed.').mayHaveHappened).toBe(inDoubt);
  expect(new PlatformError(kind, 'Failed.', { mayHaveHappened: !inDoubt }).mayHaveHappened).toBe(!inDoubt);
});

test('a changed failure keeps what was not changed', () => {
  const details = { status: 403, reason: 'No.', retryAfterSeconds: 7, code: 'CODE', cause: new Error('Cause') };
  const failure = new PlatformError('auth', 'Not allowed.', details);
  expect(failure.with({ kind: 'unavailable', reason: 'Maybe.' })).toMatchObject({
    ...details,
    kind: 'unavailable',
    message: 'Not allowed.',
    reason: 'Maybe.',
    mayHaveHappened: false,
  });
});
