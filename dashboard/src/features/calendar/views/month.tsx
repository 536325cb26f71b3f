import { useLayoutEffect, useRef } from 'react';
import { LightLink } from '../../../components/light-link.tsx';
import type { PostSummary } from '../../../lib/posts/post-summary.ts';
import { timeOnDay } from '../../../lib/time/new-post-time.ts';
import { type DateKey, formatDateKey, moveToDate } from '../../../lib/time/time.ts';
import { useAddKeys } from '../adding/use-add-keys.ts';
import { useCalendar } from '../calendar-context.ts';
import { calendarHref, type View } from '../calendar-range.ts';
import { Place } from '../moving/place.tsx';
import { Entries } from './entries.tsx';
import { entriesOf } from './entries-of.ts';
import type { ByDay } from './group-by-day.ts';
import classes from './month.module.css';

const maxTiles = 3;

export function MonthView({ days, month, byDay }: { days: readonly DateKey[]; month: string; byDay: ByDay }) {
  const { preferences, today } = useCalendar();
  const grid = useRef<HTMLDivElement>(null);
  useAddKeys(grid, 7);
  // Start at the current week.
  const isCurrent = today.startsWith(month);
  useLayoutEffect(() => {
    if (isCurrent)
      grid.current?.querySelector('[aria-current="date"]')?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <div ref={grid} className={classes.month}>
      {days.slice(0, 7).map((day) => (
        <div key={day} className={classes.weekday} aria-hidden>
          {formatDateKey(day, preferences.locale, { weekday: 'short' })}
        </div>
      ))}
      {days.map((day, index) => (
        <Day key={day} day={day} index={index} posts={byDay.get(day) ?? none} isOutside={!day.startsWith(month)} />
      ))}
    </div>
  );
}

const none: readonly never[] = [];

function Day({
  day,
  index,
  posts,
  isOutside,
}: {
  day: DateKey;
  index: number;
  posts: readonly PostSummary[];
  isOutside: boolean;
}) {
  const { preferences, now, today, moves, search, slots, isPrinting } = useCalendar();
  const { zone, locale } = preferences;
  const max = isPrinting ? Number.POSITIVE_INFINITY : maxTiles;
  const { entries, hidden } = entriesOf(posts, slots.get(day) ?? none, { max, pickedUpId: moves.pickedUpId });
  const name = formatDateKey(day, locale, { weekday: 'long', day: 'numeric', month: 'long' });
  return (
    <Place
      id={day}
      label={name}
      className={classes.day}
      isOutside={isOutside}
      isPast={day < today}
      newPostAt={day < today ? null : timeOnDay(day, zone, now)}
      addName={`New post on ${name}`}
      index={index}
      // A draft without a time gets that of a new post.
      dropTime={(post) => (post.scheduledTime ? moveToDate(post.scheduledTime, day, zone) : timeOnDay(day, zone, now))}
    >
      <LightLink
        href={calendarHref(search, 'day', day)}
        className={classes.number}
        data-today={day === today || undefined}
        aria-current={day === today ? 'date' : undefined}
        aria-label={name}
      >
        {Number(day.slice(8))}
      </LightLink>
      <Entries entries={entries} />
      {hidden > 0 && <More day={day} count={hidden} />}
    </Place>
  );
}

export function More({ day, count, view = 'day' }: { day: DateKey; count: number; view?: View }) {
  const { search } = useCalendar();
  return (
    <LightLink href={calendarHref(search, view, day)} className={classes.more}>
      + {count}
      <span className={classes.moreWord}> more</span>
    </LightLink>
  );
}
