import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight';
import { IconKeyboard, IconPencilPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { channelName } from '../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../components/channels/platform-icon.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { firstWords, shownStatus } from '../../lib/post-summary.ts';
import { postsApi } from '../../lib/posts-api.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';
import { accountPages, developerPages, mainPages, settingsPages } from './pages.ts';
import classes from './shell.module.css';

/** The global search. Each increment of `openings` opens it. */
export default function Search({ openings, onShortcuts }: { openings: number; onShortcuts: () => void }) {
  const [query, setQuery] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number triggers opening.
  useEffect(() => spotlight.open(), [openings]);
  const fixed = useFixedActions(onShortcuts);
  const channels = useChannelActions();
  const posts = usePostActions(query);
  const words = query.trim().toLowerCase();
  const matching = (actions: SpotlightActionData[]) =>
    actions.filter(({ label, description }) => `${label} ${description ?? ''}`.toLowerCase().includes(words));
  const groups = [
    { group: 'Posts', actions: posts },
    { group: 'Channels', actions: words ? matching(channels) : [] },
    { group: 'Actions', actions: matching(fixed.actions) },
    { group: 'Pages', actions: matching(fixed.pages) },
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      // Filtered above, because the service searches the posts.
      filter={(_, actions) => actions}
      actions={groups}
      nothingFound="No results"
      // Fixed at the top while the list below changes.
      centered={false}
      yOffset="12dvh"
      scrollable
      maxHeight={420}
      classNames={{ actionsGroup: classes.searchGroup }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      searchProps={{
        placeholder: 'Posts, channels, pages, actions',
        'aria-label': 'Search everything',
        leftSection: <IconSearch size={18} aria-hidden />,
      }}
    />
  );
}

function useFixedActions(onShortcuts: () => void) {
  const navigate = useNavigate();
  const pages = [...mainPages, ...developerPages, ...accountPages, ...settingsPages].map(
    ({ to, name, about, icon: Icon }): SpotlightActionData => ({
      id: `${to} ${name}`,
      label: name,
      ...(about && { description: about }),
      leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to }),
    }),
  );
  const actions: SpotlightActionData[] = [
    {
      id: 'new-post',
      label: 'New post',
      leftSection: <IconPencilPlus size={18} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to: '/compose' }),
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      leftSection: <IconKeyboard size={18} stroke={1.6} aria-hidden />,
      onClick: onShortcuts,
    },
  ];
  return { pages, actions };
}

function useChannelActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const { data: channels = [] } = useQuery(channelsQuery);
  return channels.map((channel) => ({
    id: channel.platformId,
    label: channelName(channel),
    description: platformName(channel.platform),
    leftSection: <PlatformIcon platform={channel.platform} />,
    onClick: () => void navigate({ to: '/posts', search: { channel: channel.platformId } }),
  }));
}

function usePostActions(query: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const [q] = useDebouncedValue(query.trim(), 150);
  const { data } = useQuery({
    queryKey: [...keys.posts, 'search', q],
    queryFn: async ({ signal }) => (await postsApi.listCompact({ q, limit: 6 }, signal)).posts,
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  if (query.trim().length < 2) return [];
  return (data ?? []).map((post) => ({
    id: post.postGroupId,
    label: firstWords(post.content, 70),
    description: statusLabel(shownStatus(post)),
    onClick: () => void navigate({ to: '/posts/$postGroupId', params: { postGroupId: post.postGroupId } }),
  }));
}
