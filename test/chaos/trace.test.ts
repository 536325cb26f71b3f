import { expect, test } from 'vitest';
import type { Observable } from '../model/conformance.ts';
import { settlementOf } from './trace.ts';

const traceOf = (...events: [Observable, number][]) =>
  events.map(([action, seconds]) => ({ action, at: 1000 * seconds }));

test('a step that the run that began it has ended was never in doubt', () => {
  expect(settlementOf(traceOf(['claim', 0], ['begin', 1], ['end', 2], ['publish', 3]))).toBeNull();
});

test('a lost answer counts until the step has a result, however often it was sent', () => {
  const trace = traceOf(
    ['claim', 0],
    ['begin', 1],
    ['retry', 2],
    ['claim', 90],
    ['resend', 91],
    ['claim', 99],
    ['end', 101],
  );
  expect(settlementOf(trace)).toMatchObject({ seconds: 100, sent: 2, limited: false });
});

test('and without a result until the post has an outcome', () => {
  expect(settlementOf(traceOf(['begin', 1], ['claim', 8], ['unknown', 9]))).toMatchObject({
    seconds: 8,
    sent: 1,
    limited: false,
  });
});

test('a settlement lists its events, and shows whether a rate limit delayed it', () => {
  const trace = [
    { action: 'begin', at: 0 },
    { action: 'retry', at: 1000, cause: 'RATE_LIMITED' },
    { action: 'claim', at: 9000 },
    { action: 'end', at: 10_000 },
  ] as const;
  expect(settlementOf(trace)).toEqual({
    ...{ seconds: 10, sent: 1, limited: true },
    events: '0 begin, 1 retry RATE_LIMITED, 9 claim, 10 end',
  });
});
