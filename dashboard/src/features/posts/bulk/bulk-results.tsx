import { Group, ScrollArea, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { AnchorLink } from '../../../components/links.tsx';
import { reasonOf } from '../../../components/notify.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { searchOf } from '../../../lib/brands/brand.ts';
import { useBrandOf } from '../../../lib/brands/use-brands.ts';
import { reasonOf as failureOf, firstWords, type PostSummary, shownStatus } from '../../../lib/posts/post-summary.ts';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import type { PostRow } from '../list/rows.ts';
import type { Outcome } from './changes.ts';

/** The result for each post that was tried. `followed`: shows how the publication of the posts goes on. */
export function BulkResults({
  posts,
  outcomes,
  followed,
}: {
  posts: readonly PostRow[];
  outcomes: ReadonlyMap<string, Outcome>;
  followed: string | null;
}) {
  const statuses = usePublished(followed, [...outcomes.values()]);
  const tried = posts.flatMap((post) => {
    const outcome = outcomes.get(post.postGroupId);
    return outcome ? [{ post, outcome }] : [];
  });
  return (
    <ScrollArea.Autosize mah="min(360px, 50vh)" type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Results' }}>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {tried.map(({ post, outcome }) => (
          <Result key={post.postGroupId} post={post} outcome={outcome} current={statuses.get(post.postGroupId)} />
        ))}
      </Stack>
    </ScrollArea.Autosize>
  );
}

function Result({ post, outcome, current }: { post: PostRow; outcome: Outcome; current: PostSummary | undefined }) {
  const brand = useBrandOf()(post);
  const target = outcome.kind === 'done' && outcome.postGroupId ? outcome.postGroupId : post.postGroupId;
  const Icon = { done: IconCheck, skipped: IconMinus, failed: IconAlertTriangle }[outcome.kind];
  const color = { done: 'green', skipped: 'dimmed', failed: 'red' }[outcome.kind];
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <Text c={color} lh={1} pt={3} aria-hidden>
        <Icon size={16} />
      </Text>
      <div style={{ minWidth: 0, flex: 1 }}>
        {post.draftId ? (
          <Text size="sm" truncate dir="auto">
            {firstWords(post.content, 60)}
          </Text>
        ) : (
          <AnchorLink
            to="/posts/$postGroupId"
            params={{ postGroupId: target }}
            search={searchOf(brand)}
            size="sm"
            truncate
            display="block"
            dir="auto"
          >
            {firstWords(post.content, 60)}
          </AnchorLink>
        )}
        <Text size="xs" c="dimmed" dir="auto">
          {outcome.kind === 'failed' ? reasonOf(outcome.error) : ((current && failureOf(current)) ?? outcome.text)}
        </Text>
      </div>
      {current && <StatusBadge status={shownStatus(current)} flex="none" />}
    </Group>
  );
}

/** The posts of this change as they are now, read together. They were all scheduled for the moment of their change. */
function usePublished(followed: string | null, outcomes: readonly Outcome[]): ReadonlyMap<string, PostSummary> {
  const times = outcomes.flatMap((outcome) => (outcome.kind === 'done' && outcome.at ? [outcome.at] : [])).sort();
  const [from, to] = [times[0], times.at(-1)];
  const { data } = useQuery({
    queryKey: [...keys.posts, 'published together', followed, from, to],
    queryFn: async ({ signal }) =>
      (await postsApi.listCompact({ from: from!, to: to!, sortBy: 'scheduledTime', limit: 1000 }, signal)).posts,
    enabled: followed !== null && from !== undefined,
    placeholderData: (before) => before,
    // Events of the service also refresh it.
    refetchInterval: ({ state }) => (state.data?.every((post) => isEnded(post)) === false ? 3000 : false),
  });
  return new Map(data?.map((post) => [post.postGroupId, post]));
}

const isEnded = (post: PostSummary) => !['scheduled', 'publishing'].includes(shownStatus(post));
