import { beforeAll, describe, expect, test } from 'vitest';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { linkedinStage } from '../../../../test/support/stages/linkedin.ts';
import { buildServer } from '../../../surfaces/server.ts';

const stage = linkedinStage();
let platformId: string;
let member: Awaited<ReturnType<typeof stage.aMember>>;
let postedId: string;
beforeAll(async () => {
  ({ platformId, member } = await stage.aConnection(stage.ada()));
  postedId = await (await stage.aMember()).publish('The post');
});

type Method = 'POST' | 'DELETE';
const dateless = { platformId: 'linkedin-x', queryType: 'IMPRESSION' };
/** Every LinkedIn route, with a body that is valid except for the connection. */
const routes: [method: Method, path: string, body: Record<string, unknown>][] = [
  ['POST', '/linkedin-comments', { postedId: 'urn:li:share:1', message: 'Hello' }],
  ['DELETE', '/linkedin-comments', { postedId: 'urn:li:share:1', commentId: '1' }],
  ['POST', '/linkedin-reactions', { postedId: 'urn:li:share:1', reactionType: 'LIKE' }],
  ['DELETE', '/linkedin-reactions', { postedId: 'urn:li:share:1' }],
  ['POST', '/linkedin-reshare', { parent: 'urn:li:share:1' }],
  ['POST', '/linkedin-followers', {}],
  ['POST', '/linkedin-profile-summary', {}],
  ['POST', '/linkedin-post-statistics', { postedId: 'urn:li:share:1', queryType: 'COMMENT' }],
  ['POST', '/linkedin-account-statistics', dateless],
];

describe('[linkedin-feed] the feed', () => {
  test.for(['/linkedin-posts', '/linkedin-post-comments', '/linkedin-post-reactions'])(
    '[linkedin-feed.not-found] POST %s does not exist: 404, and no JSON',
    async (path) => {
      const keys: Record<string, string>[] = [{}, { 'x-service-key': '' }];
      for (const headers of keys) {
        const { status, body, headers: answered } = await stage.ada().call('POST', path, { platformId }, headers);
        expect([status, answered['content-type']]).toEqual([404, expect.stringMatching(/^text\/plain/)]);
        expect(body).toBe(`Cannot POST /api/v1${path}\n`);
      }
    },
  );
});

describe.each(routes)('[linkedin] common rules: %s %s', (method, path, body) => {
  const answerTo = async (platformId: unknown, headers = {}, user: TestUser = stage.ada()) => {
    const answer = await user.call(method, path, { ...body, platformId }, headers);
    return [answer.status, answer.body];
  };

  test('1 401 API key is required, Invalid API key', async () => {
    expect(await answerTo(platformId, { 'x-service-key': '' })).toEqual([401, { error: 'API key is required' }]);
    expect(await answerTo(platformId, { 'x-service-key': 'sk_x' })).toEqual([401, { error: 'Invalid API key' }]);
  });

  test('1 400 platformId must be a string', async () => {
    for (const wrong of [7, true, {}, ['linkedin-1']]) {
      expect(await answerTo(wrong)).toEqual([400, { error: 'platformId must be a string' }]);
    }
  });

  test('1 400 Invalid platformId', async () => {
    const isReshare = path === '/linkedin-reshare';
    for (const wrong of isReshare ? ['linkedin-', 'linkedin-a/b', 'a b'] : ['', 'linkedin-', 'mastodon-1', 'x']) {
      expect(await answerTo(wrong)).toEqual([400, { error: 'Invalid platformId' }]);
    }
  });

  test('1 404 LinkedIn connection not found, also for the connection of another user', async () => {
    const notFound = [404, { error: 'LinkedIn connection not found' }];
    const eve = await stage.service().aUser();
    expect(await answerTo('linkedin-nobody')).toEqual(notFound);
    expect(await answerTo(platformId, {}, eve)).toEqual(notFound);
  });
});

describe('[linkedin.forwarded] errors of LinkedIn', () => {
  const comment = (message: string) =>
    stage.ada().call('POST', '/linkedin-comments', { postedId, platformId, message });

  test('7 429 LINKEDIN_RATE_LIMITED with retryAfter', async () => {
    await stage.fault({ kind: 'rate_limit', operation: 'comment' });
    const { status, body } = await comment('Too many');
    expect([status, body]).toEqual([
      429,
      { error: 'LINKEDIN_RATE_LIMITED', message: expect.any(String), retryAfter: expect.any(Number) },
    ]);
    expect(body.retryAfter).toBeGreaterThan(0);
  });

  test('7 504 LINKEDIN_REQUEST_TIMEOUT: the caller does not wait longer, and nothing is sent twice', async () => {
    const { app } = stage.service();
    const server = await buildServer({ ...app, platformAccess: { ...app.platformAccess, timeoutMs: 300 } });
    const post = await member.publish('A slow comment');
    for (const operation of ['comment', 'stats'] as const) {
      await stage.fault({ kind: 'latency', operation, latencyMs: 5000 });
    }
    const requests: [string, object][] = [
      ['/linkedin-comments', { postedId: post, platformId, message: 'Slow' }],
      ['/linkedin-followers', { platformId }],
    ];
    for (const [path, payload] of requests) {
      const headers = { 'x-service-key': stage.ada().apiKey };
      const started = performance.now();
      const answer = await server.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
      const body = { error: 'LINKEDIN_REQUEST_TIMEOUT', message: expect.any(String) };
      expect([answer.statusCode, contractBody(answer.json())]).toEqual([504, body]);
      expect(performance.now() - started).toBeLessThan(4500);
    }
    await server.close();
    const received = (await stage.requests()).filter(({ path }) => path.includes(encodeURIComponent(post)));
    expect(received).toHaveLength(1);
  });

  test('[linkedin.forwarded] a refusal for lack of permission is 403 and does not renew credentials', async () => {
    const another = await stage.aConnection(stage.ada());
    const renewals = async () => (await stage.requests()).filter(({ path }) => path === '/oauth/v2/accessToken').length;
    const before = await renewals();
    const { commentUrn } = await member.comment(postedId, "Somebody else's");
    const body = { postedId, platformId: another.platformId, commentId: commentUrn };
    const answer = await stage.ada().call('DELETE', '/linkedin-comments', body);
    expect([answer.status, answer.body.error]).toEqual([403, 'Failed to delete LinkedIn comment']);
    expect(await renewals()).toBe(before);
  });
});
