import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { readFilters } from '../../features/posts/list/filters.ts';
import { PostsPage } from '../../features/posts/list/posts-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/posts/')({
  validateSearch: readFilters,
  head: pageTitle('Posts'),
  component: Page,
});

function Page() {
  const filters = Route.useSearch();
  const navigate = useNavigate();
  return <PostsPage filters={filters} onFilter={(search) => void navigate({ to: '/posts', search, replace: true })} />;
}
