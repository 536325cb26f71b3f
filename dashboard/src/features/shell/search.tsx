import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconArticle, IconKeyboard, IconPencilPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { channelName } from '../../components/channels/avatar.tsx';
import { NetworkIcons } from '../../components/channels/network-icons.tsx';
import { PlatformIcon } from '../../components/channels/platform-icon.tsx';
import { PostThumbnail } from '../../components/post-thumbnail.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { allBrands, brandsInput, useBrand } from '../../lib/brands/brand.ts';
import { ownAndBrands, useAllChannels } from '../../lib/brands/own-and-brands.ts';
import { useBrandOf } from '../../lib/brands/use-brands.ts';
import { platformName } from '../../lib/platform-name.ts';
import { firstWords, hasWords, shownStatus, timeOf } from '../../lib/posts/post-summary.ts';
import { postsApi } from '../../lib/posts/posts-api.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatDateTime } from '../../lib/time/time.ts';
import { accountPages, developerPages, mainPages, settingsPages } from './pages.ts';
import classes from './shell.module.css';
import type { Typed } from './type-ahead.ts';

const [store, spotlight] = createSpotlight();

/** The global search. Each increment of `openings` opens it. */
export default function Search({
  openings,
  takeTyped,
  onShortcuts,
}: {
  openings: number;
  /** What was typed since it was opened, until its field has focus. Null: already taken. */
  takeTyped: () => Typed | null;
  onShortcuts: () => void;
}) {
  const [query, setQuery] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number triggers opening.
  useEffect(() => spotlight.open(), [openings]);
  const fixed = useFixedActions(onShortcuts);
  const channels = useChannelActions();
  const { posts, isSearching } = usePostActions(query);
  const words = wordsOf(query);
  const matching = (actions: SpotlightActionData[]) =>
    actions.filter(({ label, description }) => `${label} ${description ?? ''}`.toLowerCase().includes(words));
  const groups = [
    { group: 'Actions', actions: matching(fixed.actions) },
    { group: 'Pages', actions: matching(fixed.pages) },
    { group: 'Channels', actions: words ? matching(channels) : [] },
    // Last, because they arrive later: nothing moves under the selection.
    { group: 'Posts', actions: posts },
  ].filter(({ actions }) => actions.length > 0);
  const enter = useFirstSelected(groups, words, isSearching);
  return (
    <Spotlight
      store={store}
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
      classNames={{ actionsGroup: classes.searchGroup, actionDescription: classes.searchDescription }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      onSpotlightClose={() => enter(null)}
      searchProps={{
        placeholder: 'Posts, channels, pages, actions',
        'aria-label': 'Search everything',
        leftSection: <IconSearch size={18} aria-hidden />,
        onFocus: () => {
          const typed = takeTyped();
          if (!typed) return;
          setQuery(query + typed.text);
          if (typed.isEntered) enter(wordsOf(query + typed.text));
        },
        onKeyDown: ({ key, nativeEvent }) => {
          if (key === 'Enter' && !nativeEvent.isComposing && groups.length === 0 && isSearching) enter(words);
        },
      }}
    />
  );
}

const wordsOf = (query: string) => query.trim().toLowerCase();

/**
 * Selects the first result, so that Enter opens it. Spotlight only selects among results that are there when someone types.
 * Returns what remembers an Enter that came before the results: the first one for these words then opens.
 */
function useFirstSelected(
  groups: readonly { actions: readonly SpotlightActionData[] }[],
  words: string,
  isSearching: boolean,
) {
  const entered = useRef<string | null>(null);
  const ids = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ');
  useEffect(() => {
    const list = ids && words ? document.getElementById(store.getState().listId) : null;
    if (list && !list.querySelector('[data-selected]')) {
      list.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
      store.updateState((state) => ({ ...state, selected: 0 }));
    }
    if (entered.current === words && !list && isSearching) return;
    if (entered.current === words) list?.querySelector<HTMLElement>('[data-selected]')?.click();
    // Other words, or nothing found.
    entered.current = null;
  }, [ids, words, isSearching]);
  return (wanted: string | null) => {
    entered.current = wanted;
  };
}

/** Whether the search finds only what belongs to the brand of the page. Elsewhere, it finds what belongs to any. */
function useChosenBrand(): boolean {
  const brand = useBrand();
  return brand !== null && brand !== allBrands;
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
  const ofBrand = useChosenBrand();
  const shown = useQuery({ ...channelsQuery, enabled: ofBrand });
  const all = useAllChannels();
  const { data: channels = [] } = ofBrand ? shown : all;
  const brandOf = useBrandOf();
  return channels.map((channel) => ({
    id: channel.platformId,
    label: channelName(channel),
    description: [platformName(channel.platform), brandOf(channel)?.name].filter(Boolean).join(' · '),
    leftSection: <PlatformIcon platform={channel.platform} />,
    onClick: () =>
      void navigate({
        to: '/posts',
        search: { channel: channel.platformId, ...(!ofBrand && { brand: brandOf(channel)?.id }) },
      }),
  }));
}

function usePostActions(query: string): { posts: SpotlightActionData[]; isSearching: boolean } {
  const navigate = useNavigate();
  const preferences = useTimePreferences();
  const brandOf = useBrandOf();
  const ofBrand = useChosenBrand();
  const words = query.trim();
  const [q] = useDebouncedValue(words, 150);
  const {
    data = [],
    isPlaceholderData,
    isLoading,
  } = useQuery({
    queryKey: [...keys.posts, 'search', q],
    queryFn: async ({ client, signal }) => {
      const scope = ofBrand ? brandsInput() : await ownAndBrands(client);
      return (await postsApi.listCompact({ q, limit: 6 }, signal, scope)).posts;
    },
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  if (words.length < 2) return { posts: [], isSearching: false };
  // Until the answer for these words arrives, only the earlier hits that contain them, too.
  const isOld = q !== words || isPlaceholderData;
  const hits = isOld ? data.filter(({ content }) => hasWords(content, words)) : data;
  const posts = hits.map((post) => {
    const time = timeOf(post);
    return {
      id: post.postGroupId,
      label: firstWords(post.content, 70),
      description: [brandOf(post)?.name, statusLabel(shownStatus(post)), time && formatDateTime(time, preferences)]
        .filter(Boolean)
        .join(' · '),
      leftSection: post.thumbnail ? (
        <PostThumbnail thumbnail={post.thumbnail} size={32} />
      ) : (
        <IconArticle size={18} stroke={1.6} aria-hidden />
      ),
      rightSection: <NetworkIcons platforms={post.platforms.map(({ platform }) => platform)} />,
      onClick: () =>
        void navigate({
          to: '/posts/$postGroupId',
          params: { postGroupId: post.postGroupId },
          search: ofBrand ? {} : { brand: brandOf(post)?.id },
        }),
    };
  });
  return { posts, isSearching: isOld || isLoading };
}
