import { Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { useBrandOf, usePageBrand } from '../../lib/brands/use-brands.ts';
import { useStranded } from '../../lib/posts/use-stranded.ts';
import { usePreload } from '../../lib/preload.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { type DateKey, dateKeyOf } from '../../lib/time/time.ts';
import { useFreeSlots } from './adding/use-free-slots.ts';
import { CalendarContext } from './calendar-context.ts';
import classes from './calendar-posts.module.css';
import { type CalendarSearch, daysOf, isFiltered, rangeOf, type View } from './calendar-range.ts';
import { useDraftsTray } from './drafts/use-drafts-tray.ts';
import { CalendarDrag } from './moving/drag.tsx';
import { useMoves } from './moving/use-moves.ts';
import { useColouring } from './options/colours.ts';
import { usePrinting } from './options/use-printing.ts';
import { PostPreviews } from './preview/post-previews.tsx';
import { useCalendarPosts } from './use-calendar-posts.ts';
import { useNow } from './use-now.ts';
import { HoursView } from './views/hours.tsx';
import { MonthView } from './views/month.tsx';
import { CalendarSkeleton } from './views/skeleton.tsx';

const loadList = () => import('./views/list.tsx');
const ListView = lazy(loadList);
const DraftsTray = lazy(() => import('./drafts/drafts-tray.tsx'));

/** The posts of a view, separate from the toolbar so that it doesn't rerender when posts load or move. */
export function CalendarPosts({
  view,
  date,
  search,
  onSearch,
  stickyHeight,
}: {
  view: View;
  date: DateKey;
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
  stickyHeight: number;
}) {
  const preferences = useTimePreferences();
  const { zone, weekStart } = preferences;
  const now = useNow();
  const today = dateKeyOf(now, zone);
  const days = useMemo(() => daysOf(view, date, weekStart), [view, date, weekStart]);
  const range = useMemo(() => rangeOf(days, zone), [days, zone]);
  // The view follows a post that is moved by keyboard.
  const moves = useMoves(preferences, view, (to) => {
    if (!days.includes(to)) onSearch({ ...search, date: to });
  });
  const { posts, byDay, data, error, isPending, refetch } = useCalendarPosts(range, search, zone, moves.moved);
  const slots = useFreeSlots(days, posts, search, { zone, now });
  // Without data, draw nothing: empty days would look as if nothing is scheduled.
  const shown = data && view;
  const isEmpty = !isPending && !error && byDay.size === 0 && days.at(-1)! >= today && !isFiltered(search);
  const brandOf = useBrandOf();
  const strandedNote = useStranded();
  const pageBrand = usePageBrand();
  const [colouring] = useColouring();
  const isPrinting = usePrinting();
  usePreload(loadList, view === 'list');
  const [isTrayOpen] = useDraftsTray();
  const isWide = useMediaQuery('(width >= 48em)', false, { getInitialValueInEffect: false });
  const hasTray = isTrayOpen && view !== 'list' && isWide;
  const grid = useRef<HTMLDivElement>(null);
  const context = useMemo(
    () => ({
      preferences,
      moves,
      now,
      today,
      search,
      brandOf,
      strandedNote,
      pageBrand,
      colouring,
      isPrinting,
      days,
      slots,
      stickyHeight,
    }),
    [
      preferences,
      moves,
      now,
      today,
      search,
      brandOf,
      strandedNote,
      pageBrand,
      colouring,
      isPrinting,
      days,
      slots,
      stickyHeight,
    ],
  );
  return (
    <CalendarContext value={context}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isEmpty && view !== 'list' && (
        <Text size="sm" c="dimmed" mb="sm">
          Nothing scheduled yet. Select {view === 'month' ? 'a day' : 'an hour'} to create a post.
        </Text>
      )}
      <CalendarDrag>
        <div className={classes.columns}>
          <div className={classes.grid} ref={grid}>
            {isPending ? <CalendarSkeleton view={view} days={days} /> : null}
            {shown === 'month' && <MonthView days={days} month={date.slice(0, 7)} byDay={byDay} />}
            {(shown === 'week' || shown === 'day') && <HoursView key={view} days={days} byDay={byDay} />}
            {shown === 'list' && (
              <Suspense fallback={<CalendarSkeleton view={view} days={days} />}>
                <ListView days={days} date={date} byDay={byDay} />
              </Suspense>
            )}
          </div>
          {hasTray && (
            <Suspense fallback={<div className={classes.tray} />}>
              <DraftsTray className={classes.tray} />
            </Suspense>
          )}
        </div>
      </CalendarDrag>
      <PostPreviews within={grid} posts={posts} />
      <VisuallyHidden role="status" aria-live="assertive">
        {moves.announcement}
      </VisuallyHidden>
      <VisuallyHidden id="calendar-keys">Press Space to move with the arrow keys, Enter to open.</VisuallyHidden>
    </CalendarContext>
  );
}
