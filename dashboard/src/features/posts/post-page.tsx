import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../components/error-state.tsx';
import { NotFound } from '../../components/not-found.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { firstWords } from '../../lib/post-summary.ts';
import { postQuery } from '../../lib/queries.ts';
import { formatDateTime, formatRelative, zoneNameAt } from '../../lib/time.ts';
import { useTimePreferences } from '../../lib/time-preferences.ts';
import { History } from './history.tsx';
import { PostActions } from './post-actions.tsx';
import { isMissing, textOf } from './post-details.ts';
import { PostMedia } from './post-media.tsx';
import { TargetCard } from './target-card.tsx';

/** What became of one post on each of its networks. */
export function PostPage({ postGroupId }: { postGroupId: string }) {
  const { data: post, error, refetch, isPending } = useQuery(postQuery(postGroupId));
  if (isMissing(error)) return <NotFound />;
  if (isPending) return <Loading />;
  if (!post) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeader title={firstWords(textOf(post), 60)} about={<When time={post.scheduledTime} status={post.status} />}>
        <PostActions post={post} />
      </PageHeader>
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, lg: post.posts.length > 1 ? 2 : 1 }} spacing="md">
          {post.posts.map((target) => (
            <TargetCard key={target._id} target={target} post={post} />
          ))}
        </SimpleGrid>
        {post.posts.length === 0 && <Text c="dimmed">No channel is chosen yet. Edit the draft to choose some.</Text>}
        <PostMedia media={post.media} />
        <History postGroupId={postGroupId} targets={post.posts} />
      </Stack>
    </>
  );
}

function When({ time, status }: { time: string | null; status: string }) {
  const preferences = useTimePreferences();
  return (
    <Text component="span" display="inline-flex" style={{ alignItems: 'center', gap: 8, flexWrap: 'wrap' }}>
      <StatusBadge status={status} />
      {time
        ? `${formatDateTime(time, preferences)} ${zoneNameAt(time, preferences)} · ${formatRelative(time, preferences.locale)}`
        : 'No time yet'}
    </Text>
  );
}

function Loading() {
  return (
    <Stack aria-busy="true" role="status" aria-label="Loading the post">
      <Skeleton height={34} width="50%" />
      <Skeleton height={20} width={260} />
      <Skeleton height={220} mt="md" />
    </Stack>
  );
}
