import { createFileRoute } from '@tanstack/react-router';
import { AnchorLink } from '../components/links.tsx';
import { SignInForm } from '../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../features/sign-in/sign-in-frame.tsx';
import { useAfterSignIn } from '../features/sign-in/use-after-sign-in.ts';
import { pageTitle } from '../lib/page-title.ts';

export const Route = createFileRoute('/signin')({
  validateSearch: (search): { next?: string } => (typeof search.next === 'string' ? { next: search.next } : {}),
  head: pageTitle('Sign in'),
  component: SignInPage,
});

function SignInPage() {
  const { next } = Route.useSearch();
  const onSignedIn = useAfterSignIn(next);
  const below = (
    <>
      New here?{' '}
      <AnchorLink to="/signup" search={next ? { next } : {}}>
        Create account
      </AnchorLink>
    </>
  );
  return (
    <SignInFrame title="Sign in" below={below}>
      <SignInForm onSignedIn={onSignedIn} />
    </SignInFrame>
  );
}
