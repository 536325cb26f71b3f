import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { linkedinStage } from '../../../../test/support/stages/linkedin.ts';
import { buildServer } from '../../../surfaces/server.ts';

const clock = testClock();
const stage = linkedinStage({ clock });
let platformId: string;
let postedId: string;
let pageId: string;
let pagePost: string;
beforeAll(async () => {
  const [friend, mine, page] = [
    await stage.aMember('friend'),
    await stage.aConnection(stage.ada(), 'ada'),
    await stage.aConnection(stage.ada(), 'company-ada'),
  ];
  [platformId, pageId] = [mine.platformId, page.platformId];
  postedId = await mine.member.publish('Counted');
  pagePost = await page.member.publish('Counted too');
  for (const post of [postedId, pagePost]) {
    await friend.comment(post, 'One');
    await friend.comment(post, 'Two');
    await friend.react(post, 'LIKE');
  }
});

/** A member without cached statistics. */
const another = (handle?: string) => stage.aConnection(stage.ada(), handle);
const ask = async (path: string, body: object) => {
  const answer = await stage.ada().call('POST', path, { platformId, ...body });
  return [answer.status, answer.body];
};
const day = (number: number) => ({ year: 2027, month: 3, day: number });
const dateRange = { start: day(3), end: day(6) };
const counted = { IMPRESSION: 36, MEMBERS_REACHED: 27, RESHARE: 0, REACTION: 1, COMMENT: 2 };
const all = Object.keys(counted);
const calls = async (path: string) => (await stage.requests()).filter((request) => request.path.startsWith(path));

const rangeErrors: [error: string, ...ranges: unknown[]][] = [
  ['dateRange must be an object', 'x', 7, []],
  ["dateRange must have both 'start' and 'end' objects", {}, { start: day(1) }, { start: day(1), end: 'x' }],
  [
    'dateRange.start and dateRange.end must have: year, month, day',
    { start: {}, end: day(2) },
    { start: day(1), end: { year: 2027, month: 3 } },
    { start: day(1), end: { ...day(1), month: 13 } },
    { start: day(1), end: { year: 2027, month: 2, day: 30 } },
    { start: { ...day(1), year: '2027' }, end: day(2) },
  ],
  ['dateRange.start must be before dateRange.end', { start: day(2), end: day(1) }, { start: day(1), end: day(1) }],
];

test.for([
  ['/linkedin-followers', {}],
  ['/linkedin-profile-summary', {}],
  ['/linkedin-post-statistics', { postedId: 'urn:li:share:1', queryType: 'COMMENT' }],
  ['/linkedin-account-statistics', { queryType: 'COMMENT' }],
] as const)('7 403 ANALYTICS_PLAN_REQUIRED, whatever the body is: %s', async ([path, body]) => {
  const starter = await stage.service().aUser({ plan: 'starter' });
  const connection = await stage.aConnection(starter, `starter-${path.length}`);
  const error = { error: 'Analytics requires a Pro or Premium plan', code: 'ANALYTICS_PLAN_REQUIRED' };
  for (const sent of [{ platformId: connection.platformId, ...body }, {}]) {
    const answer = await starter.call('POST', path, sent);
    expect([answer.status, answer.body]).toEqual([403, error]);
  }
});

