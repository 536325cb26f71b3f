import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiStage, sidesOf } from './api-stage.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { compare, requireCount } from './harness/compare.ts';
import type { Scale } from './harness/scale.ts';
import { keyOf, platformIdOf } from './tenants.ts';

const forms = ['quick', 'smoke'] as const;
const countOf = (scale: Scale) => scale.of({ full: 6_000, quick: 1_200, smoke: 64 });

export const getPost: Benchmark<ApiStage> = {
  name: 'get-post',
  about: 'single posts a second',
  forms,
  async measure(stage, { scale }) {
    const headers = keyOf(stage.reader);
    const requests = stage.postIds.map((id) => ({ method: 'GET' as const, path: `/get-post/${id}`, headers }));
    const sides = sidesOf(stage, { requests, count: countOf(scale) });
    const against = 'bare handler with the same SELECT';
    return [await compare(scale, { what: 'get-post', unit: 'a second', ...sides, against, aim: { atLeast: 0.8 } })];
  },
};

export const listPosts: Benchmark<ApiStage> = {
  name: 'list-posts',
  about: 'first pages of a long list a second',
  forms,
  async measure(stage, { scale }) {
    const groups = scale.of({ full: '100,000', quick: '20,000', smoke: '500' });
    const headers = keyOf(stage.reader);
    const first = await ask(stage, '/list-posts');
    requireCount('posts on the first page', 20, (first.posts as unknown[]).length);
    const count = Math.ceil(countOf(scale) / 4);
    const sides = sidesOf(stage, { requests: [{ method: 'GET', path: '/list-posts', headers }], count });
    const against = 'bare handler with the same SELECT';
    const what = `list-posts (20 of ${groups})`;
    return [await compare(scale, { what, unit: 'a second', ...sides, against, aim: { atLeast: 0.8 } })];
  },
};

export const authentication: Benchmark<ApiStage> = {
  name: 'authentication',
  about: 'platform-limits, which does nothing but authenticate, a second',
  forms,
  async measure(stage, { scale }) {
    const headers = keyOf(stage.reader);
    const requests = [{ method: 'GET' as const, path: '/platform-limits', headers }];
    const sides = sidesOf(stage, { requests, count: 2 * countOf(scale) });
    const against = 'bare route with the same response';
    const what = 'authentication alone (platform-limits)';
    return [await compare(scale, { what, unit: 'a second', ...sides, against, aim: { atLeast: 0.7 } })];
  },
};

export const statistics: Benchmark<ApiStage> = {
  name: 'statistics',
  about: 'statistics of a post from the cache a second',
  forms,
  async measure(stage, { scale }) {
    const post = await publishOne(stage);
    const answer = await ask(stage, '/post-statistics', { posts: [post] });
    if (!(answer.stats as Record<string, unknown>)[post.postedId]) throw new Error('The post has no statistics.');
    const headers = { ...keyOf(stage.reader), 'content-type': 'application/json' };
    const body = JSON.stringify({ posts: [post] });
    const requests = [{ method: 'POST' as const, path: '/post-statistics', headers, body }];
    const sides = sidesOf(stage, { requests, count: countOf(scale) });
    const against = 'bare handler with a SELECT';
    const what = 'statistics from cache';
    return [await compare(scale, { what, unit: 'a second', ...sides, against, aim: { atLeast: 0.8 } })];
  },
};

async function publishOne(stage: ApiStage) {
  const connection = stage.reader.connections.find(({ platform }) => platform === 'mastodon')!;
  const platformId = platformIdOf(connection);
  const content = `To be counted, ${Date.now()}`;
  const { postGroupId } = await ask(stage, '/create-post', { content, platforms: [platformId], publishNow: true });
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    const { rows } = await stage.pool.query('select posted_id from platform_posts where post_group_id = $1', [
      postGroupId,
    ]);
    if (rows[0].posted_id) return { platform: connection.platform, platformId, postedId: String(rows[0].posted_id) };
  }
  throw new Error('The post was not published within a minute.');
}

async function ask({ criers, reader }: ApiStage, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(criers[0]!.ready.baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...keyOf(reader), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
