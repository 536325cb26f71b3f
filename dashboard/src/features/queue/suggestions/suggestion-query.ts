import { queryOptions } from '@tanstack/react-query';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { hasNumbers, postNumbersQuery } from '../../insights/insights-queries.ts';
import { bestHours, commonSuggestion, type PostResult, type Suggestion } from './suggested-slots.ts';

/** The statistics cover the latest 20 posts. More of the list is read, because some of it has no statistics. */
const listed = 50;

/** Times for the slots of a channel, or of all. */
export const suggestionQuery = (channel: string | null, zone: string) =>
  queryOptions({
    queryKey: [...keys.slots, 'suggestion', channel, zone],
    queryFn: async ({ client, signal }): Promise<Suggestion> => {
      if (channel === null)
        return commonSuggestion('To get times from your statistics, choose one channel in the queue.');
      const network = platformName(platformOf(channel));
      if (!hasNumbers(platformOf(channel))) return commonSuggestion(`${network} reports no statistics.`);
      try {
        const results = await resultsOf(channel);
        return bestHours(results, zone) ?? commonSuggestion('This channel has too few recent posts to compare.');
      } catch {
        return commonSuggestion(`${network} didn’t return any statistics.`);
      }

      async function resultsOf(id: string): Promise<PostResult[]> {
        const [{ posts: numbers }, { posts }] = await Promise.all([
          client.fetchQuery(postNumbersQuery(id)),
          postsApi.listCompact({ channel: id, status: 'published,partially_published', limit: listed }, signal),
        ]);
        const targets = posts.flatMap(({ postGroupId, platforms }) =>
          platforms
            .filter(({ platformId }) => platformId === id)
            .map(({ publishedAt }) => ({ postGroupId, publishedAt })),
        );
        const times = new Map(targets.map(({ postGroupId, publishedAt }) => [postGroupId, publishedAt]));
        return numbers.flatMap(({ postGroupId, isGone, reactions, comments, reposts }) => {
          const publishedAt = times.get(postGroupId);
          if (!publishedAt || isGone || (reactions === null && comments === null && reposts === null)) return [];
          return [{ publishedAt, interactions: (reactions ?? 0) + (comments ?? 0) + (reposts ?? 0) }];
        });
      }
    },
    staleTime: 5 * 60_000,
  });
