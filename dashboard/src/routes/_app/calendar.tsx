import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { CalendarPage } from '../../features/calendar/calendar-page.tsx';
import { readSearch } from '../../features/calendar/calendar-range.ts';
import { PostPanel } from '../../features/posts/post/post-panel.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { readPanelSearch, withoutPanel } from '../../lib/posts/post-panel.ts';
import { timePreferencesQuery } from '../../lib/time/preferences.ts';

export const Route = createFileRoute('/_app/calendar')({
  validateSearch: (search) => ({ ...readSearch(search), ...readPanelSearch(search) }),
  // Days depend on the time zone, so load it before the first render.
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(timePreferencesQuery).catch(() => null),
  head: pageTitle('Calendar'),
  component: Page,
});

function Page() {
  const search = Route.useSearch({ select: withoutPanel, structuralSharing: true });
  const navigate = useNavigate();
  return (
    <>
      <CalendarPage search={search} onSearch={(next) => void navigate({ to: '/calendar', search: next })} />
      <PostPanel />
    </>
  );
}
