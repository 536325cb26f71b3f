import { expect, test } from 'vitest';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, type Member, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import type { Credentials } from './api.ts';
import { comment } from './comment.ts';
import { bluesky } from './index.ts';
import { publish } from './publish.ts';
import { stats } from './stats.ts';

const { sandbox, aMember, aPost, content } = platformStage(bluesky);
const publicClient = () => platformClient(sandbox().access(), 'bluesky', new AbortController().signal);
const createdAt = '2026-11-15T12:00:00.000Z';

/** Performs an action as a person in the app. */
async function act({ credentials }: Member<Credentials>, name: string, body: object) {
  const response = await fetch(sandbox().route(new URL(`/xrpc/${name}`, credentials.pds)), {
    method: 'POST',
    headers: { authorization: `Bearer ${credentials.accessJwt}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

const create = (member: Member<Credentials>, collection: string, record: object) =>
  act(member, 'com.atproto.repo.createRecord', {
    repo: member.account.id,
    collection,
    record: { $type: collection, createdAt, ...record },
  });

async function refOf(uri: string) {
  const address = new URL('https://public.api.bsky.app/xrpc/app.bsky.feed.getPosts');
  address.searchParams.set('uris', uri);
  const { posts } = (await (await fetch(sandbox().route(address))).json()) as { posts: { cid: string }[] };
  return { uri, cid: posts[0]!.cid };
}

test('likes, replies, reposts, quotes and bookmarks are counted without signing in', async () => {
  const [ann, bo] = [await aMember(), await aMember()];
  const run = aPost(ann);
  const post = await publish(content('Count me'), run());
  const subject = await refOf(post.id);
  for (const who of [ann, bo]) await create(who, 'app.bsky.feed.like', { subject });
  await create(bo, 'app.bsky.feed.repost', { subject });
  await create(bo, 'app.bsky.feed.post', { text: 'So', embed: { $type: 'app.bsky.embed.record', record: subject } });
  for (const who of [ann, bo, bo]) await act(who, 'app.bsky.bookmark.createBookmark', subject);
  await act(ann, 'app.bsky.bookmark.deleteBookmark', { uri: post.id });
  await comment(post, 'One reply', run());
  const counts = { reactions: 2, comments: 1, reposts: 1, quotes: 1, saves: 1 };
  expect(await stats.posts([post.id], publicClient())).toEqual(new Map([[post.id, counts]]));
});

test('25 posts of several accounts are read with one call, without those that were deleted', async () => {
  const [ann, bo] = [await aMember(), await aMember()];
  const posts = [await publish(content('By Ann'), aPost(ann)()), await publish(content('By Bo'), aPost(bo)())];
  const uris = posts.map(({ id }) => id);
  const unknown = Array.from({ length: 23 }, (_, index) => `${uris[0]!.slice(0, -2)}${22 + index}`);
  const before = (await sandbox().requests()).length;
  const found = await stats.posts([...unknown, ...uris], publicClient());
  expect([...found.keys()].sort()).toEqual([...uris].sort());
  expect((await sandbox().requests()).slice(before)).toHaveLength(1);
  expect(stats.postsPerCall).toBe(25);
});

test('a profile has followers, followed accounts and posts', async () => {
  const [ann, bo] = [await aMember(), await aMember()];
  await publish(content('One'), aPost(ann)());
  await create(bo, 'app.bsky.graph.follow', { subject: ann.account.id });
  expect(await stats.profile(ann.account.id, publicClient())).toEqual({ followers: 1, following: 0, posts: 1 });
  expect(await stats.profile(bo.account.id, publicClient())).toEqual({ followers: 0, following: 1, posts: 0 });
});

test('a count that Bluesky leaves out is unknown, not zero', async () => {
  const uri = 'at://did:plc:abc/app.bsky.feed.post/3n2cuhg63m22j';
  await using server = await serve((request, response) => {
    response.end(JSON.stringify(request.url?.includes('getPosts') ? { posts: [{ uri, likeCount: 3 }] } : {}));
  });
  const ctx = platformClient(server.access(), 'bluesky', new AbortController().signal);
  const counts = { reactions: 3, comments: null, reposts: null, quotes: null, saves: null };
  expect(await stats.posts([uri], ctx)).toEqual(new Map([[uri, counts]]));
  expect(await stats.profile('did:plc:abc', ctx)).toEqual({ followers: null, following: null, posts: null });
});

test.for([
  [
    { kind: 'rate_limit', retryAfterSeconds: 120 },
    { kind: 'rate_limited', retryAfterSeconds: 120 },
  ],
  [
    { kind: 'status', status: 502 },
    { kind: 'unavailable', status: 502 },
  ],
] as const)('%o fails as %o', async ([fault, failure]) => {
  const { account } = await aMember();
  await sandbox().fault({ operation: 'stats', ...fault });
  expect(await failureOf(stats.profile(account.id, publicClient()))).toMatchObject(failure);
});
