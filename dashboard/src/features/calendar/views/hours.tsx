import { ActionIcon } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { PostSummary } from '../../../lib/post-summary.ts';
import { timeOf } from '../../../lib/post-summary.ts';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { type DateKey, formatDateKey, formatTime, wallTime, zoneNameAt } from '../../../lib/time/time.ts';
import { useCalendar } from '../calendar-context.ts';
import { Place } from '../moving/place.tsx';
import { PostTile } from '../moving/post-tile.tsx';
import type { ByDay } from './group-by-day.ts';
import { clockHours, type HourCell, passingHours, timeInCell } from './hour-cells.ts';
import classes from './hours.module.css';
import { More } from './month.tsx';
import { hourColumns } from './skeleton.tsx';

/** One day or one week, hour by hour. */
export function HoursView({ days, byDay }: { days: readonly DateKey[]; byDay: ByDay }) {
  const { preferences, today } = useCalendar();
  const { zone } = preferences;
  const isDay = days.length === 1;
  const columns = useMemo(
    () => days.map((day) => (isDay ? passingHours(day, zone) : clockHours(day, zone))),
    [days, isDay, zone],
  );
  const frame = useRef<HTMLDivElement>(null);
  // Start in the morning, or for today an hour before now.
  const start = useRef(isDay && days[0] === today ? Math.max(0, wallTime(new Date(), zone).hour - 1) : 7);
  useLayoutEffect(() => {
    frame.current?.querySelector(`[data-hour="${start.current}"]`)?.scrollIntoView({ block: 'start' });
    window.scrollTo(0, 0);
  }, []);
  const rows = columns[0]!.map((_, row) => columns.map((column) => column[row]!));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access.
    <section ref={frame} className={classes.frame} aria-label="Hours" tabIndex={0}>
      <div
        className={classes.grid}
        data-headless={isDay || undefined}
        style={{ gridTemplateColumns: hourColumns(days.length) }}
      >
        {!isDay && <div className={classes.corner} />}
        {!isDay && days.map((day) => <DayHead key={day} day={day} />)}
        {rows.map((cells, row) => (
          <Row key={cells[0]!.key} hour={row} cells={cells} byDay={byDay} isDay={isDay} />
        ))}
      </div>
    </section>
  );
}

function DayHead({ day }: { day: DateKey }) {
  const { preferences, today } = useCalendar();
  return (
    <div className={classes.dayHead} data-today={day === today || undefined}>
      <Link
        from="/calendar"
        to="."
        search={(search) => ({ ...search, view: 'day' as const, date: day })}
        className={classes.dayLink}
      >
        {formatDateKey(day, preferences.locale, { weekday: 'short', day: 'numeric' })}
      </Link>
    </div>
  );
}

function Row({
  hour,
  cells,
  byDay,
  isDay,
}: {
  hour: number;
  cells: readonly HourCell[];
  byDay: ByDay;
  isDay: boolean;
}) {
  const { preferences } = useCalendar();
  const first = cells.find(({ start }) => start !== null)?.start;
  // For a repeated hour, the zone's name distinguishes the two.
  const isTwice = isDay && first && isRepeated(first, preferences.zone);
  const label = first ? `${formatTime(first, preferences)}${isTwice ? ` ${zoneNameAt(first, preferences)}` : ''}` : '';
  return (
    <>
      <div className={classes.hour} data-hour={first ? wallTime(first, preferences.zone).hour : hour}>
        {label}
      </div>
      {cells.map((cell) => (
        <HourPlace
          key={cell.key}
          cell={cell}
          label={label}
          posts={postsIn(cell, byDay)}
          maxTiles={isDay ? 12 : 3}
          isDay={isDay}
        />
      ))}
    </>
  );
}

function HourPlace({
  cell,
  label,
  posts,
  maxTiles,
  isDay,
}: {
  cell: HourCell;
  label: string;
  posts: readonly PostSummary[];
  maxTiles: number;
  isDay: boolean;
}) {
  const { preferences, moves } = useCalendar();
  const pickedUp = posts.find(({ postGroupId }) => postGroupId === moves.pickedUpId);
  const shown = posts.length > maxTiles ? posts.slice(0, maxTiles - 1) : posts;
  const visible = pickedUp && !shown.includes(pickedUp) ? [...shown, pickedUp] : shown;
  const hidden = posts.length - visible.length;
  const now = new Date();
  const newPostAt = cell.start && cell.start > now ? cell.start : null;
  const dayName = formatDateKey(cell.date, preferences.locale, { weekday: 'long', day: 'numeric', month: 'long' });
  if (!cell.start) return <div className={classes.skipped} title="This hour is skipped: clocks move forward." />;
  return (
    <Place
      id={cell.key}
      label={`${dayName}, ${label}`}
      className={classes.place}
      isPast={cell.end <= now}
      isOpen={newPostAt !== null}
      newPostAt={() => newPostAt}
      dropTime={(post) => timeInCell(post.scheduledTime, cell)}
    >
      {visible.map((post) => (
        <PostTile key={post.postGroupId} post={post} />
      ))}
      {hidden > 0 && <More day={cell.date} count={hidden} view={isDay ? 'list' : 'day'} />}
      {isDay && newPostAt && (
        <ActionIcon
          renderRoot={(props) => <Link to="/compose" search={dateAndTimeOf(newPostAt, preferences.zone)} {...props} />}
          className={classes.add}
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`New post at ${label}`}
        >
          <IconPlus size={14} aria-hidden />
        </ActionIcon>
      )}
    </Place>
  );
}

function postsIn({ date, start, end }: HourCell, byDay: ByDay): readonly PostSummary[] {
  if (!start) return [];
  const [from, to] = [start.toISOString(), end.toISOString()];
  return (byDay.get(date) ?? []).filter((post) => {
    const time = timeOf(post)!;
    return time >= from && time < to;
  });
}

/** Whether the clock shows this hour twice. */
function isRepeated(at: Date, zone: string): boolean {
  const { hour } = wallTime(at, zone);
  return [-1, 1].some((step) => wallTime(at.getTime() + step * 3_600_000, zone).hour === hour);
}