describe('[linkedin-followers] POST /linkedin-followers', () => {
  test.for([
    ['of a member', () => platformId, 100],
    ['of a page', () => pageId, 1234],
  ] as const)('[linkedin-followers.cache] lifetime %s is cached for 2 hours', async ([, id, followersCount]) => {
    const body = { platformId: id(), period: 'LifeTime' };
    expect(await ask('/linkedin-followers', body)).toEqual([200, { success: true, followersCount, cached: false }]);
    clock.advance({ seconds: 7199 });
    expect(await ask('/linkedin-followers', body)).toEqual([200, { success: true, followersCount, cached: true }]);
    clock.advance({ seconds: 2 });
    expect(await ask('/linkedin-followers', body)).toMatchObject([200, { cached: false }]);
  });

  test.for([
    ['of a member', () => platformId],
    ['of a page', () => pageId],
  ] as const)('[linkedin-followers.daily] daily %s', async ([, id]) => {
    const body = { platformId: id(), period: 'daily', dateRange };
    const data = ['2027-03-03', '2027-03-04', '2027-03-05'].map((date) => ({ date, count: 2 }));
    const answer = { success: true, data, totalGrowth: 6 };
    expect(await ask('/linkedin-followers', body)).toEqual([200, { ...answer, cached: false }]);
    expect(await ask('/linkedin-followers', body)).toEqual([200, { ...answer, cached: true }]);
  });

  test.for<[error: string, ...bodies: object[]]>([
    ['platformId is required', { platformId: null }],
    ['period must be a string', { period: 7 }],
    ['Invalid period. Must be one of: lifetime, daily', { period: 'weekly' }],
    ['dateRange is required for daily period', { period: 'daily' }, { period: 'daily', dateRange: null }],
    ...rangeErrors.map(([error, ...ranges]): [string, ...object[]] => [
      error,
      ...ranges.map((range) => ({ period: 'daily', dateRange: range })),
    ]),
  ])('[linkedin-followers.errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) expect(await ask('/linkedin-followers', body)).toEqual([400, { error }]);
  });

  test('[linkedin-followers.failed] 500 Failed to fetch LinkedIn followers statistics, which is not cached', async () => {
    const { platformId } = await another();
    await stage.fault({ kind: 'status', operation: 'stats', status: 500 });
    const error = 'Failed to fetch LinkedIn followers statistics';
    expect(await ask('/linkedin-followers', { platformId })).toMatchObject([500, { error }]);
    expect(await ask('/linkedin-followers', { platformId })).toMatchObject([200, { cached: false }]);
  });

  test('[linkedin.forwarded] a refusal of LinkedIn keeps its status', async () => {
    const { platformId } = await another();
    await stage.fault({ kind: 'rate_limit', operation: 'stats' });
    expect(await ask('/linkedin-followers', { platformId })).toMatchObject([429, { error: 'LINKEDIN_RATE_LIMITED' }]);
    await stage.fault({ kind: 'status', operation: 'stats', status: 403 });
    expect((await ask('/linkedin-followers', { platformId }))[0]).toBe(403);
  });
});

