import { expect, test } from 'vitest';
import type { PostSummary } from '../../lib/posts/post-summary.ts';
import { changesFor, type Place, placeByKey, placesOf, withChanges } from './queue-days.ts';

const post = (id: string, scheduledTime: string, channels = ['mastodon-1'], status = 'scheduled'): PostSummary => ({
  postGroupId: id,
  content: id,
  status: 'scheduled',
  scheduledTime,
  platforms: channels.map((platformId) => ({ platformId, platform: platformId.split('-')[0]!, status })),
  thumbnail: null,
});
const slot = (weekday: number, time: string, platformId: string | null = null) => ({ weekday, time, platformId });
/** 1 March 2027 is a Monday. */
const days = ['2027-03-01', '2027-03-02', '2027-03-03'];
const base = { days, zone: 'UTC', now: new Date('2027-03-01T08:00:00Z'), channel: null };
const slots = { timeZone: 'UTC', slots: [slot(1, '09:00'), slot(1, '07:00'), slot(2, '09:00'), slot(2, '17:00')] };
const shown = (input: Partial<Parameters<typeof placesOf>[0]> = {}) =>
  placesOf({ ...base, slots, posts: [], ...input }).map(
    (place) =>
      `${place.at.slice(8, 16)} ${place.post ? `${place.post.postGroupId}${place.isInSlot ? '' : ' outside'}` : 'free'}`,
  );

test('shows posts in their slots, posts outside slots and free slots, in order and only in the future', () => {
  const posts = [post('b', '2027-03-02T11:15:00.000Z'), post('a', '2027-03-02T09:00:00.000Z')];
  expect(shown({ posts: [...posts, post('late', '2027-03-01T07:30:00.000Z')] })).toEqual([
    '01T09:00 free',
    '02T09:00 a',
    '02T11:15 b outside',
    '02T17:00 free',
  ]);
});

test('for one channel, only its posts and slots count', () => {
  const channel = 'mastodon-1';
  const ofChannels = { timeZone: 'UTC', slots: [slot(1, '09:00', 'x-1'), slot(2, '09:00', channel), slot(3, '09:00')] };
  const posts = [post('x', '2027-03-03T09:00:00.000Z', ['x-1']), post('m', '2027-03-02T09:00:00.000Z')];
  expect(shown({ posts, slots: ofChannels, channel })).toEqual(['02T09:00 m', '03T09:00 free']);
});

test('slots keep their own time zone, also when clocks change', () => {
  const berlin = { timeZone: 'Europe/Berlin', slots: [slot(6, '09:00'), slot(7, '09:00')] };
  const now = new Date('2027-03-26T00:00:00Z');
  const weekend = ['2027-03-27', '2027-03-28'];
  expect(shown({ slots: berlin, days: weekend, now })).toEqual(['27T08:00 free', '28T07:00 free']);
});

const one = post('one', '2027-03-01T09:00:00.000Z');
const two = post('two', '2027-03-02T09:00:00.000Z');
const places = placesOf({ ...base, slots, posts: [one, two] });

/** Posts with a letter each, at these times. `!`: is being published. */
function queueOf(...times: string[]): { posts: PostSummary[]; all: Place[] } {
  const posts = times.map((time, index) => {
    const isRunning = time.endsWith('!');
    const at = `2027-03-${time.replace('!', '')}:00.000Z`;
    return post('abcdefgh'[index]!, at, ['mastodon-1'], isRunning ? 'processing' : 'scheduled');
  });
  return { posts, all: placesOf({ ...base, slots, posts }) };
}

/** The queue after a post was put on a place, and who got a new time. */
function after({ posts, all }: ReturnType<typeof queueOf>, id: string, to: string) {
  const moved = posts.find(({ postGroupId }) => postGroupId === id)!;
  const target = all.find(({ post, at }) => (post ? post.postGroupId === to : at.slice(8, 16) === to))!;
  const changes = changesFor(moved, target, all);
  const queue = placesOf({ ...base, slots, posts: withChanges(posts, changes) });
  return {
    changed: changes.map(({ post }) => post.postGroupId).join(''),
    order: queue.map((place) => `${place.at.slice(8, 16)} ${place.post?.postGroupId ?? '-'}`),
  };
}

