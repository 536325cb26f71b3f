import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../../features/settings/security/security-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/settings/security')({
  head: pageTitle('Security'),
  component: SecurityPage,
});
