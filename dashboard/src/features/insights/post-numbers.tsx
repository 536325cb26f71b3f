import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { StackTable } from '../../components/stack-table.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { firstWords } from '../../lib/posts/post-summary.ts';
import { Figure } from './figure.tsx';
import { postNumbersQuery } from './insights-queries.ts';
import { Notes } from './notes.tsx';
import type { PostNumbers as Numbers } from './source.ts';

const PostChart = lazy(() => import('./post-chart.tsx'));

/** Engagement of a channel's latest posts. */
export function PostNumbers({ channel, platform }: { channel: string; platform: string }) {
  const { data, error, refetch } = useQuery(postNumbersQuery(channel));
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} role="status" aria-label="Loading posts" />;
  const { posts, notes } = data;
  if (posts.length === 0) {
    return (
      <EmptyState
        icon={IconChartBar}
        title="No published posts yet"
        action={<ButtonLink to="/compose">Write a post</ButtonLink>}
      >
        Reactions, comments and reposts of your posts on this channel appear here.
      </EmptyState>
    );
  }
  const hasEngagement = posts.some(({ reactions, comments, reposts }) =>
    [reactions, comments, reposts].some((each) => each),
  );
  return (
    <Stack>
      <Notes notes={notes} />
      {hasEngagement && (
        <Suspense fallback={<Skeleton height={260} />}>
          <PostChart posts={posts} />
        </Suspense>
      )}
      <PostTable posts={posts} platform={platform} />
      {posts.every(({ impressions }) => impressions === null) && (
        <Text size="sm" c="dimmed">
          {platformName(platform)} doesn’t report impressions.
        </Text>
      )}
    </Stack>
  );
}

const columns = [
  { name: 'reactions', label: 'Reactions' },
  { name: 'comments', label: 'Comments' },
  { name: 'reposts', label: 'Reposts' },
  { name: 'impressions', label: 'Impressions' },
] as const;

function PostTable({ posts, platform }: { posts: readonly Numbers[]; platform: string }) {
  const shown = columns.filter(({ name }) => name !== 'impressions' || posts.some((post) => post[name] !== null));
  return (
    <StackTable label="Posts" cellWidth={84}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Post</Table.Th>
          {shown.map(({ name, label }) => (
            <Table.Th key={name} w={120}>
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {posts.map((post) => (
          <Table.Tr key={post.postGroupId}>
            <Table.Td>
              <AnchorLink to="/posts/$postGroupId" params={{ postGroupId: post.postGroupId }} dir="auto">
                {firstWords(post.content, 70)}
              </AnchorLink>
            </Table.Td>
            {post.isGone ? (
              <Table.Td c="dimmed" colSpan={shown.length}>
                This post no longer exists on {platformName(platform)}.
              </Table.Td>
            ) : (
              shown.map(({ name, label }) => (
                <Table.Td key={name} data-label={label}>
                  <Figure value={post[name]} platform={platform} />
                </Table.Td>
              ))
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </StackTable>
  );
}
