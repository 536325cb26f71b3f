import { expect, test } from 'vitest';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, type Member, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import type { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { mastodon } from './index.ts';
import { publish } from './publish.ts';
import { stats } from './stats.ts';

const { sandbox, aMember, aPost, content } = platformStage(mastodon);

/** Performs an action as a person on their own server. */
async function act({ credentials }: Member<Credentials>, path: string, body: object = {}) {
  const response = await fetch(sandbox().route(new URL(`https://${credentials.instance}${path}`)), {
    method: 'POST',
    headers: { authorization: `Bearer ${credentials.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

const remove = ({ credentials }: Member<Credentials>, id: string) =>
  fetch(sandbox().route(new URL(`https://${credentials.instance}/api/v1/statuses/${id}`)), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${credentials.accessToken}` },
  });

async function requestsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = (await sandbox().requests()).length;
  await work();
  return (await sandbox().requests()).slice(before).map(({ method, path }) => `${method} ${path.split('?')[0]}`);
}

test('favourites, replies, boosts and quotes are counted, bookmarks are unknown', async () => {
  const [ann, bo] = [await aMember(), await aMember()];
  const run = aPost(ann);
  const { id } = await publish(content('Count me'), run());
  await act(bo, `/api/v1/statuses/${id}/favourite`);
  await act(ann, `/api/v1/statuses/${id}/favourite`);
  await act(bo, `/api/v1/statuses/${id}/reblog`);
  await act(bo, '/api/v1/statuses', { status: 'Look', quoted_status_id: id });
  await comment({ id, url: null }, 'One reply', run());
  const counts = { reactions: 2, comments: 1, reposts: 1, quotes: 1, saves: null };
  expect(await stats.posts([id], run())).toEqual(new Map([[id, counts]]));
});

test('many posts are read with one call, without those that were deleted', async () => {
  const ann = await aMember();
  const posts = [];
  for (let count = 1; count <= 3; count += 1) posts.push(await publish(content(`Post ${count}`), aPost(ann)()));
  const [one, two, gone] = posts.map(({ id }) => id);
  await remove(ann, gone!);
  const calls = await requestsOf(async () => {
    const found = await stats.posts([one!, two!, gone!], aPost(ann)());
    expect([...found.keys()].sort()).toEqual([one, two]);
  });
  expect(calls).toEqual(['GET /api/v1/statuses']);
});

test('a single post that was deleted is left out too', async () => {
  const ann = await aMember();
  expect(await stats.posts(['1'], aPost(ann)())).toEqual(new Map());
});

test('a server before 4.3 is asked post by post, and before 4.5 quotes are unknown', async () => {
  const ann = await aMember('ann@old.mastodon.example');
  const [one, two] = [await publish(content('1'), aPost(ann)()), await publish(content('2'), aPost(ann)())];
  const none = { reactions: 0, comments: 0, reposts: 0, quotes: null, saves: null };
  const calls = await requestsOf(async () => {
    const found = await stats.posts([one.id, '1', two.id], aPost(ann)());
    expect([...found]).toEqual([
      [one.id, none],
      [two.id, none],
    ]);
  });
  expect(calls).toEqual([
    'GET /api/v1/statuses',
    `GET /api/v1/statuses/${one.id}`,
    'GET /api/v1/statuses/1',
    `GET /api/v1/statuses/${two.id}`,
  ]);
});

test('a profile has followers, followed accounts and posts', async () => {
  const [ann, bo] = [await aMember(), await aMember()];
  await publish(content('One'), aPost(ann)());
  await act(bo, `/api/v1/accounts/${ann.made.id}/follow`);
  expect(await stats.profile(aPost(ann)())).toEqual({ followers: 1, following: 0, posts: 1 });
  expect(await stats.profile(aPost(bo)())).toEqual({ followers: 0, following: 1, posts: 0 });
});

test('a count that a fork leaves out or hides is unknown, not zero', async () => {
  await using server = await serve((request, response) => {
    const isStatus = request.url?.startsWith('/api/v1/statuses/');
    response.end(JSON.stringify(isStatus ? { id: 'a-b', favourites_count: 3 } : { followers_count: -1 }));
  });
  const { account } = await aMember();
  const credentials = { instance: 'small.example', accessToken: 'token' };
  const ctx = { ...platformClient(server.access(), 'mastodon', new AbortController().signal), account, credentials };
  const counts = { reactions: 3, comments: null, reposts: null, quotes: null, saves: null };
  expect(await stats.posts(['a-b'], ctx)).toEqual(new Map([['a-b', counts]]));
  expect(await stats.profile(ctx)).toEqual({ followers: null, following: null, posts: null });
});

test.for([
  [{ kind: 'expired_token' }, { kind: 'auth', status: 401 }],
  [
    { kind: 'rate_limit', retryAfterSeconds: 120 },
    { kind: 'rate_limited', retryAfterSeconds: expect.closeTo(120, -1) },
  ],
  [
    { kind: 'status', status: 503 },
    { kind: 'unavailable', status: 503 },
  ],
] as const)('%o fails as %o', async ([fault, failure]) => {
  const ann = await aMember();
  await sandbox().fault({ operation: 'stats', ...fault });
  expect(await failureOf(stats.posts(['1', '2'], aPost(ann)()))).toMatchObject(failure);
});