describe('[linkedin-profile-summary] POST /linkedin-profile-summary', () => {
  const posts = {
    totalImpressions: 36,
    totalMembersReached: 27,
    totalReactions: 1,
    totalComments: 2,
    totalReshares: 0,
  };

  test('[linkedin-profile-summary.response] has everything, with the growth of a period if one is given', async () => {
    const profile = { followers: { total: 100 }, posts };
    expect(await ask('/linkedin-profile-summary', {})).toEqual([200, { success: true, profile }]);
    const followers = { total: 100, periodGrowth: 6 };
    expect(await ask('/linkedin-profile-summary', { dateRange })).toEqual([
      200,
      { success: true, profile: { followers, posts } },
    ]);
    expect(await ask('/linkedin-profile-summary', { platformId: pageId })).toEqual([
      200,
      { success: true, profile: { followers: { total: 1234 }, posts } },
    ]);
  });

  test('[linkedin-profile-summary.unavailable] a metric is null when LinkedIn returns -1', async () => {
    const { platformId } = await another('uncounted-1');
    const [status, body] = await ask('/linkedin-profile-summary', { platformId });
    expect([status, body.success, body.profile.posts.totalMembersReached]).toEqual([200, true, null]);
  });

  test('[linkedin-profile-summary.partial] a metric that fails is 0 and listed in the errors', async () => {
    const texts: Record<string, string> = {
      followersLifetime: 'Failed to fetch follower count',
      followersPeriod: 'Failed to fetch follower growth',
      post_IMPRESSION: 'Failed to fetch impression count',
      post_MEMBERS_REACHED: 'Failed to fetch members_reached count',
      post_REACTION: 'Failed to fetch reaction count',
      post_COMMENT: 'Failed to fetch comment count',
      post_RESHARE: 'Failed to fetch reshare count',
    };
    const { platformId } = await another();
    await stage.fault({ kind: 'status', operation: 'stats', status: 500, times: 6 });
    const [status, body] = await ask('/linkedin-profile-summary', { platformId, dateRange });
    expect([status, body.success, body.partialData]).toEqual([200, false, true]);
    const failed = body.errors.map(({ metric }: { metric: string }) => metric);
    expect(failed).toHaveLength(6);
    for (const { metric, error } of body.errors) expect(error).toBe(texts[metric]);
    const { total, periodGrowth } = body.profile.followers;
    const numbers = { followersLifetime: total, followersPeriod: periodGrowth };
    for (const [name, number] of Object.entries(numbers)) if (failed.includes(name)) expect(number).toBe(0);
    expect(Object.values(body.profile.posts)).toEqual([0, 0, 0, 0, 0]);
  });

  test('[linkedin-profile-summary.nothing] 502 Failed to fetch LinkedIn profile data, if everything fails', async () => {
    const { platformId } = await another();
    await stage.fault({ kind: 'status', operation: 'stats', status: 500, times: 6 });
    const [status, body] = await ask('/linkedin-profile-summary', { platformId });
    expect([status, body]).toMatchObject([502, { error: 'Failed to fetch LinkedIn profile data', success: false }]);
    expect(body.errors).toHaveLength(6);
  });

  test.for<[error: string, ...bodies: object[]]>([
    ['platformId is required', { platformId: null }],
    ...rangeErrors.map(([error, ...ranges]): [string, ...object[]] => [
      error,
      ...ranges.map((range) => ({ dateRange: range })),
    ]),
  ])('[linkedin-profile-summary.fields] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) expect(await ask('/linkedin-profile-summary', body)).toEqual([400, { error }]);
  });
});

const queryErrors: [error: string, ...bodies: object[]][] = [
  ['queryType or queryTypes is required', {}, { queryTypes: [] }],
  ['Use either queryType or queryTypes, not both', { queryType: 'COMMENT', queryTypes: ['COMMENT'] }],
  [
    'Invalid queryType. Must be one of: IMPRESSION, MEMBERS_REACHED, RESHARE, REACTION, COMMENT',
    { queryType: 'comment' },
    { queryType: 'ALL' },
    { queryType: 7 },
  ],
  [
    'Invalid queryTypes: likes, 7. Must be one of: IMPRESSION, MEMBERS_REACHED, RESHARE, REACTION, COMMENT, or "ALL"',
    { queryTypes: ['likes', 'comment', 7] },
  ],
];

