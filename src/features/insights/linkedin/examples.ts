/** Examples for the API reference. A test validates each value against the schema of its route. */

const platformId = 'linkedin-Tz9XW0kq1a';
const postedId = 'urn:li:share:7160000000000000001';
const dateRange = { start: { year: 2027, month: 3, day: 1 }, end: { year: 2027, month: 3, day: 3 } };

export const getLinkedinFollowers = {
  request: { platformId, period: 'daily', dateRange },
  response: {
    success: true,
    data: [
      { date: '2027-03-01', count: 12 },
      { date: '2027-03-02', count: 7 },
    ],
    totalGrowth: 19,
    cached: false,
  },
};
export const getLinkedinProfileSummary = {
  request: { platformId },
  response: {
    success: true,
    profile: {
      followers: { total: 1842 },
      posts: {
        totalImpressions: 25310,
        totalMembersReached: 11020,
        totalReactions: 640,
        totalComments: 85,
        totalReshares: 31,
      },
    },
  },
};
export const getLinkedinPostStatistics = {
  request: { postedId, platformId, queryTypes: ['IMPRESSION', 'REACTION'] },
  response: { success: true, metrics: { IMPRESSION: 912, REACTION: 40 }, cached: false },
};
export const getLinkedinAccountStatistics = {
  request: { platformId, queryType: 'IMPRESSION', aggregation: 'DAILY', dateRange },
  response: {
    success: true,
    data: [{ count: 310, dateRange: { start: dateRange.start, end: { year: 2027, month: 3, day: 2 } } }],
    aggregation: 'DAILY',
    cached: false,
  },
};
