import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { readChannelSearch } from '../../features/channels/channel-list.ts';
import { ChannelsPage } from '../../features/channels/channels-page.tsx';
import { connectablesQuery } from '../../features/channels/connect.ts';
import { pageTitle } from '../../lib/page-title.ts';
import { channelsQuery } from '../../lib/queries.ts';

export const Route = createFileRoute('/_app/channels')({
  validateSearch: readChannelSearch,
  head: pageTitle('Channels'),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(channelsQuery);
    void queryClient.prefetchQuery(connectablesQuery);
  },
  component: Page,
});

function Page() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  return (
    <ChannelsPage
      search={search}
      onSearch={(next) => void navigate({ to: '/channels', search: next, replace: true })}
    />
  );
}
