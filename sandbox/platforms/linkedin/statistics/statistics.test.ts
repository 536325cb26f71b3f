import { describe, expect, test } from 'vitest';
import { idOf, startLinkedIn } from '../testing.ts';

const enc = encodeURIComponent;
const today = Date.parse('2026-11-15');
const dayMs = 86_400_000;

describe('LinkedIn statistics', () => {
  test('a member reads one metric at a time, of one post or of all', async () => {
    const { ann, post } = await createBusyPost('ann');
    const ask = async (query: string) =>
      (await (await ann.get(`/rest/memberCreatorPostAnalytics?${query}`)).json()).elements;
    const entity = `q=entity&entity=(share:${enc(post)})&aggregation=TOTAL`;
    const counts: Record<string, number> = {};
    for (const metric of ['REACTION', 'COMMENT', 'RESHARE', 'IMPRESSION', 'MEMBERS_REACHED', 'POST_SAVE']) {
      const [element] = await ask(`${entity}&queryType=${metric}`);
      expect(element).toMatchObject({ metricType: metric, targetEntity: { share: post } });
      counts[metric] = element.count;
    }
    expect(counts).toEqual({ REACTION: 1, COMMENT: 2, RESHARE: 1, IMPRESSION: 48, MEMBERS_REACHED: 36, POST_SAVE: 0 });
    const range = 'dateRange=(start:(day:14,month:11,year:2026),end:(day:16,month:11,year:2026))';
    expect(await ask(`q=me&queryType=REACTION&aggregation=DAILY&${range}`)).toMatchObject([
      { count: 0, dateRange: { start: { day: 14, month: 11, year: 2026 }, end: { day: 15, month: 11, year: 2026 } } },
      { count: 1, dateRange: { start: { day: 15, month: 11, year: 2026 } } },
    ]);
  });

  test('the reach of an uncounted member is -1', async () => {
    const { ann, post } = await createBusyPost('uncounted-ann');
    const ask = async (query: string, metric: string) => {
      const path = `/rest/memberCreatorPostAnalytics?${query}&queryType=${metric}&aggregation=TOTAL`;
      return (await (await ann.get(path)).json()).elements[0].count;
    };
    for (const query of ['q=me', `q=entity&entity=(share:${enc(post)})`]) {
      expect([await ask(query, 'MEMBERS_REACHED'), await ask(query, 'COMMENT')]).toEqual([-1, 2]);
    }
  });

  test('before 202605 the metric is wrapped, and before 202604 newer metrics are unknown', async () => {
    const { ann } = await createBusyPost('ann');
    const ask = (metric: string, version: string) =>
      ann.get(`/rest/memberCreatorPostAnalytics?q=me&queryType=${metric}`, { 'linkedin-version': version });
    expect((await (await ask('REACTION', '202604')).json()).elements[0].metricType).toEqual({
      'com.linkedin.adsexternalapi.memberanalytics.v1.CreatorPostAnalyticsMetricTypeV1': 'REACTION',
    });
    expect([(await ask('POST_SAVE', '202604')).status, (await ask('POST_SAVE', '202603')).status]).toEqual([200, 400]);
  });

  test.each([
    ['an unknown metric', 'q=me&queryType=LIKES', 400],
    ['reach by day', 'q=me&queryType=MEMBERS_REACHED&aggregation=DAILY', 400],
    [
      'a range that ends before it starts',
      'q=me&queryType=REACTION&dateRange=(start:(day:2,month:1,year:2026),end:(day:1,month:1,year:2026))',
      400,
    ],
    ['the post of someone else', 'q=entity&queryType=REACTION&entity=(share:urn%3Ali%3Ashare%3A1)', 403],
    ['a share called ugc', 'q=entity&queryType=REACTION&entity=(ugc:urn%3Ali%3Ashare%3A1)', 400],
  ])('%s is refused', async (_, query, status) => {
    const ann = await (await startLinkedIn()).account('ann');
    expect((await ann.get(`/rest/memberCreatorPostAnalytics?${query}`)).status).toBe(status);
  });

  test('a member’s followers, in total and gained by day', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const ask = async (query: string) => (await (await ann.get(`/rest/memberFollowersCount?${query}`)).json()).elements;
    expect(await ask('q=me')).toEqual([{ memberFollowersCount: 100 }]);
    const range = 'dateRange=(start:(year:2026,month:2,day:27),end:(year:2026,month:3,day:2))';
    expect(await ask(`q=dateRange&${range}`)).toHaveLength(3);
    const without = await linkedin.allowing('ben', 'openid profile');
    expect((await without.get('/rest/memberFollowersCount?q=me')).status).toBe(403);
  });

  test('a page’s posts are counted together, one by one and by day; posts without engagement are left out', async () => {
    const { ann: acme, post } = await createBusyPost('company-acme');
    const quiet = await acme.published({ commentary: 'Quiet' });
    const path = `/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${enc(acme.urn)}`;
    const ask = async (more = '') => (await (await acme.get(path + more)).json()).elements;
    const counts = { likeCount: 1, commentCount: 2, shareCount: 1, impressionCount: 48, uniqueImpressionsCount: 36 };
    expect(await ask()).toMatchObject([{ organizationalEntity: acme.urn, totalShareStatistics: counts }]);
    const byPost = await ask(`&shares=List(${enc(post)},${enc(quiet)})`);
    expect(byPost).toMatchObject([{ share: post, totalShareStatistics: counts }]);
    const interval = (start: number) =>
      `&timeIntervals=(timeRange:(start:${start},end:${today + dayMs}),timeGranularityType:DAY)`;
    const days = await ask(interval(today - dayMs));
    expect(days.map(({ totalShareStatistics }: (typeof days)[0]) => totalShareStatistics.likeCount)).toEqual([0, 1]);
    const crooked = await acme.get(path + interval(today - 1));
    expect([crooked.status, (await crooked.json()).message]).toEqual([400, "Parameter 'timeIntervals' is invalid"]);
  });

  test('a page’s followers, in total and gained by day', async () => {
    const linkedin = await startLinkedIn();
    const [acme, ben] = [await linkedin.account('company-acme'), await linkedin.account('ben')];
    const size = `/rest/networkSizes/${enc(acme.urn)}?edgeType=COMPANY_FOLLOWED_BY_MEMBER`;
    expect(await (await acme.get(size)).json()).toEqual({ firstDegreeSize: 1234 });
    expect((await ben.get(size)).status).toBe(403);
    const interval = `&timeIntervals=(timeRange:(start:${today - 2 * dayMs},end:${today}),timeGranularityType:DAY)`;
    const gains = `/rest/organizationalEntityFollowerStatistics?q=organizationalEntity&organizationalEntity=${enc(acme.urn)}`;
    expect((await (await acme.get(gains + interval)).json()).elements).toMatchObject([
      { followerGains: { organicFollowerGain: 2, paidFollowerGain: 0 } },
      { timeRange: { start: today - dayMs, end: today } },
    ]);
  });
});

/** A post with one reaction, one comment that has a reply, and one reshare. */
async function createBusyPost(handle: string) {
  const linkedin = await startLinkedIn({ now: () => today + 3_600_000 });
  const [ann, ben] = [await linkedin.account(handle), await linkedin.account('ben')];
  const post = await ann.published();
  await ben.send(`/rest/reactions?actor=${enc(ben.urn)}`, { root: post, reactionType: 'PRAISE' });
  const { commentUrn } = await (await ben.comment(post, 'Nice')).json();
  await ann.comment(commentUrn, 'Thanks');
  idOf(await ben.publish({ commentary: 'Look', reshareContext: { parent: post } }));
  return { ann, post };
}
