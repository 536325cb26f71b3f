import { describe, expect, test } from 'vitest';
import { resolveDuplicate } from './duplicate.ts';
import { PlatformError } from './failure.ts';
import { exactly } from './found.ts';

const refusal = new PlatformError('rejected', 'You have posted this already.', { status: 403, reason: 'duplicate' });
const began = new Date('2031-02-03T04:05:06Z');

/** A repeat that the platform refuses as a duplicate, while the account has this post, another one, or neither. */
function refusedRepeat({ ours = null as string | null, hasText = false, repeatSince = began as Date | null }) {
  const asked: Date[] = [];
  const lookup = {
    find: async () => exactly(ours),
    hasText: async (since: Date) => {
      asked.push(since);
      return hasText;
    },
  };
  const run = { repeatSince, adopt: async () => ours };
  return { asked, resolving: resolveDuplicate(refusal, lookup, run, 'Network') };
}

describe('a post that is refused as a duplicate', () => {
  test('in its first run is a duplicate of another post', async () => {
    await expect(refusedRepeat({ ours: 'mine', repeatSince: null }).resolving).rejects.toBe(refusal);
  });

  test('is the one that an earlier run sent, if the platform shows it', async () => {
    expect(await refusedRepeat({ ours: 'mine', hasText: true }).resolving).toBe('mine');
  });

  test('is a duplicate if the account has another post with the text, of the last day', async () => {
    const { resolving, asked } = refusedRepeat({ hasText: true });
    await expect(resolving).rejects.toBe(refusal);
    expect(asked).toEqual([new Date('2031-02-02T04:05:06Z')]);
  });

  test('is looked for again later if the platform shows neither', async () => {
    await expect(refusedRepeat({}).resolving).rejects.toMatchObject({ kind: 'unavailable', reason: 'duplicate' });
  });
});
