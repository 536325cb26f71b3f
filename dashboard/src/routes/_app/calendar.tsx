import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { CalendarPage } from '../../features/calendar/calendar-page.tsx';
import { readSearch } from '../../features/calendar/calendar-range.ts';
import { pageTitle } from '../../lib/page-title.ts';
import { timePreferencesQuery } from '../../lib/time/preferences.ts';

export const Route = createFileRoute('/_app/calendar')({
  validateSearch: readSearch,
  // Days depend on the time zone, so load it before the first render.
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(timePreferencesQuery).catch(() => null),
  head: pageTitle('Calendar'),
  component: Page,
});

function Page() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  return <CalendarPage search={search} onSearch={(next) => void navigate({ to: '/calendar', search: next })} />;
}
