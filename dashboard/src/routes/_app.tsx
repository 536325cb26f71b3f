import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { removeBackupsOfOthers } from '../features/composer/saving/local-backup.ts';
import { Shell } from '../features/shell/shell.tsx';
import { SessionOverDialog } from '../features/sign-in/session-over-dialog.tsx';
import { dashboardSettingsQuery } from '../lib/dashboard-settings.ts';
import { sessionQuery } from '../lib/session.ts';

/** Pages for signed-in users. Others sign in first and then return here. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const [session] = await Promise.all([
      queryClient.ensureQueryData(sessionQuery),
      // Loaded first, so that the sandbox banner doesn't push down a page that is already visible.
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
      <SessionOverDialog user={session} />
    </Shell>
  );
}
