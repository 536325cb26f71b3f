import { CrierError } from '@crier/client';
import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { OfOneBrand } from '../../components/brands/choose-brand.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { NotFound } from '../../components/not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { allBrands } from '../../lib/brands/brand.ts';
import { isPostGroupId } from '../../lib/posts/post-group-id.ts';
import { channelsQuery, limitsQuery } from '../../lib/queries.ts';
import { preferencesOf, timePreferencesQuery } from '../../lib/time/preferences.ts';
import type { ComposeSearch } from './compose-search.ts';
import classes from './composer.module.css';
import { Composer } from './composer.tsx';
import type { Place } from './saving/autosaver.ts';
import { identityOf } from './saving/effects.ts';
import { loadStart } from './saving/load-start.ts';

/** The composer for a new post, a draft or a scheduled post. */
export function ComposePage() {
  const { postGroupId } = useParams({ strict: false });
  const search: ComposeSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const identity = postGroupId ?? search.draft ?? '';
  const [session, setSession] = useState({ number: 0, identity });
  /** The ID that the open composer gave its draft. The address follows without reloading. */
  const own = useRef<string | null>(null);
  if (identity !== session.identity && identity !== own.current) {
    own.current = null;
    setSession({ number: session.number + 1, identity });
  }
  const onPlace = useCallback(
    async (place: Place) => {
      const next = identityOf(place);
      own.current = next;
      await (place.kind === 'post'
        ? navigate({ to: '/compose/$postGroupId', params: { postGroupId: next }, replace: true, resetScroll: false })
        : navigate({ to: '/compose', search: { draft: next }, replace: true, resetScroll: false }));
      setSession((current) => ({ ...current, identity: next }));
    },
    [navigate],
  );
  if (postGroupId && !isPostGroupId(postGroupId)) return <NotFound />;
  return (
    <OfOneBrand page="New post" title="Which brand do you want to post for?">
      <PageHeader title={postGroupId && postGroupId !== own.current ? 'Edit post' : 'New post'} />
      <Session
        key={session.number}
        number={session.number}
        postGroupId={postGroupId ?? null}
        search={search}
        onPlace={onPlace}
      />
    </OfOneBrand>
  );
}

function Session({
  number,
  postGroupId,
  search,
  onPlace,
}: {
  number: number;
  postGroupId: string | null;
  search: ComposeSearch;
  onPlace: (place: Place) => void;
}) {
  const { session, brand } = useRouteContext({ from: '/_app' });
  // Unsaved changes are kept for each brand, and removed with those of the person.
  const userId = brand === null || brand === allBrands ? session._id : `${session._id}:${brand}`;
  const channels = useQuery(channelsQuery);
  const limits = useQuery(limitsQuery);
  const profile = useQuery(timePreferencesQuery);
  const { zone: timeZone } = preferencesOf(profile.data ?? null);
  const [first] = useState({ postGroupId, search });
  // The server's state when the composer opens. Read once per session and not cached: the saver detects changes by
  // others.
  const start = useQuery({
    queryKey: ['composer-start', first.postGroupId ?? first.search.draft ?? 'new', number],
    queryFn: () => loadStart(first, { userId, timeZone }),
    enabled: !profile.isPending,
    staleTime: 'static',
    gcTime: 0,
  });
  const failed = [channels, limits, start].find(({ error, data }) => error && data === undefined);
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!channels.data || !limits.data || !start.data) return <Loading />;
  if (channels.data.length === 0) return <NoChannels />;
  if (start.data.isOver) return <NotEditable postGroupId={first.postGroupId!} />;
  return (
    <Composer
      start={start.data}
      channels={channels.data}
      limits={limits.data}
      timeZone={timeZone}
      isShared={first.search.shared !== undefined}
      onPlace={onPlace}
    />
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isGone = error instanceof CrierError && error.status === 404;
  if (!isGone) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <Stack align="flex-start">
      <Text>Post not found. It may have been deleted.</Text>
      <ButtonLink to="/compose">New post</ButtonLink>
    </Stack>
  );
}

const Loading = () => (
  <div className={classes.layout} aria-busy>
    <Stack>
      <Skeleton h={44} hiddenFrom="md" />
      <Skeleton h={76} w="80%" />
      <Skeleton h={200} />
      <Skeleton h={64} />
    </Stack>
    <Skeleton h={54} visibleFrom="md" />
  </div>
);

const NoChannels = () => (
  <EmptyState
    icon={IconPlugConnected}
    picture="hat"
    title="Connect a channel first"
    action={
      <ButtonLink to="/channels" search={{ add: 'networks' }}>
        Add channel
      </ButtonLink>
    }
  >
    Connect a social account to start posting. It takes a minute.
  </EmptyState>
);

const NotEditable = ({ postGroupId }: { postGroupId: string }) => (
  <Alert title="This post can no longer be edited">
    <Text size="sm" mb="sm">
      It’s being published or was already sent. Open it to see the result, or duplicate it.
    </Text>
    <ButtonLink to="/posts/$postGroupId" params={{ postGroupId }} size="sm">
      View post
    </ButtonLink>
  </Alert>
);
