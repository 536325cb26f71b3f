import type { DashboardSettings } from '@crier/client';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AnchorLink } from '../components/links.tsx';
import { SignInForm } from '../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../features/sign-in/sign-in-frame.tsx';
import { useAfterSignIn } from '../features/sign-in/use-after-sign-in.ts';
import { dashboardSettingsQuery } from '../lib/dashboard-settings.ts';
import { pageTitle } from '../lib/page-title.ts';

export const Route = createFileRoute('/signin')({
  validateSearch: (search): { next?: string } => (typeof search.next === 'string' ? { next: search.next } : {}),
  head: pageTitle('Sign in'),
  // Sign-in also works if the settings can't be loaded.
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(dashboardSettingsQuery),
  component: SignInPage,
});

function SignInPage() {
  const { next } = Route.useSearch();
  const onSignedIn = useAfterSignIn(next);
  const { data: settings } = useQuery(dashboardSettingsQuery);
  return (
    <SignInFrame title="Sign in" below={<NewHere signUp={settings?.signUp} next={next} />}>
      <SignInForm settings={settings} onSignedIn={onSignedIn} />
    </SignInFrame>
  );
}

function NewHere({ signUp, next }: { signUp: DashboardSettings['signUp'] | undefined; next: string | undefined }) {
  if (signUp === 'closed') return null;
  if (signUp === 'invite') return 'New here? Use the link in your invitation.';
  return (
    <>
      New here?{' '}
      <AnchorLink to="/signup" search={next ? { next } : {}}>
        Create account
      </AnchorLink>
    </>
  );
}
