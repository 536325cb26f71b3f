import { expect, test } from 'vitest';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { freeSlots, freeSlotsOfBrands, slotTimes } from './free-slots.ts';

const slot = (weekday: number, time: string, platformId: string | null = null) => ({ weekday, time, platformId });
const week = ['2027-03-22', '2027-03-23', '2027-03-24', '2027-03-25', '2027-03-26', '2027-03-27', '2027-03-28'];
const now = new Date('2027-03-22T00:00:00Z');

const post = (scheduledTime: string, platformIds: readonly string[], status: PostSummary['status'] = 'scheduled') =>
  ({ status, scheduledTime, platforms: platformIds.map((platformId) => ({ platformId })) }) as unknown as PostSummary;

const shown = (slots: ReturnType<typeof slot>[], posts: PostSummary[] = [], channels: string[] = []) =>
  [...freeSlots(slotTimes({ timeZone: 'UTC', slots }, week, 'UTC'), posts, { now, channels }).values()]
    .flat()
    .map(({ at, platformId }) => [at.toISOString().slice(0, 16), platformId].filter(Boolean).join(' '));

test('slots are on the days of the reader’s time zone', () => {
  const slots = [slot(1, '23:30'), slot(7, '00:10')];
  const times = slotTimes({ timeZone: 'America/New_York', slots }, week, 'Europe/Berlin');
  expect(times.map(({ at, day }) => [at.toISOString(), day])).toEqual([
    ['2027-03-23T03:30:00.000Z', '2027-03-23'],
    ['2027-03-28T04:10:00.000Z', '2027-03-28'],
  ]);
});

test('a slot at a time that clocks skip is at the first moment after the gap', () => {
  const [only] = slotTimes({ timeZone: 'Europe/Berlin', slots: [slot(7, '02:30')] }, week, 'Europe/Berlin');
  expect(only?.at.toISOString()).toBe('2027-03-28T01:00:00.000Z');
});

test('a slot is free unless a scheduled post takes its minute', () => {
  const slots = [slot(2, '09:00'), slot(3, '09:00'), slot(4, '09:00')];
  const posts = [
    post('2027-03-23T09:00:45Z', ['mastodon-1']),
    post('2027-03-24T09:01:00Z', ['mastodon-1']),
    post('2027-03-25T09:00:00Z', ['mastodon-1'], 'draft'),
  ];
  expect(shown(slots, posts)).toEqual(['2027-03-24T09:00', '2027-03-25T09:00']);
});

test('only posts of the slot’s channel, or of the chosen channels, take it', () => {
  const posts = [post('2027-03-23T09:00:00Z', ['mastodon-1']), post('2027-03-24T09:00:00Z', ['mastodon-1'])];
  const slots = [slot(2, '09:00', 'bluesky-1'), slot(3, '09:00')];
  expect(shown(slots, posts)).toEqual(['2027-03-23T09:00 bluesky-1']);
  expect(shown(slots, posts, ['threads-1'])).toEqual(['2027-03-24T09:00']);
  expect(shown(slots, posts, ['mastodon-1', 'bluesky-1'])).toEqual(['2027-03-23T09:00 bluesky-1']);
});

test('past slots aren’t shown, and a slot for every channel is shown once', () => {
  const slots = [slot(1, '00:00'), slot(2, '09:00'), slot(2, '09:00', 'bluesky-1')];
  expect(shown(slots)).toEqual(['2027-03-23T09:00']);
});

test('only posts of the same brand take a slot', () => {
  const of = (userId: string) => slotTimes({ timeZone: 'UTC', slots: [slot(2, '09:00')], userId }, week, 'UTC');
  const taken = { ...post('2027-03-23T09:00:00Z', ['mastodon-1']), userId: 'bakery' };
  const free = freeSlotsOfBrands([of('bakery'), of('garage')], [taken], { now, channels: [] });
  expect([...free.values()].flat().map(({ userId }) => userId)).toEqual(['garage']);
});
