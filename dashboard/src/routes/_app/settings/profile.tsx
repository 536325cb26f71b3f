import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '../../../features/settings/profile/profile-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/settings/profile')({
  head: pageTitle('Profile'),
  component: ProfilePage,
});
