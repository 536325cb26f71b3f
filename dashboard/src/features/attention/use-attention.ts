import type { Connection } from '@crier/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAllChannels } from '../../lib/brands/own-and-brands.ts';
import { useBrands } from '../../lib/brands/use-brands.ts';
import type { PostSummary } from '../../lib/posts/post-summary.ts';
import { needsAttention } from '../channels/channel-list.ts';
import { troubles } from './attention.ts';
import { failedPostsQuery, maxFailed, nextPostsQuery } from './attention-queries.ts';
import { useDismissed } from './dismissed.ts';

const none: readonly PostSummary[] = [];
const noChannels: readonly Connection[] = [];
const noPosts = { posts: none, hasMore: false };

/**
 * The channels and posts of all brands that wait for the person. At most three requests, no matter how many channels
 * are broken.
 */
export function useAttention() {
  const { data: known } = useAllChannels();
  const channels = known ?? noChannels;
  // Until the brands are known, the channels may be those of one.
  const isKnown = useBrands() !== undefined && known !== undefined;
  const { data: allFailed = none } = useQuery(failedPostsQuery);
  const isDismissed = useDismissed();
  const failed = useMemo(() => allFailed.filter((post) => !isDismissed(post)), [allFailed, isDismissed]);
  const broken = channels.filter(needsAttention);
  const { data: scheduled = noPosts } = useQuery({ ...nextPostsQuery, enabled: isKnown });
  const next = isKnown ? scheduled : noPosts;
  const found = useMemo(() => troubles(channels, failed, next), [channels, failed, next]);
  const stranded = useMemo(() => [...new Set(found.flatMap((trouble) => trouble.stranded))], [found]);
  return { troubles: found, broken, failed, stranded };
}

/** How a count is shown: failed posts are only counted up to a limit. */
export const shownCount = (number: number): string => (number >= maxFailed ? `${maxFailed - 1}+` : String(number));
