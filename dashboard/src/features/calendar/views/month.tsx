import { LightLink } from '../../../components/light-link.tsx';
import type { PostSummary } from '../../../lib/post-summary.ts';
import { timeOnDay } from '../../../lib/time/new-post-time.ts';
import { type DateKey, formatDateKey, moveToDate } from '../../../lib/time/time.ts';
import { useCalendar } from '../calendar-context.ts';
import { calendarHref, type View } from '../calendar-range.ts';
import { Place } from '../moving/place.tsx';
import { PostTile } from '../moving/post-tile.tsx';
import type { ByDay } from './group-by-day.ts';
import classes from './month.module.css';

const maxTiles = 3;

export function MonthView({ days, month, byDay }: { days: readonly DateKey[]; month: string; byDay: ByDay }) {
  const { preferences } = useCalendar();
  return (
    <div className={classes.month}>
      {days.slice(0, 7).map((day) => (
        <div key={day} className={classes.weekday} aria-hidden>
          {formatDateKey(day, preferences.locale, { weekday: 'short' })}
        </div>
      ))}
      {days.map((day) => (
        <Day key={day} day={day} posts={byDay.get(day) ?? none} isOutside={!day.startsWith(month)} />
      ))}
    </div>
  );
}

const none: readonly PostSummary[] = [];

function Day({ day, posts, isOutside }: { day: DateKey; posts: readonly PostSummary[]; isOutside: boolean }) {
  const { preferences, today, moves, search } = useCalendar();
  const { zone, locale } = preferences;
  // A post that is picked up by keyboard is always visible.
  const pickedUp = posts.find(({ postGroupId }) => postGroupId === moves.pickedUpId);
  const shown = posts.length > maxTiles ? posts.slice(0, maxTiles - 1) : posts;
  const visible = pickedUp && !shown.includes(pickedUp) ? [...shown, pickedUp] : shown;
  const hidden = posts.length - visible.length;
  const name = formatDateKey(day, locale, { weekday: 'long', day: 'numeric', month: 'long' });
  const newPostAt = () => timeOnDay(day, zone, new Date());
  return (
    <Place
      id={day}
      label={name}
      className={classes.day}
      isOutside={isOutside}
      isPast={day < today}
      isOpen={day > today || (day === today && newPostAt() !== null)}
      newPostAt={newPostAt}
      dropTime={(post) => (post.scheduledTime ? moveToDate(post.scheduledTime, day, zone) : null)}
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
      {visible.map((post) => (
        <PostTile key={post.postGroupId} post={post} />
      ))}
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
