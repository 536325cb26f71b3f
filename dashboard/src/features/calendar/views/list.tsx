import { Text } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { NetworkIcons } from '../../../components/channels/network-icons.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { firstWords, type PostSummary, shownStatus, timeOf } from '../../../lib/post-summary.ts';
import { type DateKey, formatDateKey, formatTime } from '../../../lib/time/time.ts';
import { useCalendar } from '../calendar-context.ts';
import type { ByDay } from './group-by-day.ts';
import classes from './list.module.css';

type Line = { key: string; day: DateKey; post: PostSummary | null };

/** The month as one virtualized list, day by day. */
export function ListView({ days, date, byDay }: { days: readonly DateKey[]; date: DateKey; byDay: ByDay }) {
  const lines = useMemo(() => days.flatMap((day) => linesOf(day, byDay.get(day) ?? [])), [days, byDay]);
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]!.post ? 60 : 44),
    overscan: 10,
    scrollMargin: top,
    getItemKey: (index) => lines[index]!.key,
  });
  // Scroll to the day in the address.
  const start = useRef(date);
  useLayoutEffect(() => {
    const index = lines.findIndex(({ day }) => day >= start.current);
    if (index > 0 && top > 0) virtualizer.scrollToIndex(index, { align: 'start' });
    start.current = '9999-12-31';
  }, [lines, top, virtualizer]);
  if (lines.length === 0) {
    return (
      <EmptyState
        icon={IconCalendar}
        title="No posts this month"
        action={<ButtonLink to="/compose">Write a post</ButtonLink>}
      >
        Posts scheduled or published this month appear here.
      </EmptyState>
    );
  }
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

const linesOf = (day: DateKey, posts: readonly PostSummary[]): Line[] =>
  posts.length === 0
    ? []
    : [{ key: day, day, post: null }, ...posts.map((post) => ({ key: post.postGroupId, day, post }))];

function LineOf({ line: { day, post } }: { line: Line }) {
  const { preferences, today } = useCalendar();
  if (!post) {
    const name = formatDateKey(day, preferences.locale, { weekday: 'long', day: 'numeric', month: 'long' });
    return (
      <Text component="h3" fw={600} size="sm" className={classes.day}>
        {day === today ? `Today, ${name}` : name}
      </Text>
    );
  }
  const time = timeOf(post);
  return (
    <Link to="/posts/$postGroupId" params={{ postGroupId: post.postGroupId }} className={classes.post}>
      <span className={classes.time}>{time && formatTime(time, preferences)}</span>
      <PostThumbnail thumbnail={post.thumbnail} size={36} />
      <span className={classes.words} dir="auto">
        {firstWords(post.content, 140)}
      </span>
      <span className={classes.facts}>
        <NetworkIcons platforms={post.platforms.map(({ platform }) => platform)} />
        <StatusBadge status={shownStatus(post)} />
      </span>
    </Link>
  );
}
