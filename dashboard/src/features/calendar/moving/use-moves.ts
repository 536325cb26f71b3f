import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { notifyError, notifyWithUndo } from '../../../components/notify.tsx';
import { movePosts } from '../../../lib/posts/move-posts.ts';
import { firstWords, isMovable, type PostSummary } from '../../../lib/posts/post-summary.ts';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { type DateKey, dateKeyOf, formatDateTime, type TimePreferences } from '../../../lib/time/time.ts';
import type { View } from '../calendar-range.ts';
import { keysOf, movedByKey } from './keys.ts';

export interface Moves {
  /** Posts that are picked up or being stored, at their new times. */
  moved: ReadonlyMap<string, PostSummary>;
  /** The post that the keyboard has picked up. */
  pickedUpId: string | null;
  /** Read out by screen readers. */
  announcement: string;
  move(post: PostSummary, to: Date): void;
  /** Schedules a draft of the tray. */
  schedule(draft: PostSummary, to: Date): void;
  /** Takes a draft of the tray to the calendar with the keyboard. */
  pickUpDraft(draft: PostSummary, at: Date): void;
  refuse(post: PostSummary, reason?: string): void;
  onKeyDown(event: KeyboardEvent, post: PostSummary): void;
}

interface PickedUp {
  post: PostSummary;
  at: Date;
  /** A draft of the tray, which is scheduled where it is dropped. */
  isDraft?: true;
}

/** Moves posts by mouse and keyboard, optimistically and with "Undo". */
export function useMoves(preferences: TimePreferences, view: View, onDate: (date: DateKey) => void): Moves {
  const client = useQueryClient();
  const [pending, setPending] = useState<ReadonlyMap<string, PostSummary>>(new Map());
  const [pickedUp, setPickedUp] = useState<PickedUp | null>(null);
  const [announcement, announce] = useState('');
  const latest = useRef({ pickedUp, preferences, view, onDate });
  latest.current = { pickedUp, preferences, view, onDate };

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
      if (to <= new Date()) return refusePast(announce, 'Couldn’t move the post');
      announce(`Moved to ${formatDateTime(to, latest.current.preferences)}.`);
      void store(post, to);
    },
    [store],
  );

  const schedule = useCallback(
    async (draft: PostSummary, to: Date) => {
      if (to <= new Date()) return refusePast(announce, 'Couldn’t schedule the draft');
      const { postGroupId, version } = draft;
      const words = firstWords(draft.content, 40);
      const at = to.toISOString();
      const scheduled = asScheduled(draft, at);
      setPending((map) => new Map(map).set(postGroupId, scheduled));
      const change = (call: Promise<unknown>) => storeStatus(client, postGroupId, call);
      const failure = await change(postsApi.scheduleDraft(postGroupId, at, version));
      setPending((map) => new Map([...map].filter(([id, shown]) => id !== postGroupId || shown !== scheduled)));
      if (failure) {
        announce(`Couldn’t schedule “${words}”. It stays a draft.`);
        return notifyError('Couldn’t schedule the draft', failure);
      }
      const time = formatDateTime(at, latest.current.preferences);
      announce(`Scheduled for ${time}.`);
      notifyWithUndo(`“${words}” scheduled for ${time}.`, async () => {
        const refusal = await change(postsApi.unschedulePost(postGroupId));
        if (refusal) notifyError('The post is still scheduled', refusal);
      });
    },
    [client],
  );

  const pickUpDraft = useCallback((post: PostSummary, at: Date) => {
    const { preferences: shown, view: current } = latest.current;
    setPickedUp({ post, at, isDraft: true });
    latest.current.onDate(dateKeyOf(at, shown.zone));
    announce(
      `Picked up ${firstWords(post.content, 40)}, ${formatDateTime(at, shown)}. ${keysOf(current)} Press Space to schedule it, Escape to cancel.`,
    );
  }, []);

  const refuse = useCallback((post: PostSummary, given?: string) => {
    const reason = given ?? whyNotMovable(post);
    announce(reason);
    notifyError(given ? 'This draft can’t be scheduled yet' : 'This post can’t be moved', new Error(reason));
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
            `Picked up ${firstWords(post.content, 40)}, ${time}. ${keysOf(latest.current.view)} Press Space to drop, Escape to cancel.`,
          );
        }
        setPickedUp(null);
        return current.isDraft ? void schedule(current.post, current.at) : move(current.post, current.at);
      }
      if (!isPickedUp) return;
      if (event.key === 'Escape' || event.key === 'Tab') {
        setPickedUp(null);
        if (current.isDraft) return announce('Cancelled. The post stays a draft.');
        latest.current.onDate(dateKeyOf(current.post.scheduledTime!, shown.zone));
        return announce(`Cancelled. The post stays at ${formatDateTime(current.post.scheduledTime!, shown)}.`);
      }
      const at = movedByKey(current.at, event, latest.current.view, shown.zone);
      if (!at) return;
      event.preventDefault();
      setPickedUp({ ...current, at });
      latest.current.onDate(dateKeyOf(at, shown.zone));
      announce(formatDateTime(at, shown));
    },
    [move, schedule, refuse],
  );

  const moved = useMemo(() => {
    if (!pickedUp) return pending;
    const { post, isDraft } = pickedUp;
    const at = pickedUp.at.toISOString();
    return new Map(pending).set(post.postGroupId, isDraft ? asScheduled(post, at) : { ...post, scheduledTime: at });
  }, [pending, pickedUp]);
  return {
    moved,
    pickedUpId: pickedUp?.post.postGroupId ?? null,
    announcement,
    move,
    schedule,
    pickUpDraft,
    refuse,
    onKeyDown,
  };
}

function refusePast(announce: (words: string) => void, title: string) {
  announce(`${title}. That time is in the past.`);
  notifyError(title, new Error('That time is in the past.'));
}

const asScheduled = (draft: PostSummary, scheduledTime: string): PostSummary => ({
  ...draft,
  status: 'scheduled',
  scheduledTime,
  platforms: draft.platforms.map((target) => ({ ...target, status: 'scheduled' })),
});

/** Returns the error of the call, or null, once the lists show the result. */
async function storeStatus(client: QueryClient, postGroupId: string, call: Promise<unknown>): Promise<unknown> {
  const failure = await call.then(
    () => null,
    (error: unknown) => error,
  );
  await client.invalidateQueries({ queryKey: keys.posts });
  void client.invalidateQueries({ queryKey: keys.post(postGroupId) });
  return failure;
}

export function whyNotMovable({ status }: Pick<PostSummary, 'status'>): string {
  if (status === 'published') return 'Published posts can’t be moved.';
  if (status === 'scheduled') return 'This post is being published.';
  return 'This post was already sent. Open it for details.';
}
