import { createFileRoute } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/workspace')({
  head: pageTitle('Workspace'),
  component: () => <PageHeader title="Workspace" />,
});
