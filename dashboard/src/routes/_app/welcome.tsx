import { createFileRoute, redirect } from '@tanstack/react-router';
import { connectablesQuery } from '../../features/channels/connect.ts';
import { WelcomePage } from '../../features/welcome/welcome-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { channelsQuery, limitsQuery, profileQuery } from '../../lib/queries.ts';

export const Route = createFileRoute('/_app/welcome')({
  validateSearch: (search): { connect?: 'failed'; choice?: string } => ({
    ...(search.connect === 'failed' && { connect: 'failed' }),
    ...(typeof search.choice === 'string' && { choice: search.choice }),
  }),
  /** Shown only until it is completed or dismissed. */
  beforeLoad: async ({ context: { queryClient } }) => {
    const { isWelcomeDone } = await queryClient.ensureQueryData(profileQuery);
    if (isWelcomeDone) throw redirect({ to: '/calendar' });
  },
  head: pageTitle('Welcome'),
  // All of it before the first render, so that the steps don't move. The page shows what failed.
  loader: ({ context: { queryClient } }) =>
    Promise.all([
      queryClient.prefetchQuery(channelsQuery),
      queryClient.prefetchQuery(connectablesQuery),
      queryClient.prefetchQuery(limitsQuery),
    ]),
  component: Page,
});

function Page() {
  const { connect, choice } = Route.useSearch();
  return <WelcomePage failed={connect === 'failed'} choice={choice} />;
}
