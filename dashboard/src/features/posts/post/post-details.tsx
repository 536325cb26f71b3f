import type { PostGroup } from '@crier/client';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime, formatRelative, zoneNameAt } from '../../../lib/time/time.ts';
import { History } from './history.tsx';
import { PostLabels } from './labels.tsx';
import { PostMedia } from './media.tsx';
import { TargetCard } from './target-card.tsx';

/** All about a post, below its title: on its own page and in the side panel. */
export function PostDetails({ post }: { post: PostGroup }) {
  return (
    <Stack gap="xl">
      <SimpleGrid type="container" cols={{ base: 1, '860px': post.posts.length > 1 ? 2 : 1 }} spacing="md">
        {post.posts.map((target) => (
          <TargetCard key={target._id} target={target} post={post} />
        ))}
      </SimpleGrid>
      {post.posts.length === 0 && <Text c="dimmed">No channels selected yet. Edit the draft to choose some.</Text>}
      <PostLabels post={post} />
      <PostMedia media={post.media} posts={post.posts} />
      <History post={post} />
    </Stack>
  );
}

export function PostWhen({ time, status }: { time: string | null; status: string }) {
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
