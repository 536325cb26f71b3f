import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type OnFilter, readFilters } from '../../../features/developers/requests/filters.ts';
import { RequestsPage } from '../../../features/developers/requests/requests-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/developers/requests')({
  validateSearch: readFilters,
  head: pageTitle('Requests'),
  component: Page,
});

function Page() {
  const filters = Route.useSearch();
  const navigate = useNavigate();
  const onFilter: OnFilter = (search, replace = false) =>
    void navigate({ to: '/developers/requests', search, replace });
  return <RequestsPage filters={filters} onFilter={onFilter} />;
}
