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
] as const)('"%s" leaves the outcome in doubt unless stated otherwise: %s', ([kind, inDoubt]) => {
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

test('what a network says is cut at 1,000 characters, or where an adapter passes on more', () => {
  const long = 'x'.repeat(1_000_000);
  const { message, reason } = new PlatformError('rejected', long, { reason: long });
  expect([message.length, reason?.length]).toEqual([1000, 1000]);
  const passedOn = new PlatformError('rejected', 'No.', { reason: long, reasonLength: 4000 });
  expect(passedOn.with({ kind: 'auth' }).reason).toHaveLength(4000);
});
