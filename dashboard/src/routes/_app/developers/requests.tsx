import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { RequestFilters } from '../../../features/developers/requests/queries.ts';
import { RequestsPage } from '../../../features/developers/requests/requests-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/developers/requests')({
  validateSearch: ({ errors }): RequestFilters => (errors === true || errors === 'true' ? { errors: true } : {}),
  head: pageTitle('Requests'),
  component: Page,
});

function Page() {
  const filters = Route.useSearch();
  const navigate = useNavigate();
  const onFilter = (search: RequestFilters) => void navigate({ to: '/developers/requests', search, replace: true });
  return <RequestsPage filters={filters} onFilter={onFilter} />;
}
