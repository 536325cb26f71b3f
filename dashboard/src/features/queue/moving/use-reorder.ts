import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { notifyError, notifyWithUndo, reasonOf } from '../../../components/notify.tsx';
import { count, firstWords, isMovable, type PostSummary } from '../../../lib/posts/post-summary.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { whyNotMovable } from '../../calendar/moving/use-moves.ts';
import { changesFor, type Place, placeByKey, type TimeChange } from '../queue-days.ts';
import { storeChanges } from './store-changes.ts';

const none: readonly TimeChange[] = [];

const keptBy = (number: number, isRest: boolean) => {
  if (number === 1) return isRest ? 'The other post keeps its time.' : 'The post keeps its time.';
  return `${isRest ? 'The other posts' : number === 2 ? 'Both posts' : `All ${number} posts`} keep their times.`;
};

const wordsOf = (post: PostSummary) => `“${firstWords(post.content, 40)}”`;

/** Reorders the queue by mouse and keyboard, with the keys of the calendar. */
export function useReorder(places: readonly Place[]) {
  const client = useQueryClient();
  const preferences = useTimePreferences();
  const [pickedUp, setPickedUp] = useState<{ post: PostSummary; key: string } | null>(null);
  const [announcement, announce] = useState('');
  const timeOf = (at: string) => formatDateTime(at, preferences);
  // Posts may arrive while one is picked up. If its target is gone, it stays.
  const target = pickedUp && (places.find(({ key }) => key === pickedUp.key) ?? null);

  async function store(changes: readonly TimeChange[], isUndo = false) {
    const [first, second] = changes;
    if (!first) return;
    const result = await storeChanges(client, changes);
    if ('failure' in result) {
      const { error, stranded } = result.failure;
      const left = [
        ...stranded.map(({ post, to }) => `${wordsOf(post)} is now at ${timeOf(to)}.`),
        keptBy(changes.length - stranded.length, stranded.length > 0),
      ].join(' ');
      announce(`Couldn’t change the order. ${left}`);
      return notifyError('Couldn’t change the order', new Error(`${reasonOf(error)} ${left}`));
    }
    if (isUndo) return;
    const back = result.posts.map((post, index) => ({ post, to: changes[index]!.post.scheduledTime! }));
    const others = changes.slice(1);
    const rest =
      others.length > 1
        ? `, and ${count(others.length, 'other post')} by one place`
        : second
          ? `, and ${wordsOf(second.post)} to ${timeOf(second.to)}`
          : '';
    notifyWithUndo(`${wordsOf(first.post)} moved to ${timeOf(first.to)}${rest}.`, () => void store(back, true));
  }

  function put(post: PostSummary, place: Place) {
    if (place.post && !isMovable(place.post)) return refuse(place.post);
    const changes = changesFor(post, place, places);
    if (changes.length > 0) announce(`Moved to ${timeOf(place.at)}.`);
    void store(changes);
  }

  function refuse(post: PostSummary) {
    const reason = whyNotMovable(post);
    announce(reason);
    notifyError('This post can’t be moved', new Error(reason));
  }

  function onKeyDown(event: KeyboardEvent, post: PostSummary) {
    const isPickedUp = pickedUp?.post.postGroupId === post.postGroupId;
    if (event.key === ' ') {
      event.preventDefault();
      if (isPickedUp) {
        setPickedUp(null);
        if (target && changesFor(pickedUp.post, target, places).length > 0) return put(pickedUp.post, target);
        return announce(`Dropped. The post stays at ${timeOf(pickedUp.post.scheduledTime!)}.`);
      }
      if (!isMovable(post)) return refuse(post);
      setPickedUp({ post, key: post.postGroupId });
      return announce(
        `Picked up ${firstWords(post.content, 40)}, ${timeOf(post.scheduledTime!)}. Up and down arrows move it by a place, left and right by a day. Press Space to drop, Escape to cancel.`,
      );
    }
    if (!isPickedUp) return;
    if (event.key === 'Escape' || event.key === 'Tab') {
      setPickedUp(null);
      return announce(`Cancelled. The post stays at ${timeOf(pickedUp.post.scheduledTime!)}.`);
    }
    const from = places.findIndex(({ key }) => key === (target?.key ?? post.postGroupId));
    const index = placeByKey(places, from, event.key);
    const place = index === null ? undefined : places[index];
    if (!place) return;
    event.preventDefault();
    setPickedUp({ ...pickedUp, key: place.key });
    const other = place.post && place.post.postGroupId !== post.postGroupId ? place.post : null;
    const isLater = places.indexOf(place) > places.findIndex(({ key }) => key === post.postGroupId);
    const meaning = other
      ? `${isLater ? 'after' : 'before'} ${wordsOf(other)}`
      : place.post
        ? 'its own place'
        : 'free slot';
    announce(`${timeOf(place.at)}, ${meaning}.`);
  }

  /** What dropping now would change. */
  const preview = pickedUp && target ? changesFor(pickedUp.post, target, places) : none;
  return { put, refuse, onKeyDown, announcement, preview, pickedUpId: pickedUp?.post.postGroupId ?? null };
}

export type Reorder = ReturnType<typeof useReorder>;
