import { createFileRoute } from '@tanstack/react-router';
import { AnchorLink } from '../components/links.tsx';
import { SignInFrame } from '../features/sign-in/sign-in-frame.tsx';
import { SignUpForm } from '../features/sign-in/sign-up-form.tsx';
import { useAfterSignIn } from '../features/sign-in/use-after-sign-in.ts';
import { pageTitle } from '../lib/page-title.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

export const Route = createFileRoute('/signup')({
  /** `token` is that of an invitation. */
  validateSearch: (search): { next?: string; token?: string } => {
    const [next, token] = [text(search.next), text(search.token)];
    return { ...(next && { next }), ...(token && { token }) };
  },
  head: pageTitle('Create account'),
  component: SignUpPage,
});

function SignUpPage() {
  const { next, token } = Route.useSearch();
  const onSignedIn = useAfterSignIn(next);
  const below = (
    <>
      You have an account?{' '}
      <AnchorLink to="/signin" search={next ? { next } : {}}>
        Sign in
      </AnchorLink>
    </>
  );
  return (
    <SignInFrame title="Create account" below={below}>
      <SignUpForm invitation={token} onSignedIn={onSignedIn} />
    </SignInFrame>
  );
}