describe('[linkedin-post-statistics] POST /linkedin-post-statistics', () => {
  const path = '/linkedin-post-statistics';

  test.for(Object.entries(counted))(
    '[linkedin-post-statistics.cache] %s alone is cached for 30 minutes',
    async ([queryType, count]) => {
      const body = { postedId, queryType };
      expect(await ask(path, body)).toEqual([200, { success: true, count, cached: false }]);
      clock.advance({ seconds: 1799 });
      expect(await ask(path, body)).toEqual([200, { success: true, count, cached: true }]);
      clock.advance({ seconds: 2 });
      expect(await ask(path, body)).toMatchObject([200, { cached: false }]);
    },
  );

  test('[linkedin-post-statistics.multiple] several in one call, and which of them are cached', async () => {
    const { platformId, member } = await another();
    const body = { platformId, postedId: await member.publish('Several'), queryTypes: ['comment', 'Reaction'] };
    const metrics = { REACTION: 0, COMMENT: 0 };
    expect(await ask(path, body)).toEqual([200, { success: true, metrics, cached: false }]);
    const [status, answer] = await ask(path, { ...body, queryTypes: 'all' });
    expect([status, answer]).toEqual([
      200,
      {
        success: true,
        metrics: { IMPRESSION: 0, MEMBERS_REACHED: 0, RESHARE: 0, REACTION: 0, COMMENT: 0 },
        cachedMetrics: ['REACTION', 'COMMENT'],
        cached: true,
      },
    ]);
  });

  test('[linkedin-post-statistics.multiple] one call returns all metrics of a page', async () => {
    const resource = '/rest/organizationalEntityShareStatistics';
    const before = (await calls(resource)).length;
    const body = { platformId: pageId, postedId: pagePost, queryTypes: ['ALL'] };
    expect(await ask(path, body)).toEqual([200, { success: true, metrics: counted, cached: false }]);
    expect(await ask(path, body)).toMatchObject([200, { cachedMetrics: all, cached: true }]);
    expect(await calls(resource)).toHaveLength(before + 1);
  });

  test('[linkedin-post-statistics.fields] the post can be given by the number of its share or as an activity with that number', async () => {
    const number = postedId.split(':').at(-1);
    for (const name of [number, `urn:li:activity:${number}`]) {
      expect(await ask(path, { postedId: name, queryType: 'COMMENT' })).toMatchObject([200, { count: 2 }]);
    }
  });

  test('[linkedin-post-statistics.unavailable] -1 is null, without an error', async () => {
    const { platformId, member } = await another('uncounted-2');
    const body = { platformId, postedId: await member.publish('Reached nobody knows whom') };
    const single = await ask(path, { ...body, queryType: 'MEMBERS_REACHED' });
    expect(single).toEqual([200, { success: true, count: null, cached: false }]);
    const several = await ask(path, { ...body, queryTypes: ['MEMBERS_REACHED', 'COMMENT'] });
    const metrics = { MEMBERS_REACHED: null, COMMENT: 0 };
    expect(several).toEqual([200, { success: true, metrics, cachedMetrics: ['MEMBERS_REACHED'], cached: true }]);
  });

  test('[linkedin-post-statistics.partial] partial failure: Failed to fetch metric from LinkedIn', async () => {
    const { platformId, member } = await another();
    const body = { platformId, postedId: await member.publish('Half counted') };
    await ask(path, { ...body, queryType: 'COMMENT' });
    await stage.fault({ kind: 'status', operation: 'stats', status: 500 });
    expect(await ask(path, { ...body, queryTypes: ['COMMENT', 'REACTION'] })).toEqual([
      200,
      {
        success: false,
        metrics: { COMMENT: 0, REACTION: null },
        errors: [{ metric: 'REACTION', error: 'Failed to fetch metric from LinkedIn' }],
        cachedMetrics: ['COMMENT'],
        cached: true,
      },
    ]);
  });

  test('[linkedin-post-statistics.failed] a single metric that fails is 500, and a refusal has its own status', async () => {
    const body = { postedId: 'urn:li:share:1', queryType: 'COMMENT' };
    const error = 'Failed to fetch metric from LinkedIn';
    expect(await ask(path, body)).toMatchObject([403, { error }]);
    await stage.fault({ kind: 'status', operation: 'stats', status: 500 });
    expect(await ask(path, body)).toMatchObject([500, { error }]);
  });

  test('[linkedin-post-statistics.failed] if all metrics fail for a known reason, the reason is the answer', async () => {
    const { platformId, member } = await another();
    const body = { platformId, postedId: await member.publish('Not now'), queryTypes: 'ALL' };
    await stage.fault({ kind: 'rate_limit', operation: 'stats', times: 5 });
    expect(await ask(path, body)).toMatchObject([429, { error: 'LINKEDIN_RATE_LIMITED' }]);
  });

  test.for<[error: string, ...bodies: object[]]>([
    ['postedId and platformId are required', {}, { postedId: '' }, { postedId: '1', platformId: null }],
    ['postedId and platformId must be strings', { postedId: 7 }],
    ['postedId must be a valid LinkedIn URN', { postedId: 'x' }, { postedId: 'urn:li:person:1' }],
  ])('[linkedin-post-statistics.errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) expect(await ask(path, { queryType: 'COMMENT', ...body })).toEqual([400, { error }]);
  });

  test.for(queryErrors)('[linkedin-post-statistics.errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) expect(await ask(path, { postedId, ...body })).toEqual([400, { error }]);
  });

  test('8 200 identical concurrent requests, in two processes, are one call to LinkedIn', async () => {
    const { platformId, member } = await another();
    const payload = { platformId, postedId: await member.publish('Asked by many'), queryType: 'COMMENT' };
    await stage.fault({ kind: 'latency', operation: 'stats', latencyMs: 300 });
    const { app, server } = stage.service();
    // Requests in progress are cached per database handle, so another handle simulates another process.
    const other = await buildServer({
      ...app,
      db: app.db.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => result }),
    });
    const headers = { 'x-service-key': stage.ada().apiKey };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        (index % 2 ? server : other).inject({ method: 'POST', url: `/api/v1${path}`, headers, payload }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.json().count))).toEqual(new Set([0]));
    const entity = encodeURIComponent(payload.postedId);
    const asked = (await calls('/rest/memberCreatorPostAnalytics')).filter((request) => request.path.includes(entity));
    expect(asked).toHaveLength(1);
    await other.close();
  });
});

