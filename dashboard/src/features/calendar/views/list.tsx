import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCalendar } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { BrandName } from '../../../components/brands/brand-name.tsx';
import { NetworkIcons } from '../../../components/channels/network-icons.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PostLink } from '../../../components/post-link.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { firstWords, type PostSummary, shownStatus, timeOf } from '../../../lib/posts/post-summary.ts';
import { type DateKey, formatDateKey, formatTime } from '../../../lib/time/time.ts';
import type { SlotTime } from '../adding/free-slots.ts';
import { SlotGhost } from '../adding/slot-ghost.tsx';
import { useCalendar } from '../calendar-context.ts';
import { type Entry, entriesOf } from './entries-of.ts';
import type { ByDay } from './group-by-day.ts';
import classes from './list.module.css';

/** A post, a slot, or the heading of a day. */
type Line = { key: string; day: DateKey; entry: Entry | null };

const NoPosts = () => (
  <EmptyState
    icon={IconCalendar}
    title="No posts this month"
    action={<ButtonLink to="/compose">Write a post</ButtonLink>}
  >
    Posts scheduled or published this month appear here.
  </EmptyState>
);

const NoMatch = ({ isForDrafts }: { isForDrafts: boolean }) => (
  <EmptyState icon={IconCalendar} title="No matching posts this month">
    Try another month or other filters.{isForDrafts && ' Drafts without a date are listed under Posts.'}
  </EmptyState>
);

/** The month as one virtualized list, day by day. */
export default function ListView({ days, date, byDay }: { days: readonly DateKey[]; date: DateKey; byDay: ByDay }) {
  const { slots, stickyHeight, isPrinting, search } = useCalendar();
  const isFiltered = Boolean(search.channel || search.status || search.label);
  const lines = useMemo(
    () => days.flatMap((day) => linesOf(day, byDay.get(day) ?? [], slots.get(day) ?? [])),
    [days, byDay, slots],
  );
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]!.entry ? 60 : 44),
    overscan: 10,
    scrollMargin: top,
    scrollPaddingStart: stickyHeight,
    getItemKey: (index) => lines[index]!.key,
  });
  // Scroll to the day in the address.
  const start = useRef(date);
  useLayoutEffect(() => {
    const index = lines.findIndex(({ day }) => day >= start.current);
    if (index > 0 && top > 0) virtualizer.scrollToIndex(index, { align: 'start' });
    start.current = '9999-12-31';
  }, [lines, top, virtualizer]);
  if (lines.length === 0) return isFiltered ? <NoMatch isForDrafts={search.status === 'draft'} /> : <NoPosts />;
  if (isPrinting) return lines.map((line) => <LineOf key={line.key} line={line} />);
  return (
    <div ref={list} className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start: offset, key }) => (
        <div
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className={classes.line}
          style={{ transform: `translateY(${offset - top}px)` }}
        >
          <LineOf line={lines[index]!} />
        </div>
      ))}
    </div>
  );
}

function linesOf(day: DateKey, posts: readonly PostSummary[], slots: readonly SlotTime[]): Line[] {
  const { entries } = entriesOf(posts, slots, { max: Number.POSITIVE_INFINITY, pickedUpId: null });
  if (entries.length === 0) return [];
  return [{ key: day, day, entry: null }, ...entries.map((entry) => ({ key: entry.key, day, entry }))];
}

function LineOf({ line: { day, entry } }: { line: Line }) {
  const { preferences, today, brandOf, strandedNote } = useCalendar();
  if (!entry) {
    const name = formatDateKey(day, preferences.locale, { weekday: 'long', day: 'numeric', month: 'long' });
    return (
      <Text component="h3" fw={600} size="sm" className={classes.day}>
        {day === today ? `Today, ${name}` : name}
      </Text>
    );
  }
  if ('slot' in entry) {
    return (
      <div className={classes.slot}>
        <SlotGhost slot={entry.slot} />
      </div>
    );
  }
  const { post } = entry;
  const time = timeOf(post);
  const brand = brandOf(post);
  const stranded = strandedNote(post);
  return (
    <PostLink postGroupId={post.postGroupId} brand={brand} className={classes.post}>
      <span className={classes.time}>{time && formatTime(time, preferences)}</span>
      <PostThumbnail thumbnail={post.thumbnail} size={36} />
      <span className={classes.words} dir="auto">
        {firstWords(post.content, 140)}
      </span>
      <span className={classes.facts}>
        {brand && <BrandName brand={brand} />}
        <NetworkIcons platforms={post.platforms.map(({ platform }) => platform)} />
        {stranded && (
          <Text component="span" size="xs">
            <IconAlertTriangle size={13} color="var(--mantine-color-orange-text)" aria-hidden /> {stranded}
          </Text>
        )}
        <StatusBadge status={shownStatus(post)} />
      </span>
    </PostLink>
  );
}
