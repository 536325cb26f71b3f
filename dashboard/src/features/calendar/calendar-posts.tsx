import { Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { type DateKey, dateKeyOf } from '../../lib/time/time.ts';
import { CalendarContext } from './calendar-context.ts';
import { type CalendarSearch, daysOf, rangeOf, type View } from './calendar-range.ts';
import { CalendarDrag } from './moving/drag.tsx';
import { useMoves } from './moving/use-moves.ts';
import { useCalendarPosts } from './use-calendar-posts.ts';
import { HoursView } from './views/hours.tsx';
import { ListView } from './views/list.tsx';
import { MonthView } from './views/month.tsx';
import { CalendarSkeleton } from './views/skeleton.tsx';

/** The posts of a view, separate from the toolbar so that it doesn't rerender when posts load or move. */
export function CalendarPosts({
  view,
  date,
  search,
  onSearch,
}: {
  view: View;
  date: DateKey;
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
}) {
  const preferences = useTimePreferences();
  const { zone, weekStart } = preferences;
  const today = dateKeyOf(new Date(), zone);
  const days = useMemo(() => daysOf(view, date, weekStart), [view, date, weekStart]);
  const range = useMemo(() => rangeOf(days, zone), [days, zone]);
  // The view follows a post that is moved by keyboard.
  const moves = useMoves(preferences, (to) => {
    if (!days.includes(to)) onSearch({ ...search, date: to });
  });
  const { byDay, data, error, isPending, refetch } = useCalendarPosts(range, search, zone, moves.moved);
  // Without data, draw nothing: empty days would look as if nothing is scheduled.
  const shown = data && view;
  const isEmpty =
    !isPending && !error && byDay.size === 0 && days.at(-1)! >= today && !search.channel && !search.status;
  const context = useMemo(() => ({ preferences, moves, today, search }), [preferences, moves, today, search]);
  return (
    <CalendarContext value={context}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isEmpty && view !== 'list' && (
        <Text size="sm" c="dimmed" mb="sm">
          Nothing scheduled yet. Select {view === 'month' ? 'a day' : 'an hour'} to create a post.
        </Text>
      )}
      <CalendarDrag>
        {isPending ? <CalendarSkeleton view={view} days={days} /> : null}
        {shown === 'month' && <MonthView days={days} month={date.slice(0, 7)} byDay={byDay} />}
        {(shown === 'week' || shown === 'day') && <HoursView key={view} days={days} byDay={byDay} />}
        {shown === 'list' && <ListView days={days} date={date} byDay={byDay} />}
      </CalendarDrag>
      <VisuallyHidden role="status" aria-live="assertive">
        {moves.announcement}
      </VisuallyHidden>
      <VisuallyHidden id="calendar-keys">Press Space to move with the arrow keys, Enter to open.</VisuallyHidden>
    </CalendarContext>
  );
}
