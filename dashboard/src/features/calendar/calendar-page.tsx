import { useElementSize, useMediaQuery } from '@mantine/hooks';
import type { CSSProperties } from 'react';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { dateKeyOf } from '../../lib/time/time.ts';
import { AttentionStrip } from '../attention/attention-strip.tsx';
import { CalendarPosts } from './calendar-posts.tsx';
import type { CalendarSearch } from './calendar-range.ts';
import { CalendarToolbar } from './calendar-toolbar.tsx';

const topBarHeight = 52;

/** Scheduled and published posts by day and hour, in the user's time zone. */
export function CalendarPage({
  search,
  onSearch,
}: {
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
}) {
  const { zone } = useTimePreferences();
  const isPhone = useMediaQuery('(width < 48em)', false, { getInitialValueInEffect: false });
  const { view = isPhone ? 'list' : 'month', date = dateKeyOf(new Date(), zone) } = search;
  const { ref, height } = useElementSize();
  return (
    <div style={{ '--sticky-bar': `${height}px` } as CSSProperties}>
      <CalendarToolbar stickyRef={ref} view={view} date={date} isPhone={isPhone} search={search} onSearch={onSearch} />
      <div data-print="hide">
        <AttentionStrip />
      </div>
      <CalendarPosts view={view} date={date} search={search} onSearch={onSearch} stickyHeight={topBarHeight + height} />
    </div>
  );
}
