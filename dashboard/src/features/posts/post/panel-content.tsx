import type { PostGroup, PostLog } from '@crier/client';
import { Group, Stack, Text } from '@mantine/core';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { BrandName } from '../../../components/brands/brand-name.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { allBrands, useBrand } from '../../../lib/brands/brand.ts';
import { useBrandOf } from '../../../lib/brands/use-brands.ts';
import { isMissing, logsQuery } from '../list/queries.ts';
import { PostActions } from './actions.tsx';
import { statusOf } from './details.ts';
import { PanelSkeleton } from './loading.tsx';
import { PostDetails, PostWhen } from './post-details.tsx';

/** What the post's own page has, for the side panel. */
export default function PanelContent({
  query: { data: post, error, refetch },
  owner,
  onClose,
}: {
  query: UseQueryResult<PostGroup>;
  owner: string | undefined;
  onClose: () => void;
}) {
  if (isMissing(error)) return <Text c="dimmed">This post doesn’t exist. It may have been deleted.</Text>;
  if (post) return <Content post={post} owner={owner} onClose={onClose} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PanelSkeleton />;
}

const none: readonly PostLog[] = [];

function Content({ post, owner, onClose }: { post: PostGroup; owner: string | undefined; onClose: () => void }) {
  const { data: logs = none } = useQuery(logsQuery(post.postGroupId));
  // Links from a list of all brands lead to the pages of the post's own brand.
  const isAll = useBrand() === allBrands;
  const brand = isAll ? { brand: owner } : undefined;
  const named = useBrandOf()({ userId: owner });
  const status = statusOf(post, logs);
  return (
    <Stack gap="lg">
      <Text c="dimmed" size="sm" component="div">
        <PostWhen time={post.scheduledTime} status={status} />
        {isAll && named && (
          <div>
            <BrandName brand={named} />
          </div>
        )}
      </Text>
      <Group gap="xs">
        <PostActions
          post={post}
          isEditable={status === 'draft' || status === 'scheduled'}
          brand={brand}
          onDeleted={onClose}
        />
        <ButtonLink
          to="/posts/$postGroupId"
          params={{ postGroupId: post.postGroupId }}
          search={brand ?? {}}
          variant="subtle"
          px="xs"
          leftSection={<IconArrowsMaximize size={16} aria-hidden />}
        >
          Open full page
        </ButtonLink>
      </Group>
      <PostDetails post={post} />
    </Stack>
  );
}
