import type { PostingSlots } from '@crier/client';
import { isMovable, type PostSummary } from '../../lib/posts/post-summary.ts';
import { addDays, type DateKey, dateKeyOf } from '../../lib/time/time.ts';
import { freeSlots, slotTimes } from '../calendar/adding/free-slots.ts';

export interface FilledPlace {
  key: string;
  at: string;
  day: DateKey;
  post: PostSummary;
  isInSlot: boolean;
}

/** A post, or a slot without one. */
export type Place = FilledPlace | { key: string; at: string; day: DateKey; post: null; platformId: string | null };

export interface QueueInput {
  posts: readonly PostSummary[];
  slots: Pick<PostingSlots, 'timeZone' | 'slots'>;
  days: readonly DateKey[];
  zone: string;
  now: Date;
  /** Null for all channels. */
  channel: string | null;
}

export const daysFrom = (first: DateKey, number: number): DateKey[] =>
  Array.from({ length: number }, (_, index) => addDays(first, index));

/** Scheduled posts and free slots in chronological order. */
export function placesOf({ posts, slots, days, zone, now, channel }: QueueInput): Place[] {
  const wanted = posts.filter(
    ({ scheduledTime, platforms }) =>
      scheduledTime !== null &&
      new Date(scheduledTime) > now &&
      (channel === null || platforms.some(({ platformId }) => platformId === channel)),
  );
  const times = slotTimes(slots, days, zone).filter(
    ({ platformId }) => channel === null || platformId === null || platformId === channel,
  );
  const minutes = new Set(times.map(({ at }) => minuteOf(at)));
  const ofPosts = wanted.map(
    (post): Place => ({
      key: post.postGroupId,
      at: post.scheduledTime!,
      day: dateKeyOf(post.scheduledTime!, zone),
      post,
      isInSlot: minutes.has(minuteOf(new Date(post.scheduledTime!))),
    }),
  );
  const channels = channel === null ? [] : [channel];
  const free = [...freeSlots(times, posts, { now, channels }).values()].flat().map(
    ({ at, day, platformId }): Place => ({
      key: `${at.toISOString()} ${platformId}`,
      at: at.toISOString(),
      day,
      post: null,
      platformId,
    }),
  );
  return [...ofPosts, ...free].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);

/** A post's new time. */
export interface TimeChange {
  post: PostSummary;
  to: string;
}

/**
 * What happens if a post is put on a place. On a free slot, only that post moves. At the position of another, it takes that post's
 * time, and each post between takes the time of its neighbour. Thus the queue keeps its times, free slots stay free, and posts that
 * are being published stay where they are.
 */
export function changesFor(post: PostSummary, place: Place, places: readonly Place[]): TimeChange[] {
  if (place.post?.postGroupId === post.postGroupId) return [];
  if (!place.post) return changed([{ post, to: place.at }]);
  const movable = places.filter(isMovablePlace);
  const [from, to] = [post, place.post].map(({ postGroupId }) =>
    movable.findIndex((one) => one.post.postGroupId === postGroupId),
  ) as [number, number];
  if (from === -1 || to === -1) return [];
  const between = from < to ? movable.slice(from + 1, to + 1) : movable.slice(to, from);
  const step = from < to ? -1 : 1;
  return changed([
    { post, to: movable[to]!.at },
    ...between.map((one) => ({ post: one.post, to: movable[movable.indexOf(one) + step]!.at })),
  ]);
}

const isMovablePlace = (place: Place): place is FilledPlace => place.post !== null && isMovable(place.post);

/** Posts at the same time change places without a new time. */
const changed = (changes: readonly TimeChange[]) => changes.filter(({ post, to }) => to !== post.scheduledTime);

export const withChanges = (posts: readonly PostSummary[], changes: readonly TimeChange[]): PostSummary[] =>
  posts.map((post) => {
    const to = changes.find((change) => change.post.postGroupId === post.postGroupId)?.to;
    return to === undefined ? post : { ...post, scheduledTime: to };
  });

/** Whether a post can be put on the place. */
export const acceptsPost = ({ post }: Place): boolean => post === null || isMovable(post);

/** Where an arrow key leads: to the next place, or the first place of the next day with any. */
export function placeByKey(places: readonly Place[], index: number, key: string): number | null {
  const step = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : key === 'ArrowUp' || key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return null;
  const isDay = key === 'ArrowRight' || key === 'ArrowLeft';
  const day = places[index]?.day;
  let at = index + step;
  while (places[at] && (!acceptsPost(places[at]!) || (isDay && places[at]!.day === day))) at += step;
  if (!places[at]) return index === -1 ? null : index;
  if (!isDay) return at;
  const first = places.findIndex((place) => place.day === places[at]!.day && acceptsPost(place));
  return first === -1 ? index : first;
}