const five = queueOf('01T09:00', '02T09:00', '02T11:15', '02T17:00', '03T10:00');

test('a post that moves up takes the place of another, and those between move down by one', () => {
  expect(after(five, 'd', 'b')).toEqual({
    changed: 'dbc',
    order: ['01T09:00 a', '02T09:00 d', '02T11:15 b', '02T17:00 c', '03T10:00 e'],
  });
  expect(
    after(five, 'e', 'a')
      .order.map((line) => line.at(-1))
      .join(''),
  ).toBe('eabcd');
});

test('a post that moves down takes the place of another, and those between move up by one', () => {
  expect(after(five, 'b', 'd')).toEqual({
    changed: 'bcd',
    order: ['01T09:00 a', '02T09:00 c', '02T11:15 d', '02T17:00 b', '03T10:00 e'],
  });
  expect(
    after(five, 'a', 'e')
      .order.map((line) => line.at(-1))
      .join(''),
  ).toBe('bcdea');
});

test('neighbours exchange their times', () => {
  expect(after(five, 'a', 'b').changed).toBe('ab');
  expect(after(five, 'b', 'a').order.slice(0, 2)).toEqual(['01T09:00 b', '02T09:00 a']);
});

test('free slots between stay free', () => {
  const gaps = queueOf('01T09:00', '02T17:00', '03T10:00');
  expect(after(gaps, 'c', 'a').order).toEqual(['01T09:00 c', '02T09:00 -', '02T17:00 a', '03T10:00 b']);
});

test('a post on a free slot takes it, and no other moves', () => {
  const gap = queueOf('01T09:00', '02T09:00', '03T10:00');
  expect(after(gap, 'c', '02T17:00')).toEqual({
    changed: 'c',
    order: ['01T09:00 a', '02T09:00 b', '02T17:00 c'],
  });
});

test('posts that are being published keep their time, and can’t be replaced', () => {
  const running = queueOf('01T09:00', '02T09:00!', '02T11:15', '02T17:00');
  expect(after(running, 'd', 'a').order).toEqual(['01T09:00 d', '02T09:00 b', '02T11:15 a', '02T17:00 c']);
  expect(after(running, 'd', 'b').changed).toBe('');
  expect(after(running, 'b', 'a').changed).toBe('');
});

test('posts at the same time keep it, and the others still move', () => {
  const twins = queueOf('01T09:00', '02T09:00', '02T09:00', '02T17:00');
  expect(after(twins, 'c', 'b').changed).toBe('');
  expect(after(twins, 'd', 'b')).toMatchObject({
    changed: 'dc',
    order: ['01T09:00 a', '02T09:00 b', '02T09:00 d', '02T17:00 c'],
  });
});

test('on its own place nothing changes, and every move keeps the times of the queue', () => {
  for (const from of 'abcde')
    for (const to of 'abcde') {
      const { changed, order } = after(five, from, to);
      expect(order.map((line) => line.slice(0, 8))).toEqual(five.all.map(({ at }) => at.slice(8, 16)));
      const expected = [...'abcde'].filter((id) => id !== from);
      expected.splice('abcde'.indexOf(to), 0, from);
      expect(order.map((line) => line.at(-1)).join('')).toBe(expected.join(''));
      expect(changed.length).toBe(from === to ? 0 : Math.abs('abcde'.indexOf(from) - 'abcde'.indexOf(to)) + 1);
    }
});

test('arrows lead to the next place or day, and stop at the ends', () => {
  const next = (index: number, key: string) => placeByKey(places, index, key);
  expect([next(0, 'ArrowDown'), next(1, 'ArrowUp'), next(0, 'ArrowUp'), next(2, 'ArrowDown')]).toEqual([1, 0, 0, 2]);
  expect([next(0, 'ArrowRight'), next(2, 'ArrowLeft'), next(1, 'ArrowRight')]).toEqual([1, 0, 1]);
  expect(next(0, 'a')).toBeNull();
});

test('arrows skip posts that are being published', () => {
  const running = post('running', '2027-03-02T08:00:00.000Z', ['mastodon-1'], 'processing');
  const withRunning = placesOf({ ...base, slots, posts: [one, running, two] });
  expect(withRunning[placeByKey(withRunning, 0, 'ArrowDown')!]!.post).toBe(two);
});
