import { describe, expect, test } from 'vitest';
import { PlatformError } from '../kit/index.ts';
import { commonRules, type ErrorTable, rejected, unavailable } from './error-codes.ts';
import { errorReader, GraphError, hasCode, hasRecovery, reclassify } from './failure.ts';

const common = commonRules('Meta');
const table: ErrorTable = [
  [[77, 78], rejected('Seventy-seven.')],
  [[79], { ...unavailable('Not ready.'), recovery: 'wait' }],
  [[80], { ...rejected('Bad secret.'), matching: /secret/ }],
  [[80], rejected('Another eighty.')],
  ...common.table,
];
const failureIn = errorReader({ ...common, name: 'Meta', table });

const read = (body: unknown, init: ResponseInit = { status: 400 }, secrets: string[] = []) =>
  failureIn(new Response(null, init), body, { now: new Date(), secrets });
const refusal = (error: Record<string, unknown>, init?: ResponseInit) => read({ error }, init);

describe('an error code', () => {
  test.for([
    [190, 463, 'auth', /Reconnect the account/],
    [190, undefined, 'auth', /Reconnect the account/],
    [102, undefined, 'auth', /Reconnect the account/],
    [10, undefined, 'auth', /allow everything/],
    [200, undefined, 'auth', /allow everything/],
    [299, undefined, 'auth', /allow everything/],
    [300, undefined, 'rejected', /rejected the request/],
    [4, undefined, 'rate_limited', /Wait until the limit resets/],
    [17, undefined, 'rate_limited', /Wait until the limit resets/],
    [32, undefined, 'rate_limited', /Wait until the limit resets/],
    [613, undefined, 'rate_limited', /Wait until the limit resets/],
    [9, undefined, 'rate_limited', /posting limit/],
    [100, undefined, 'rejected', /rejected the request/],
    [1, undefined, 'unavailable', /temporary error/],
    [2, undefined, 'unavailable', /temporary error/],
    [101, undefined, 'unavailable', /operator/],
  ] as const)('%i with subcode %s is "%s", and nothing happened', ([code, error_subcode, kind, message]) => {
    const failed = refusal({ message: 'Their words', code, error_subcode });
    expect(failed).toMatchObject({ kind, status: 400, reason: 'Their words', mayHaveHappened: false });
    expect(failed?.message).toMatch(message);
  });

  test('is looked up as a subcode first', () => {
    expect(refusal({ code: 190, error_subcode: 78 })?.message).toBe('Seventy-seven.');
    expect(refusal({ code: 77 })?.message).toBe('Seventy-seven.');
  });

  test('may depend on the words beside it', () => {
    expect(refusal({ code: 80, message: 'Wrong secret' })?.message).toBe('Bad secret.');
    expect(refusal({ code: 80, message: 'Wrong' })?.message).toBe('Another eighty.');
    expect(refusal({ code: 80 })?.message).toBe('Another eighty.');
  });
});

describe('an error', () => {
  test('that is marked as transient does not reject the post', () => {
    expect(refusal({ message: 'Later', code: 12345, is_transient: true })).toMatchObject({ kind: 'unavailable' });
    expect(refusal({ code: 4, is_transient: true })).toMatchObject({ kind: 'rate_limited' });
  });

  test('is read also from a response with a status of success', () => {
    expect(refusal({ message: 'Expired', code: 190 }, { status: 200 })).toMatchObject({ kind: 'auth', status: 200 });
  });

  test('of a token endpoint has a different shape', () => {
    const body = { error_type: 'OAuthException', code: 400, error_message: 'Matching code was not found' };
    expect(read(body)).toMatchObject({ kind: 'rejected', reason: 'Matching code was not found' });
  });

  test('keeps all that the platform says, once and without secrets', () => {
    const error = { message: 'Token at-0123456789 is bad.', error_user_msg: 'Sign in again.', code: 190 };
    expect(read({ error }, undefined, ['at-0123456789'])?.reason).toBe('Token [secret] is bad. Sign in again.');
    expect(refusal({ message: 'No.', error_user_msg: 'No.' })?.reason).toBe('No.');
  });

  test('tells which recovery helps', () => {
    expect(hasRecovery(refusal({ code: 79 }), 'wait')).toBe(true);
    expect(hasRecovery(refusal({ code: 79 }), 'renew')).toBe(false);
    expect(hasRecovery(refusal({ code: 100 }), 'wait')).toBe(false);
  });

  test('is known by its code or its subcode, not by numbers in its words', () => {
    const failed = refusal({ code: 100, error_subcode: 1609008, message: '(#506) See 506' });
    expect([hasCode(failed, 100), hasCode(failed, 7, 1609008), hasCode(failed, 506)]).toEqual([true, true, false]);
    expect(hasCode(new Error('(#100) No'), 100)).toBe(false);
  });

  test('keeps its status and reason when it is reclassified', () => {
    const failed = reclassify(new GraphError(rejected('No.'), { status: 400, reason: 'Bad code' }), 'auth', 'Sign in.');
    expect(failed).toMatchObject({ kind: 'auth', message: 'Sign in.', status: 400, reason: 'Bad code' });
    expect(reclassify(new PlatformError('network', 'No.'), 'auth', '')).toMatchObject({ status: null, reason: null });
  });
});

test.for([
  [401, 'auth', false],
  [403, 'auth', false],
  [404, 'unavailable', false],
  [413, 'too_large', false],
  [429, 'rate_limited', false],
  [500, 'unavailable', true],
  [503, 'unavailable', true],
] as const)('status %i without an error body is "%s"', ([status, kind, mayHaveHappened]) => {
  const failed = read(null, { status, statusText: 'Sorry' });
  expect(failed).toMatchObject({ kind, status, reason: `${status} Sorry`, mayHaveHappened });
});

test('a response without an error is no failure', () => {
  expect(read({ id: '1' }, { status: 200 })).toBeNull();
});

describe('the wait after a rate limit', () => {
  const seconds = (usage: string, code = 4) =>
    refusal({ code }, { status: 400, headers: { 'x-business-use-case-usage': usage } })?.retryAfterSeconds;
  const usage = (...minutes: unknown[]) =>
    JSON.stringify({
      '17841': minutes.map((time) => ({ type: 'instagram', call_count: 100, estimated_time_to_regain_access: time })),
    });

  test('is the longest estimate, which comes in minutes', () => {
    expect(seconds(usage(2, 12, 0))).toBe(720);
  });

  test.for(['', 'soon', '{', '[]', usage(), usage(0), usage('soon')])(
    'is 15 minutes when the header is %j',
    (header) => {
      expect(seconds(header)).toBe(900);
    },
  );

  test('is at least an hour when the quota of posts is used up', () => {
    expect(seconds(usage(2), 9)).toBe(3600);
    expect(seconds('', 9)).toBe(3600);
  });

  test('is unknown for other failures', () => {
    expect(seconds(usage(2), 190)).toBeNull();
  });
});
