/** Examples for the API reference. A test validates each value against the schema of its route. */

const platformId = 'mastodon-109348222000000001';

export const getPostStatistics = {
  request: { posts: [{ platform: 'mastodon', platformId, postedId: '114100000000000001' }] },
  response: {
    success: true,
    stats: {
      '114100000000000001': {
        reactions: 24,
        comments: 3,
        reposts: 9,
        quotes: null,
        saves: null,
        impressions: null,
        reach: null,
        clicks: null,
      },
    },
  },
};

export const getProfileStatistics = {
  request: { platform: 'mastodon', platformId },
  response: {
    success: true,
    profile: { followers: 512, following: 80, posts: 1203 },
    cached: false,
    fetchedAt: '2027-03-04T09:00:00.000Z',
  },
};
