import { createFileRoute } from '@tanstack/react-router';
import { AppearancePage } from '../../../features/settings/appearance-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/settings/appearance')({
  head: pageTitle('Appearance'),
  component: AppearancePage,
});
