import { useMediaQuery } from '@mantine/hooks';
import { PageHeader } from '../../components/page-header.tsx';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { dateKeyOf } from '../../lib/time/time.ts';
import { CalendarPosts } from './calendar-posts.tsx';
import type { CalendarSearch } from './calendar-range.ts';
import { CalendarToolbar } from './calendar-toolbar.tsx';

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
  return (
    <>
      <PageHeader title="Calendar" />
      <CalendarToolbar view={view} date={date} isPhone={isPhone} search={search} onSearch={onSearch} />
      <CalendarPosts view={view} date={date} search={search} onSearch={onSearch} />
    </>
  );
}
