import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/posts/post-summary.ts';
import { retryableOn } from './attention.ts';
import { failedPostsQuery } from './attention-queries.ts';
import { RetryButton } from './retry-button.tsx';

/** Offers to publish what failed while these channels didn’t work. */
export function RetryAfterReconnect({ platformIds }: { platformIds: readonly string[] }) {
  // Reconnecting decides which posts can be retried.
  const { data: failed = [], isFetchedAfterMount } = useQuery({ ...failedPostsQuery, refetchOnMount: 'always' });
  const posts = retryableOn(platformIds, failed);
  if (!isFetchedAfterMount || posts.length === 0) return null;
  return (
    <Group gap="sm" mt="xs">
      <Text size="sm">{count(posts.length, 'post')} failed before you reconnected.</Text>
      <RetryButton posts={posts} />
    </Group>
  );
}
