import { createFileRoute } from '@tanstack/react-router';
import { UsagePage } from '../../../features/settings/usage/usage-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/settings/usage')({
  head: pageTitle('Usage and plan'),
  component: UsagePage,
});
