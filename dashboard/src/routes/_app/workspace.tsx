import { createFileRoute } from '@tanstack/react-router';
import { WorkspacePage } from '../../features/workspace/workspace-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/workspace')({
  head: pageTitle('Workspace'),
  validateSearch: ({ add }: Record<string, unknown>): { add?: 'brand' } => (add === 'brand' ? { add } : {}),
  component: Workspace,
});

function Workspace() {
  const { add } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <WorkspacePage isAddingBrand={add === 'brand'} onBrandClosed={() => void navigate({ search: {}, replace: true })} />
  );
}
