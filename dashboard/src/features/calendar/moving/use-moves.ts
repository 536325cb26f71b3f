import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { notifyError, notifyWithUndo } from '../../../components/notify.tsx';
import { movePosts } from '../../../lib/move-posts.ts';
import { firstWords, isMovable, type PostSummary } from '../../../lib/post-summary.ts';
import {
  type DateKey,
  dateKeyOf,
  formatDateTime,
  moveDays,
  moveHours,
  type TimePreferences,
} from '../../../lib/time/time.ts';

export interface Moves {
  /** Posts that are picked up or being stored, at their new times. */
  moved: ReadonlyMap<string, PostSummary>;
  /** The post that the keyboard has picked up. */
  pickedUpId: string | null;
  /** Read out by screen readers. */
  announcement: string;
  move(post: PostSummary, to: Date): void;
  refuse(post: PostSummary): void;
  onKeyDown(event: KeyboardEvent, post: PostSummary): void;
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Moves posts by mouse and keyboard, optimistically and with "Undo". */
export function useMoves(preferences: TimePreferences, onDate: (date: DateKey) => void): Moves {
  const client = useQueryClient();
  const [pending, setPending] = useState<ReadonlyMap<string, PostSummary>>(new Map());
  const [pickedUp, setPickedUp] = useState<{ post: PostSummary; at: Date } | null>(null);
  const [announcement, announce] = useState('');
  const latest = useRef({ pickedUp, preferences, onDate });
  latest.current = { pickedUp, preferences, onDate };

  const store = useCallback(
    async (post: PostSummary, to: Date, isUndo = false) => {
      const from = post.scheduledTime!;
      const at = to.toISOString();
      const { postGroupId } = post;
      const words = firstWords(post.content, 40);
      const moved = { ...post, scheduledTime: at };
      setPending((map) => new Map(map).set(postGroupId, moved));
      const failure = await movePosts(client, [{ postGroupId, from, to: at }]);
      setPending((map) => new Map([...map].filter(([id, shown]) => id !== postGroupId || shown !== moved)));
      if (failure) {
        announce(`Couldn’t move “${words}”. It stays at ${formatDateTime(from, latest.current.preferences)}.`);
        notifyError('Couldn’t move the post', failure);
      } else if (!isUndo) {
        const time = formatDateTime(at, latest.current.preferences);
        notifyWithUndo(`“${words}” moved to ${time}.`, () => void store(moved, new Date(from), true));
      }
    },
    [client],
  );

  const move = useCallback(
    (post: PostSummary, to: Date) => {
      if (to.toISOString() === post.scheduledTime) return;
      if (to <= new Date()) {
        announce('Couldn’t move the post. That time is in the past.');
        notifyError('Couldn’t move the post', new Error('That time is in the past.'));
        return;
      }
      announce(`Moved to ${formatDateTime(to, latest.current.preferences)}.`);
      void store(post, to);
    },
    [store],
  );

  const refuse = useCallback((post: PostSummary) => {
    const reason = whyNotMovable(post);
    announce(reason);
    notifyError('This post can’t be moved', new Error(reason));
  }, []);

  const onKeyDown = useCallback(
    (event: KeyboardEvent, post: PostSummary) => {
      const { pickedUp: current, preferences: shown } = latest.current;
      const isPickedUp = current?.post.postGroupId === post.postGroupId;
      if (event.key === ' ') {
        event.preventDefault();
        if (!isPickedUp && !isMovable(post)) return refuse(post);
        if (!isPickedUp) {
          setPickedUp({ post, at: new Date(post.scheduledTime!) });
          const time = formatDateTime(post.scheduledTime!, shown);
          return announce(
            `Picked up ${firstWords(post.content, 40)}, ${time}. Arrow keys move it by a day, with Alt by an hour. Press Space to drop, Escape to cancel.`,
          );
        }
        setPickedUp(null);
        return move(current.post, current.at);
      }
      if (!isPickedUp) return;
      if (event.key === 'Escape' || event.key === 'Tab') {
        setPickedUp(null);
        latest.current.onDate(dateKeyOf(current.post.scheduledTime!, shown.zone));
        return announce(`Cancelled. The post stays at ${formatDateTime(current.post.scheduledTime!, shown)}.`);
      }
      const direction = steps[event.key];
      if (!direction) return;
      event.preventDefault();
      const at = event.altKey ? moveHours(current.at, direction) : moveDays(current.at, direction, shown.zone);
      setPickedUp({ ...current, at });
      latest.current.onDate(dateKeyOf(at, shown.zone));
      announce(formatDateTime(at, shown));
    },
    [move, refuse],
  );

  const moved = useMemo(() => {
    if (!pickedUp) return pending;
    return new Map(pending).set(pickedUp.post.postGroupId, {
      ...pickedUp.post,
      scheduledTime: pickedUp.at.toISOString(),
    });
  }, [pending, pickedUp]);
  return { moved, pickedUpId: pickedUp?.post.postGroupId ?? null, announcement, move, refuse, onKeyDown };
}

export function whyNotMovable({ status }: Pick<PostSummary, 'status'>): string {
  if (status === 'published') return 'Published posts can’t be moved.';
  if (status === 'scheduled') return 'This post is being published.';
  return 'This post was already sent. Open it for details.';
}
