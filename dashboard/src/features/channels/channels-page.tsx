import type { Connection } from '@crier/client';
import { Button, Group, Modal, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch, IconSearchOff, IconWorldShare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { BrandChoices } from '../../components/brands/choose-brand.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { allBrands, type BrandSearch, useBrand } from '../../lib/brands/brand.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';
import { OtherBrandsNotice } from '../attention/other-brands-notice.tsx';
import { AddDialog } from './add-dialog.tsx';
import { brandIdOf, type ChannelSearch, matching, needsAttention } from './channel-list.ts';
import { ChannelRow } from './channel-row.tsx';
import { ChoiceDialog } from './choice-dialog.tsx';
import type { Outcome } from './connect.ts';
import { ConnectOutcome } from './connect-outcome.tsx';

/** The accounts that the user can post to. Filters and dialogs are in the address. */
export function ChannelsPage({
  search,
  onSearch,
}: {
  search: ChannelSearch;
  onSearch: (search: ChannelSearch & BrandSearch) => void;
}) {
  const client = useQueryClient();
  const { data: channels, error, refetch } = useQuery(channelsQuery);
  const { q, health } = search;
  const filters: ChannelSearch = { ...(q && { q }), ...(health && { health }) };
  const showOutcome = async (outcome: Outcome) => {
    if ('choiceId' in outcome) return onSearch({ ...filters, choice: outcome.choiceId });
    await client.invalidateQueries({ queryKey: keys.channels });
    onSearch({ ...filters, connected: outcome.connected.join(' ') });
  };
  const brand = useBrand();
  const { session } = useRouteContext({ from: '/_app' });
  const isAll = brand === allBrands;
  const add = (network = 'networks') => onSearch({ ...filters, add: network });
  // In a list of all brands, the dialog acts for the brand of the channel.
  const reconnect = (channel: Connection) =>
    onSearch({
      ...filters,
      add: channel.platform,
      reconnect: channel.platformId,
      ...(isAll && { brand: brandIdOf(channel, session._id) }),
    });
  const close = () => onSearch(filters);
  const addButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => add()}>
      Add channel
    </Button>
  );
  return (
    <>
      <PageHeader title="Channels" about="The social accounts you post to.">
        {channels && channels.length > 0 && addButton}
      </PageHeader>
      <ConnectOutcome
        key={`${search.connected} ${search.connect}`}
        connected={search.connected}
        failed={search.connect === 'failed'}
        channels={channels ?? []}
        onChoose={add}
        onReconnect={reconnect}
        onClose={close}
      />
      <OtherBrandsNotice page="/channels" />
      {error && !channels && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!channels && !error && <ListSkeleton />}
      {channels?.length === 0 && (
        <EmptyState icon={IconWorldShare} picture="hat" title="No channels yet" action={addButton}>
          A channel is a social account you post to. Connect one to write, schedule and track posts.
        </EmptyState>
      )}
      {channels && channels.length > 0 && (
        <ChannelList channels={channels} filters={filters} onFilter={onSearch} onReconnect={reconnect} />
      )}
      <Modal
        opened={isAll && search.add !== undefined}
        onClose={close}
        title="Which brand is the channel for?"
        centered
      >
        <BrandChoices />
      </Modal>
      <AddDialog
        network={isAll ? null : (search.add ?? null)}
        reconnected={channels?.find(({ platformId }) => platformId === search.reconnect)}
        returnTo="/channels"
        onChoose={add}
        onClose={close}
        onOutcome={(outcome) => void showOutcome(outcome)}
      />
      {search.choice && (
        <ChoiceDialog
          choiceId={search.choice}
          onClose={close}
          onConnected={(connected) => void showOutcome({ connected })}
        />
      )}
    </>
  );
}

function ChannelList({
  channels,
  filters,
  onFilter,
  onReconnect,
}: {
  channels: readonly Connection[];
  filters: ChannelSearch;
  onFilter: (filters: ChannelSearch) => void;
  onReconnect: (channel: Connection) => void;
}) {
  const shown = matching(channels, filters);
  const unhealthy = channels.filter(needsAttention).length;
  const { q = '', health } = filters;
  return (
    <>
      <Group mb="md" gap="sm">
        <TextInput
          aria-label="Search channels"
          placeholder="Search channels"
          type="search"
          leftSection={<IconSearch size={16} aria-hidden />}
          flex="1 1 200px"
          maw={360}
          value={q}
          onChange={({ currentTarget: { value } }) =>
            onFilter({ ...(value && { q: value }), ...(health && { health }) })
          }
        />
        <SegmentedControl
          aria-label="Health"
          flex={{ base: '1 1 100%', xs: '0 0 auto' }}
          value={health ?? 'all'}
          data={[
            { value: 'all', label: `All (${channels.length})` },
            { value: 'attention', label: `Needs attention (${unhealthy})` },
          ]}
          onChange={(value) => onFilter({ ...(q && { q }), ...(value === 'attention' && { health: 'attention' }) })}
        />
      </Group>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {shown.length === channels.length
          ? count(shown.length, 'channel')
          : `${shown.length} of ${count(channels.length, 'channel')}`}
      </Text>
      {shown.length === 0 && (
        <EmptyState
          icon={IconSearchOff}
          title={q ? 'No matching channels' : 'All channels are healthy'}
          action={
            <Button variant="default" onClick={() => onFilter({})}>
              Show all channels
            </Button>
          }
        >
          {q ? 'Try another handle, name or network.' : 'No action needed.'}
        </EmptyState>
      )}
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((channel) => (
          <ChannelRow key={channel.platformId} channel={channel} onReconnect={() => onReconnect(channel)} />
        ))}
      </Stack>
    </>
  );
}

const ListSkeleton = () => (
  <Stack gap="sm" aria-busy aria-label="Loading channels">
    <Skeleton height={36} maw={360} />
    <Skeleton height={14} width={90} mt={6} />
    {[0, 1, 2].map((row) => (
      <Skeleton key={row} height={78} radius="md" />
    ))}
  </Stack>
);
