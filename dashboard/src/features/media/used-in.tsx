import type { ListedMedia } from '@crier/client';
import { Button, Popover, Stack, Text } from '@mantine/core';
import { AnchorLink } from '../../components/links.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { count, firstWords } from '../../lib/posts/post-summary.ts';

/** "Used in 2 posts", which lists them. */
export function UsedIn({ media: { posts, postCount } }: { media: ListedMedia }) {
  if (postCount === 0) {
    return (
      <Text size="xs" c="dimmed">
        Not used in any post
      </Text>
    );
  }
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm" px={0} justify="flex-start" w="fit-content">
          Used in {count(postCount, 'post')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw={280}>
        <Stack gap={6}>
          <PostLinks posts={posts} />
          {postCount > posts.length && (
            <Text size="xs" c="dimmed">
              and {count(postCount - posts.length, 'earlier post')}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The last posts, each with its status. */
export const PostLinks = ({ posts }: { posts: ListedMedia['posts'] }) =>
  posts.map(({ postGroupId, excerpt, status }) => (
    <Text key={postGroupId} size="sm">
      <AnchorLink to="/posts/$postGroupId" params={{ postGroupId }} size="sm" dir="auto">
        {firstWords(excerpt, 40)}
      </AnchorLink>{' '}
      <Text span size="xs" c="dimmed">
        {statusLabel(status)}
      </Text>
    </Text>
  ));
