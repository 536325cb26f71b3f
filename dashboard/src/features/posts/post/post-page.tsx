import type { PostLog } from '@crier/client';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { BackLink } from '../../../components/links.tsx';
import { NotFound } from '../../../components/not-found.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { firstWords } from '../../../lib/post-summary.ts';
import { postQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime, formatRelative, zoneNameAt } from '../../../lib/time/time.ts';
import { isMissing, logsQuery } from '../list/queries.ts';
import { PostActions } from './actions.tsx';
import { statusOf, textOf } from './details.ts';
import { History } from './history.tsx';
import { PostLoading } from './loading.tsx';
import { PostMedia } from './media.tsx';
import { TargetCard } from './target-card.tsx';

/** One post with its status on each network. */
export function PostPage({ postGroupId }: { postGroupId: string }) {
  // The route's loader has just made this request, so don't repeat it after an error.
  const { data: post, error, refetch, isPending } = useQuery({ ...postQuery(postGroupId), retryOnMount: false });
  const { data: logs = none } = useQuery({ ...logsQuery(postGroupId), enabled: Boolean(post) });
  if (isMissing(error)) return <NotFound />;
  if (isPending) return <PostLoading />;
  if (!post) {
    return (
      <>
        <PageHeader title="Post" back={<ToPosts />} />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  const status = statusOf(post, logs);
  return (
    <>
      <PageHeader
        title={firstWords(textOf(post), 60)}
        about={<When time={post.scheduledTime} status={status} />}
        back={<ToPosts />}
      >
        <PostActions post={post} isEditable={status === 'draft' || status === 'scheduled'} />
      </PageHeader>
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, lg: post.posts.length > 1 ? 2 : 1 }} spacing="md">
          {post.posts.map((target) => (
            <TargetCard key={target._id} target={target} post={post} />
          ))}
        </SimpleGrid>
        {post.posts.length === 0 && <Text c="dimmed">No channels selected yet. Edit the draft to choose some.</Text>}
        <PostMedia media={post.media} />
        <History post={post} />
      </Stack>
    </>
  );
}

const ToPosts = () => <BackLink to="/posts">Posts</BackLink>;

const none: readonly PostLog[] = [];

function When({ time, status }: { time: string | null; status: string }) {
  const preferences = useTimePreferences();
  return (
    <Text component="span" display="inline-flex" style={{ alignItems: 'center', gap: 8, flexWrap: 'wrap' }}>
      <StatusBadge status={status} />
      {time
        ? `${formatDateTime(time, preferences)} ${zoneNameAt(time, preferences)} · ${status === 'draft' ? 'not scheduled' : formatRelative(time, preferences)}`
        : 'No time set'}
    </Text>
  );
}
