import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { removeBackupsOfOthers } from '../features/composer/saving/local-backup.ts';
import { Shell } from '../features/shell/shell.tsx';
import { SessionOverDialog } from '../features/sign-in/session-over-dialog.tsx';
import { dashboardSettingsQuery } from '../lib/dashboard-settings.ts';
import { sessionQuery } from '../lib/session.ts';

/** The pages of a person who is signed in. Anybody else signs in first and then comes back here. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      // The note about the sandbox stands above every page, and must not push the page down when a person reads it already.
      queryClient.prefetchQuery(dashboardSettingsQuery),
    ]);
    if (!session) throw redirect({ to: '/signin', search: { next: location.href } });
    removeBackupsOfOthers(session._id);
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
