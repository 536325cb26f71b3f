import { useDraggable } from '@dnd-kit/core';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useMemo, useRef } from 'react';
import { BrandName } from '../../../components/brands/brand-name.tsx';
import { NetworkIcons } from '../../../components/channels/network-icons.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { LightLink } from '../../../components/light-link.tsx';
import { PostLink } from '../../../components/post-link.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { draftHref } from '../../../lib/brands/brand.ts';
import { firstWords } from '../../../lib/posts/post-summary.ts';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { timeOnDay } from '../../../lib/time/new-post-time.ts';
import { addDays, formatDateTime } from '../../../lib/time/time.ts';
import { draftsQuery } from '../../posts/list/queries.ts';
import { type PostRow, rowOfDraft } from '../../posts/list/rows.ts';
import { useCalendar } from '../calendar-context.ts';
import { channelsIn } from '../calendar-range.ts';
import type { Dragged } from '../moving/dragged.ts';
import { matches } from '../use-calendar-posts.ts';
import classes from './drafts-tray.module.css';
import { whyNotSchedulable } from './why-not-schedulable.ts';

/** More than one can look through beside a calendar. The page "Posts" has all. */
const maxDrafts = 100;

/** Drafts to put on the calendar, which schedules them, with the same filters. */
export default function DraftsTray({ className }: { className: string | undefined }) {
  const { moves, search } = useCalendar();
  const stored = useQuery({
    queryKey: [...keys.posts, 'tray'],
    queryFn: async ({ signal }) =>
      (
        await postsApi.listCompact(
          { status: 'draft', sortBy: 'createdAt', sortOrder: 'desc', limit: maxDrafts },
          signal,
        )
      ).posts,
  });
  const begun = useQuery(draftsQuery);
  const { channel, label } = search;
  const drafts = useMemo(() => {
    const all: PostRow[] = [...(begun.data ?? []).map(rowOfDraft), ...(stored.data ?? [])];
    return all.filter((post) => matches(post, { channels: channelsIn(channel), status: undefined, label }));
  }, [begun.data, stored.data, channel, label]);
  const heading = useId();
  // While a draft is on the calendar, the tray doesn't have it.
  const lastPickedUp = useRef<string>(null);
  const shown = drafts.filter(({ postGroupId }) => !moves.moved.has(postGroupId));
  return (
    <section className={`${classes.tray} ${className ?? ''}`} aria-labelledby={heading}>
      <Text id={heading} component="h2" fw={600} size="sm">
        Drafts
      </Text>
      <Text size="xs" c="dimmed" mb={6} id="draft-keys">
        Drag a draft onto the calendar to schedule it, or press Space.
      </Text>
      {stored.error && <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.isPending && [0, 1, 2].map((row) => <Skeleton key={row} height={56} mb={6} />)}
      {stored.data && drafts.length === 0 && (
        <Text size="sm" c="dimmed">
          No drafts{channel || label ? ' with these filters' : ' yet'}.
        </Text>
      )}
      <ul className={classes.list}>
        {shown.map((draft) => (
          <TrayItem key={draft.postGroupId} draft={draft} lastPickedUp={lastPickedUp} />
        ))}
      </ul>
    </section>
  );
}

function TrayItem({ draft, lastPickedUp }: { draft: PostRow; lastPickedUp: RefObject<string | null> }) {
  const { moves, preferences, brandOf } = useCalendar();
  const { postGroupId, draftId, scheduledTime } = draft;
  const refusal = whyNotSchedulable(draft);
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: `draft ${postGroupId}`,
    data: { post: draft, isDraft: true, refusal } satisfies Dragged,
  });
  const brand = brandOf(draft);
  const pickUp = usePickUp();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    if (refusal) return moves.refuse(draft, refusal);
    lastPickedUp.current = postGroupId;
    pickUp(draft);
  };
  const link = useRef<HTMLAnchorElement>(null);
  // Cancelled by keyboard: its tile, which had the focus, is gone from the calendar.
  useEffect(() => {
    if (lastPickedUp.current !== postGroupId) return;
    lastPickedUp.current = null;
    if (document.activeElement === document.body) link.current?.focus();
  }, [postGroupId, lastPickedUp]);
  const own = { ref: link, className: classes.link, draggable: false, onKeyDown, 'aria-describedby': 'draft-keys' };
  const content: ReactNode = (
    <>
      <PostThumbnail thumbnail={draft.thumbnail} size={36} />
      <span className={classes.about}>
        <span className={classes.words} dir="auto">
          {firstWords(draft.content, 80)}
        </span>{' '}
        {brand && (
          <span className={classes.note}>
            <BrandName brand={brand} />
          </span>
        )}
        {draft.platforms.length > 0 && (
          <NetworkIcons platforms={draft.platforms.map(({ platform }) => platform)} size={14} />
        )}
        {refusal && <span className={classes.note}>{refusal}</span>}
        {!refusal && scheduledTime && (
          <span className={classes.note}>Planned for {formatDateTime(scheduledTime, preferences)}</span>
        )}
      </span>
    </>
  );
  return (
    <li ref={setNodeRef} {...listeners} className={classes.item} data-dragging={(isDragging && !refusal) || undefined}>
      {draftId ? (
        <LightLink {...own} href={draftHref(draftId)}>
          {content}
        </LightLink>
      ) : (
        <PostLink {...own} postGroupId={postGroupId} brand={brand}>
          {content}
        </PostLink>
      )}
    </li>
  );
}

/** By keyboard, a draft starts on the first day in view that isn't over. */
function usePickUp() {
  const { moves, days, today, now, preferences } = useCalendar();
  return (draft: PostRow) => {
    const { zone } = preferences;
    const day = days.find((one) => timeOnDay(one, zone, now) !== null) ?? addDays(today, 1);
    moves.pickUpDraft(draft, timeOnDay(day, zone, now) ?? timeOnDay(addDays(today, 1), zone, now)!);
  };
}
