import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { Shell } from '../features/shell/shell.tsx';
import { SessionOverDialog } from '../features/sign-in/session-over-dialog.tsx';
import { sessionQuery } from '../lib/session.ts';

/** The pages of a person who is signed in. Anybody else signs in first and then comes back here. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/signin', search: { next: location.href } });
    return { session };
  },
  component: SignedIn,
});

function SignedIn() {
  const { session } = Route.useRouteContext();
  return (
    <Shell>
      <Outlet />
      <SessionOverDialog person={session} />
    </Shell>
  );
}
