import { expect, test } from 'vitest';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import type { TimeChange } from '../queue-days.ts';
import { storeInOrder } from './store-in-order.ts';

const post = (postGroupId: string, scheduledTime: string) =>
  ({ postGroupId, scheduledTime, version: 3 }) as PostSummary;
const [nine, ten] = ['2027-03-01T09:00:00Z', '2027-03-01T10:00:00Z'];
const exchange: TimeChange[] = [
  { post: post('later', ten), to: nine },
  { post: post('earlier', nine), to: ten },
];

/** Refuses the calls with these numbers. */
async function stored(refused: readonly number[], changes = exchange) {
  const calls: string[] = [];
  const failure = await storeInOrder(changes, async ({ post: { postGroupId, version }, to }) => {
    calls.push(`${postGroupId} ${version} ${to.slice(11, 16)}`);
    if (refused.includes(calls.length)) throw new Error('Refused');
  });
  return { calls, failure };
}

test('the post that waits longer moves first', async () => {
  expect(await stored([])).toEqual({ calls: ['earlier 3 10:00', 'later 3 09:00'], failure: null });
});

test('if the first is refused, nothing changes', async () => {
  const { calls, failure } = await stored([1]);
  expect(calls).toEqual(['earlier 3 10:00']);
  expect(failure).toMatchObject({ stranded: [] });
});

test('if the second is refused, the first is put back with its new version', async () => {
  const { calls, failure } = await stored([2]);
  expect(calls).toEqual(['earlier 3 10:00', 'later 3 09:00', 'earlier 4 09:00']);
  expect(failure).toMatchObject({ error: new Error('Refused'), stranded: [] });
});

test('if that is refused, too, the failure names the post that moved alone', async () => {
  const { failure } = await stored([2, 3]);
  expect(failure?.stranded.map(({ post }) => post.postGroupId)).toEqual(['earlier']);
});

test('of many, each that moved is put back, although another can’t be', async () => {
  const [eleven, twelve] = ['2027-03-01T11:00:00Z', '2027-03-01T12:00:00Z'];
  const shift = [
    { post: post('last', twelve), to: nine },
    { post: post('a', nine), to: ten },
    { post: post('b', ten), to: eleven },
    { post: post('c', eleven), to: twelve },
  ];
  const { calls, failure } = await stored([4, 6], shift);
  expect(calls.slice(4)).toEqual(['c 4 11:00', 'b 4 10:00', 'a 4 09:00']);
  expect(failure?.stranded.map(({ post }) => post.postGroupId)).toEqual(['b']);
});
