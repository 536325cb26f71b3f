import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { channelsQuery } from '../queries.ts';
import type { PostSummary } from './post-summary.ts';
import { channelKey, strandedNote } from './stranded.ts';

/** The note on a post of the page's brand. While the channels load, none counts as disconnected. */
export function useStranded(): (post: PostSummary) => string | null {
  const { data } = useQuery(channelsQuery);
  const channels = useMemo(() => data && new Set(data.map(channelKey)), [data]);
  return useCallback((post) => (channels ? strandedNote(post, channels) : null), [channels]);
}
