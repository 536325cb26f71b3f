import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { timeOf } from '../../../lib/posts/post-summary.ts';
import { type DateKey, formatDateKey, formatTime, wallTime, zoneNameAt } from '../../../lib/time/time.ts';
import type { SlotsByDay, SlotTime } from '../adding/free-slots.ts';
import { useAddKeys } from '../adding/use-add-keys.ts';
import { useCalendar } from '../calendar-context.ts';
import { Place } from '../moving/place.tsx';
import { Entries } from './entries.tsx';
import { entriesOf } from './entries-of.ts';
import type { ByDay } from './group-by-day.ts';
import { clockHours, type HourCell, passingHours, timeInCell } from './hour-cells.ts';
import classes from './hours.module.css';
import { More } from './month.tsx';
import { NowLine } from './now-line.tsx';
import { hourColumns } from './skeleton.tsx';

/** One day or one week, hour by hour. */
export function HoursView({ days, byDay }: { days: readonly DateKey[]; byDay: ByDay }) {
  const { preferences, today, search, moves } = useCalendar();
  const { zone } = preferences;
  const isDay = days.length === 1;
  const columns = useMemo(
    () => days.map((day) => (isDay ? passingHours(day, zone) : clockHours(day, zone))),
    [days, isDay, zone],
  );
  const frame = useRef<HTMLDivElement>(null);
  useAddKeys(frame, days.length);
  // Start in the morning, or today an hour before now. In a week, the mornings of other days stay visible if they can.
  const hasToday = days.includes(today);
  const firstDay = days[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: other days start there again, but not when a post is picked up.
  useLayoutEffect(() => {
    // The view follows a post that is moved by keyboard, and shows its tile.
    if (moves.pickedUpId) return;
    const { hour } = wallTime(new Date(), zone);
    const beforeNow = Math.max(0, hour - 1);
    const start = !hasToday ? 7 : isDay ? beforeNow : Math.min(7, beforeNow);
    const rowOf = (hour: number) => frame.current?.querySelector(`[data-hour="${hour}"]`);
    rowOf(start)?.scrollIntoView({ block: 'start' });
    if (hasToday) rowOf(hour)?.scrollIntoView({ block: 'nearest' });
    window.scrollTo(0, 0);
  }, [firstDay, hasToday, isDay, zone]);
  // On a phone, only some days of a week fit.
  const isPhone = useMediaQuery('(width < 48em)', false, { getInitialValueInEffect: false });
  const day = hasToday ? today : search.date;
  useLayoutEffect(() => {
    const head = day && frame.current?.querySelector(`[data-day="${day}"]`);
    const corner = frame.current?.querySelector('[data-corner]');
    if (!isPhone || !head || !corner) return;
    frame.current?.scrollBy(head.getBoundingClientRect().left - corner.getBoundingClientRect().right - 1, 0);
  }, [day, isPhone]);
  const rows = columns[0]!.map((_, row) => columns.map((column) => column[row]!));
  return (
    <section
      ref={frame}
      className={classes.frame}
      aria-label="Hours"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access.
      tabIndex={0}
      // Otherwise the router scrolls the next days to where these are.
      data-scroll-restoration-id={`hours-${days.length}-${firstDay}`}
    >
      <div
        className={classes.grid}
        data-headless={isDay || undefined}
        style={{ gridTemplateColumns: hourColumns(days.length) }}
      >
        {!isDay && <div className={classes.corner} data-corner />}
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
    <div className={classes.dayHead} data-day={day} data-today={day === today || undefined}>
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
  const { preferences, slots } = useCalendar();
  const first = cells.find(({ start }) => start !== null)?.start;
  // For a repeated hour, the zone's name distinguishes the two.
  const isTwice = isDay && first && isRepeated(first, preferences.zone);
  const label = first ? `${formatTime(first, preferences)}${isTwice ? ` ${zoneNameAt(first, preferences)}` : ''}` : '';
  return (
    <>
      <div className={classes.hour} data-hour={first ? wallTime(first, preferences.zone).hour : hour}>
        {label}
      </div>
      {cells.map((cell, column) => (
        <HourPlace
          key={cell.key}
          cell={cell}
          index={hour * cells.length + column}
          label={label}
          posts={postsIn(cell, byDay)}
          slots={slotsIn(cell, slots)}
          maxTiles={isDay ? 12 : 6}
          isDay={isDay}
        />
      ))}
    </>
  );
}

function HourPlace({
  cell,
  index,
  label,
  posts,
  slots,
  maxTiles,
  isDay,
}: {
  cell: HourCell;
  index: number;
  label: string;
  posts: readonly PostSummary[];
  slots: readonly SlotTime[];
  maxTiles: number;
  isDay: boolean;
}) {
  const { preferences, now, moves, isPrinting } = useCalendar();
  const max = isPrinting ? Number.POSITIVE_INFINITY : maxTiles;
  const { entries, hidden } = entriesOf(posts, slots, { max, pickedUpId: moves.pickedUpId });
  const dayName = formatDateKey(cell.date, preferences.locale, { weekday: 'long', day: 'numeric', month: 'long' });
  if (!cell.start) return <div className={classes.skipped} title="This hour is skipped: clocks move forward." />;
  return (
    <Place
      id={cell.key}
      label={`${dayName}, ${label}`}
      className={classes.place}
      isPast={cell.end <= now}
      newPostAt={cell.start > now ? cell.start : null}
      addName={isDay ? `New post at ${label}` : `New post on ${dayName}, ${label}`}
      index={index}
      dropTime={(post) => timeInCell(post.scheduledTime, cell)}
    >
      {cell.start <= now && now < cell.end && (
        <NowLine passed={(now.getTime() - cell.start.getTime()) / (cell.end.getTime() - cell.start.getTime())} />
      )}
      <Entries entries={entries} />
      {hidden > 0 && <More day={cell.date} count={hidden} view={isDay ? 'list' : 'day'} />}
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

const slotsIn = ({ date, start, end }: HourCell, slots: SlotsByDay): readonly SlotTime[] =>
  slots.get(date)?.filter(({ at }) => start && at >= start && at < end) ?? [];

/** Whether the clock shows this hour twice. */
function isRepeated(at: Date, zone: string): boolean {
  const { hour } = wallTime(at, zone);
  return [-1, 1].some((step) => wallTime(at.getTime() + step * 3_600_000, zone).hour === hour);
}
