import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import type { PlatformClient } from './context.ts';
import { PlatformError } from './failure.ts';
import { found, type Match } from './found.ts';
import type { RemotePost } from './platform.ts';
import { stepRunner } from './steps.ts';

const minute = 60_000;
const start = Date.parse('2031-02-03T04:05:06Z');

/** A platform whose clock differs from ours, with the posts of one account. All have the same text. */
function vendor(clock: { ms: number }, aheadMs: number) {
  const posts: (RemotePost & { at: number })[] = [];
  const ctx = {
    now: () => new Date(clock.ms),
    platformTime: (at: Date | number) => Math.floor((Number(at) + aheadMs) / 1000) * 1000,
  } satisfies Partial<PlatformClient> as unknown as PlatformClient;
  const create = (at = clock.ms): RemotePost => {
    const post = { id: `${posts.length + 1}`, url: null, at: Math.floor((at + aheadMs) / 1000) * 1000 };
    posts.push(post);
    return { id: post.id, url: null };
  };
  const matches = () =>
    posts.map(({ id, at }): Match<RemotePost> => ({ result: { id, url: null }, createdAt: at, isSure: true }));
  return { posts, create, find: async (since: Date) => found(matches(), since, true, ctx) };
}

const lost = () => new PlatformError('network', 'Connection lost.', { mayHaveHappened: true });
const fate = fc.constantFrom<('answered' | 'cut before' | 'cut after')[]>('answered', 'cut before', 'cut after');

test('of any number of equal posts, each is at the platform once and has its own id', async () => {
  const scenario = fc.record({
    aheadMs: fc.integer({ min: -10 * minute, max: 10 * minute }),
    /** When the account itself made identical posts, before ours. */
    strangers: fc.array(fc.integer({ min: -60 * minute, max: -1 * minute }), { maxLength: 4 }),
    /** The outcome of each request of each post, in order. */
    fates: fc.array(fc.array(fate, { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
    /** Which post runs next, and the pause before it. */
    turns: fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 0, max: 2 * minute })), { maxLength: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ aheadMs, strangers, fates, turns }) => {
      const clock = { ms: start };
      const network = vendor(clock, aheadMs);
      for (const at of strangers.toSorted((one, other) => one - other)) network.create(start + at);
      const owned = new Set<string>();
      const posts = fates.map((left) => {
        const steps = memorySteps({ now: () => new Date(clock.ms) }, { owned });
        const queue = [...left];
        const send = async () => {
          const next = queue.shift() ?? 'answered';
          if (next === 'cut before') throw lost();
          const remote = network.create();
          if (next === 'cut after') throw lost();
          return remote;
        };
        return () => stepRunner(steps.claim())('post', send, { find: network.find });
      });
      // A doubtful post is settled after the one that it may be.
      const untilTheEnd = Array.from({ length: 8 * posts.length }, (_, turn) => [turn, 1000] as const);
      for (const [index, pause] of [...turns, ...untilTheEnd]) {
        clock.ms += pause;
        await posts[index % posts.length]?.().catch(() => null);
      }
      const results = await Promise.all(posts.map((run) => run()));
      const ids = results.map(({ id }) => id);
      expect(new Set(ids).size).toBe(posts.length);
      expect(network.posts.length).toBe(strangers.length + posts.length);
      expect(network.posts.slice(strangers.length).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    }),
    { numRuns: 300 },
  );
});

const ctx = { platformTime: (at: Date | number) => Number(at) } as unknown as PlatformClient;
const match = (result: string, createdAt: number, isSure = true): Match<string> => ({ result, createdAt, isSure });

test('what is not older than the step fits, the oldest first', () => {
  const matches = [match('late', start + 9000), match('first', start), match('second', start + 1000)];
  expect(found(matches, start, true, ctx)).toEqual({
    posts: ['first', 'second', 'late'],
    doubtful: [],
    inconclusive: null,
  });
});

test('what is older by less than the clocks may differ is doubtful, and what is older than that does not count', () => {
  const matches = [match('old', start - 31_000), match('doubtful', start - 29_000), match('fits', start - 4000)];
  expect(found(matches, start, true, ctx)).toMatchObject({ posts: ['fits'], doubtful: ['doubtful'] });
});

test('what the platform shows too little of is doubtful', () => {
  expect(found([match('unsure', start, false)], start, true, ctx)).toMatchObject({ posts: [], doubtful: ['unsure'] });
});
