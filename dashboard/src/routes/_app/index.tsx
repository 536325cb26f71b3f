import { createFileRoute, redirect } from '@tanstack/react-router';
import { channelsQuery, profileQuery } from '../../lib/queries.ts';

export const Route = createFileRoute('/_app/')({
  /** New users see the first steps, everyone else the calendar. */
  beforeLoad: async ({ context: { queryClient } }) => {
    const [profile, channels] = await Promise.all([
      queryClient.ensureQueryData(profileQuery),
      queryClient.ensureQueryData(channelsQuery),
    ]);
    const isNew = !profile.isWelcomeDone && channels.length === 0;
    throw redirect({ to: isNew ? '/welcome' : '/calendar' });
  },
});
