import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { readFilters } from '../../features/posts/list/filters.ts';
import { PostsPage } from '../../features/posts/list/posts-page.tsx';
import { PostPanel } from '../../features/posts/post/post-panel.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { readPanelSearch, withoutPanel } from '../../lib/posts/post-panel.ts';

export const Route = createFileRoute('/_app/posts/')({
  validateSearch: (search) => ({ ...readFilters(search), ...readPanelSearch(search) }),
  head: pageTitle('Posts'),
  component: Page,
});

function Page() {
  const filters = Route.useSearch({ select: withoutPanel, structuralSharing: true });
  const navigate = useNavigate();
  return (
    <>
      <PostsPage
        filters={filters}
        onFilter={(search, replace = false) => void navigate({ to: '/posts', search, replace })}
      />
      <PostPanel />
    </>
  );
}