describe('[linkedin-account-statistics] POST /linkedin-account-statistics', () => {
  const path = '/linkedin-account-statistics';

  test.for([
    ['a member', () => platformId],
    ['a page', () => pageId],
  ] as const)('[linkedin-account-statistics.single] TOTAL of %s, of all time or of a period', async ([, id]) => {
    const body = { platformId: id(), queryType: 'COMMENT' };
    const answer = { success: true, data: 2, aggregation: 'TOTAL' };
    expect(await ask(path, body)).toMatchObject([200, answer]);
    expect(await ask(path, { ...body, aggregation: 'total', dateRange })).toMatchObject([200, answer]);
    const later = { start: day(6), end: day(7) };
    expect(await ask(path, { ...body, dateRange: later })).toMatchObject([200, { data: 0 }]);
  });

  test.for([
    ['a member', () => platformId],
    ['a page', () => pageId],
  ] as const)('[linkedin-account-statistics.single] DAILY of %s', async ([, id]) => {
    const body = { platformId: id(), aggregation: 'daily', dateRange };
    const data = [
      { count: 0, dateRange: { start: day(3), end: day(4) } },
      { count: 2, dateRange: { start: day(4), end: day(5) } },
      { count: 0, dateRange: { start: day(5), end: day(6) } },
    ];
    const single = await ask(path, { ...body, queryType: 'COMMENT' });
    expect(single).toEqual([200, { success: true, data, aggregation: 'DAILY', cached: false }]);
    const [status, several] = await ask(path, { ...body, queryTypes: ['COMMENT', 'RESHARE'] });
    expect([status, several]).toMatchObject([200, { success: true, aggregation: 'DAILY', cached: true }]);
    expect(several.metrics).toEqual({ RESHARE: data.map((point) => ({ ...point, count: 0 })), COMMENT: data });
  });

  test.for([() => platformId, () => pageId])(
    '[linkedin-account-statistics.daily-all] ALL with DAILY leaves out what has no daily form',
    async (id) => {
      for (const queryTypes of ['ALL', ['all']]) {
        const [status, body] = await ask(path, { platformId: id(), queryTypes, aggregation: 'DAILY' });
        expect([status, Object.keys(body.metrics)]).toEqual([200, ['IMPRESSION', 'RESHARE', 'REACTION', 'COMMENT']]);
        expect(body).toMatchObject({ success: true, aggregation: 'DAILY' });
      }
    },
  );

  test('[linkedin-account-statistics.daily-all] DAILY without a date range covers the last days', async () => {
    for (const id of [platformId, pageId]) {
      const [status, body] = await ask(path, { platformId: id, queryType: 'COMMENT', aggregation: 'DAILY' });
      expect([status, body.data.length]).toEqual([200, 7]);
    }
  });

  test('[linkedin-account-statistics.multiple] several in one call, and which of them are cached', async () => {
    const { platformId } = await another();
    await ask(path, { platformId, queryType: 'COMMENT' });
    const [status, body] = await ask(path, { platformId, queryTypes: ['ALL'] });
    const metrics = { IMPRESSION: 0, MEMBERS_REACHED: 0, RESHARE: 0, REACTION: 0, COMMENT: 0 };
    const answer = { success: true, metrics, aggregation: 'TOTAL', cachedMetrics: ['COMMENT'], cached: true };
    expect([status, body]).toEqual([200, answer]);
  });

  test('[linkedin-account-statistics.single] -1 is null', async () => {
    const { platformId } = await another('uncounted-3');
    const answer = { success: true, data: null, aggregation: 'TOTAL', cached: false };
    expect(await ask(path, { platformId, queryType: 'MEMBERS_REACHED' })).toEqual([200, answer]);
  });

  test('[linkedin-account-statistics.failed] 500 Failed to fetch metric from LinkedIn', async () => {
    const { platformId } = await another();
    await stage.fault({ kind: 'status', operation: 'stats', status: 500 });
    const error = 'Failed to fetch metric from LinkedIn';
    expect(await ask(path, { platformId, queryType: 'COMMENT' })).toMatchObject([500, { error }]);
  });

  test.for<[error: string, ...bodies: object[]]>([
    ['aggregation must be a string', { aggregation: 7 }],
    ['Invalid aggregation. Must be one of: DAILY, TOTAL', { aggregation: 'WEEKLY' }],
    [
      'MEMBERS_REACHED with DAILY aggregation is not supported by LinkedIn API',
      { aggregation: 'DAILY', queryType: 'MEMBERS_REACHED' },
      { aggregation: 'DAILY', queryType: null, queryTypes: ['COMMENT', 'MEMBERS_REACHED'] },
      { aggregation: 'DAILY', queryType: null, queryTypes: ['ALL', 'MEMBERS_REACHED'] },
    ],
    ['platformId is required', { platformId: null }],
    ...rangeErrors.map(([error, ...ranges]): [string, ...object[]] => [
      error,
      ...ranges.map((range) => ({ dateRange: range })),
    ]),
  ])('[linkedin-account-statistics.errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) expect(await ask(path, { queryType: 'COMMENT', ...body })).toEqual([400, { error }]);
  });

  test.for(queryErrors)('[linkedin-account-statistics.errors] 400 %s', async ([error, ...bodies]) => {
    for (const body of bodies) expect(await ask(path, body)).toEqual([400, { error }]);
  });
});

test.for([
  ['4.7', '/linkedin-followers', 'Failed to fetch LinkedIn followers statistics'],
  ['4.8', '/linkedin-profile-summary', 'Failed to fetch LinkedIn profile summary'],
  ['4.9', '/linkedin-post-statistics', 'Failed to fetch LinkedIn post statistics'],
  ['4.10', '/linkedin-account-statistics', 'Failed to fetch LinkedIn account statistics'],
] as const)('%s %s: 500 %s, when the trouble is our own', async ([, path, error]) => {
  const { db } = stage.service().app;
  const body = path === '/linkedin-post-statistics' ? { postedId } : {};
  const queryTypes = /post-|account-/.test(path) ? { queryTypes: 'ALL' } : {};
  await sql`alter table statistics_cache rename to gone`.execute(db);
  const answer = await ask(path, { ...body, ...queryTypes }).finally(() =>
    sql`alter table gone rename to statistics_cache`.execute(db),
  );
  expect(answer).toEqual([500, { error }]);
});
