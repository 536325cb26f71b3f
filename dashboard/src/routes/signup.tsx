import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { AnchorLink } from '../components/links.tsx';
import { SignInFrame } from '../features/sign-in/sign-in-frame.tsx';
import { SignUpForm } from '../features/sign-in/sign-up-form.tsx';
import { signUpObstacle } from '../features/sign-in/sign-up-obstacle.ts';
import { useAfterSignIn } from '../features/sign-in/use-after-sign-in.ts';
import { dashboardSettingsQuery } from '../lib/dashboard-settings.ts';
import { pageTitle } from '../lib/page-title.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

export const Route = createFileRoute('/signup')({
  /** `token` is the invitation token. */
  validateSearch: (search): { next?: string; token?: string } => {
    const [next, token] = [text(search.next), text(search.token)];
    return { ...(next && { next }), ...(token && { token }) };
  },
  head: pageTitle('Create account'),
  loader: ({ context: { queryClient } }) => queryClient.prefetchQuery(dashboardSettingsQuery),
  component: SignUpPage,
});

function SignUpPage() {
  const { next, token } = Route.useSearch();
  const onSignedIn = useAfterSignIn(next);
  const { data: settings } = useQuery(dashboardSettingsQuery);
  const obstacle = signUpObstacle(settings?.signUp, token);
  const below = (
    <>
      Already have an account?{' '}
      <AnchorLink to="/signin" search={next ? { next } : {}}>
        Sign in
      </AnchorLink>
    </>
  );
  return (
    <SignInFrame title="Create account" below={below}>
      {obstacle ? (
        <Text>{obstacle}</Text>
      ) : (
        <SignUpForm invitation={token} verifiesEmail={settings?.verifiesEmail ?? false} onSignedIn={onSignedIn} />
      )}
    </SignInFrame>
  );
}
