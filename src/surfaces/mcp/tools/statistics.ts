import type { JSONObject, JSONValue } from '@modelcontextprotocol/server';
import type { ArgumentsSchema, Tool } from '../tool.ts';

export const statisticsTools: readonly Tool[] = [
  {
    name: 'post_stats',
    title: 'Read the statistics of posts',
    description:
      'Reads the reactions, comments and reposts of 1 to 50 published posts of one account. postedIds are the postedId values from get_post or list_posts. Results are cached for two hours.',
    operationId: 'getPostStatistics',
    effect: 'read',
    isOpenWorld: true,
    input: ({ properties: { posts = {} } }) => perAccount(posts),
    fields: ({ platform, platformId, postedIds, ...args }) => ({
      ...args,
      posts: [postedIds].flat().map((postedId) => ({ platform, platformId, postedId })),
    }),
  },
  {
    name: 'profile_stats',
    title: 'Read the statistics of a profile',
    description: 'Reads the number of followers, followed accounts and posts of one account. Cached for two hours.',
    operationId: 'getProfileStatistics',
    effect: 'read',
    isOpenWorld: true,
  },
];

/** The operation takes a list of posts, each with its account; the tool takes one account and the ids of its posts. */
function perAccount({ items, ...list }: JSONObject): ArgumentsSchema {
  const { platform = {}, platformId = {}, postedId = {} } = objectIn(objectIn(items).properties);
  return {
    type: 'object',
    properties: {
      platform: objectIn(platform),
      platformId: objectIn(platformId),
      postedIds: { ...list, items: postedId },
    },
    required: ['platform', 'platformId', 'postedIds'],
  };
}

const objectIn = (value: JSONValue | undefined): JSONObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
