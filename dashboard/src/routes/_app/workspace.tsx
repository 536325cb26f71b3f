import { createFileRoute } from '@tanstack/react-router';
import { WorkspacePage } from '../../features/workspace/workspace-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/workspace')({
  head: pageTitle('Workspace'),
  component: WorkspacePage,
});
