import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { PostPanel } from '../../features/posts/post/post-panel.tsx';
import { QueuePage } from '../../features/queue/queue-page.tsx';
import { readQueueSearch } from '../../features/queue/queue-search.ts';
import { pageTitle } from '../../lib/page-title.ts';
import { readPanelSearch, withoutPanel } from '../../lib/posts/post-panel.ts';
import { timePreferencesQuery } from '../../lib/time/preferences.ts';

export const Route = createFileRoute('/_app/queue')({
  validateSearch: (search) => ({ ...readQueueSearch(search), ...readPanelSearch(search) }),
  // Days depend on the time zone, so load it before the first render.
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(timePreferencesQuery).catch(() => null),
  head: pageTitle('Queue'),
  component: Page,
});

function Page() {
  const search = Route.useSearch({ select: withoutPanel, structuralSharing: true });
  const navigate = useNavigate();
  return (
    <>
      <QueuePage search={search} onSearch={(next) => void navigate({ to: '/queue', search: next })} />
      <PostPanel />
    </>
  );
}
