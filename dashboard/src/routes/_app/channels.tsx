import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { readChannelSearch } from '../../features/channels/channel-list.ts';
import { ChannelsPage } from '../../features/channels/channels-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/channels')({
  validateSearch: readChannelSearch,
  head: pageTitle('Channels'),
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
