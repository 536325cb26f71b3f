import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { PlatformError } from './failure.ts';
import { removal } from './removal.ts';

const refusal = (status: number, kind: 'auth' | 'rejected' | 'rate_limited' | 'unavailable' = 'rejected') =>
  new PlatformError(kind, 'What people read.', { status, reason: `The platform said ${status}` });
const isMissing = ({ status }: PlatformError) => status === 404;
const outcomeOf = (status: number, kind?: 'auth' | 'rejected' | 'rate_limited' | 'unavailable') =>
  removal(Promise.reject(refusal(status, kind)), { isMissing });

describe('a deletion', () => {
  test('that the platform accepts leaves nothing', async () => {
    expect(await removal(Promise.resolve(), { isMissing })).toEqual({ isGone: true });
  });

  test('of what the platform does not have leaves nothing', async () => {
    expect(await outcomeOf(404)).toEqual({ isGone: true });
  });

  test.for(['auth', 'rejected'] as const)('that is forbidden (%s) says why', async (kind) => {
    expect(await outcomeOf(403, kind)).toEqual({ isGone: false, why: 'The platform said 403' });
  });

  test.for([
    [403, 'rate_limited'],
    [401, 'auth'],
    [400, 'rejected'],
    [503, 'unavailable'],
  ] as const)('that fails with %i (%s) has no outcome yet', async ([status, kind]) => {
    expect(await failureOf(outcomeOf(status, kind))).toMatchObject({ status, kind });
  });
});

describe('a platform that answers the same for a missing post and for one that it does not delete', () => {
  const ambiguous = (read: () => Promise<unknown>) => removal(Promise.reject(refusal(404)), { isMissing, read });

  test('has kept a post that can still be read', async () => {
    expect(await ambiguous(async () => ({ id: '1' }))).toEqual({
      isGone: false,
      why: 'the post still exists and could not be deleted: The platform said 404',
    });
  });

  test('has no post that cannot be read either', async () => {
    expect(await ambiguous(() => Promise.reject(refusal(404)))).toEqual({ isGone: true });
  });

  test('proves nothing if the post cannot be read for another reason', async () => {
    expect(await failureOf(ambiguous(() => Promise.reject(refusal(503, 'unavailable'))))).toMatchObject({
      status: 503,
    });
  });
});
