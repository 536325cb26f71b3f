import { describe, expect, test } from 'vitest';
import { tinyPng } from '../../test-media.ts';
import { createdAt, type Member, startBluesky } from './testing.ts';

type Made = { uri: string; cid: string };
const react = async (member: Member, kind: 'like' | 'repost', { uri, cid }: Made): Promise<Made> => {
  const record = { subject: { uri, cid }, createdAt };
  return (await member.create({}, { collection: `app.bsky.feed.${kind}`, record })).json();
};

describe('Bluesky’s AppView', () => {
  test('likes, reposts, quotes and replies are counted, each account once', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { uri, cid } = await (await ann.create({ text: 'one' })).json();
    const ref = { uri, cid };
    for (const who of [ann, bo, bo]) await react(who, 'like', ref);
    const repost = await react(bo, 'repost', ref);
    await bo.create({ text: 'so', embed: { $type: 'app.bsky.embed.record', record: ref } });
    await bo.create({ text: 'yes', reply: { root: ref, parent: ref } });
    const counts = async () => (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts[0];
    expect(await counts()).toMatchObject({
      likeCount: 2,
      repostCount: 1,
      quoteCount: 1,
      replyCount: 1,
      bookmarkCount: 0,
    });
    await bo.procedure('com.atproto.repo.deleteRecord', {
      repo: bo.did,
      collection: 'app.bsky.feed.repost',
      rkey: repost.uri.split('/').at(-1) ?? '',
    });
    expect(await counts()).toMatchObject({ likeCount: 2, repostCount: 0 });
  });

  test('bookmarks are counted once per account, without showing whose they are', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { uri, cid } = await (await ann.create({ text: 'one' })).json();
    for (const who of [ann, bo, bo]) await who.procedure('app.bsky.bookmark.createBookmark', { uri, cid });
    const count = async () =>
      (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts[0].bookmarkCount;
    expect(await count()).toBe(2);
    await bo.procedure('app.bsky.bookmark.deleteBookmark', { uri });
    expect(await count()).toBe(1);
  });

  test('up to 25 posts are read in one request, by DID or handle, in the requested order, without unknown ones', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const [one, two] = [await (await ann.create({ text: '1' })).json(), await (await ann.create({ text: '2' })).json()];
    const unknown = `at://${ann.did}/app.bsky.feed.post/3m5abcdefgh2k`;
    const asked = [two.uri.replace(ann.did, 'ann.bsky.social'), unknown, one.uri];
    const read = (uris: string[]) => sandbox.read('app.bsky.feed.getPosts', uris.map((uri) => `uris=${uri}`).join('&'));
    const { posts } = await (await read(asked)).json();
    expect(posts).toMatchObject([
      { uri: two.uri, record: { text: '2' }, author: { did: ann.did, handle: 'ann.bsky.social' } },
      { uri: one.uri, cid: one.cid },
    ]);
    const tooMany = await read(Array(26).fill(unknown));
    expect([tooMany.status, (await tooMany.json()).message]).toEqual([
      400,
      'array too big (maximum 25, got 26) at $.uris',
    ]);
    expect((await (await read(['404404'])).json()).message).toBe('Invalid at-uri (got "404404") at $.uris[0]');
  });

  test('an account’s server serves the same reads to its own users only', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const { uri } = await (await ann.create({ text: '1' })).json();
    expect((await ann.query('app.bsky.feed.getPosts', `uris=${uri}`)).status).toBe(200);
    expect((await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`, ann.host)).status).toBe(401);
  });

  test('a profile counts followers, follows and posts', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    await ann.create({ text: 'one' });
    const record = { subject: ann.did, createdAt };
    for (let time = 1; time <= 2; time += 1) await bo.create({}, { collection: 'app.bsky.graph.follow', record });
    const profile = await (await sandbox.read('app.bsky.actor.getProfile', 'actor=ann.bsky.social')).json();
    expect(profile).toMatchObject({
      did: ann.did,
      handle: 'ann.bsky.social',
      displayName: 'ann',
      avatar: ann.account.avatarUrl,
      followersCount: 1,
      followsCount: 0,
      postsCount: 1,
    });
    expect((await sandbox.at(profile.avatar.replace('https:/', ''))).headers.get('content-type')).toBe('image/png');
    const nobody = await sandbox.read('app.bsky.actor.getProfile', 'actor=nobody.bsky.social');
    expect([nobody.status, await nobody.json()]).toEqual([
      400,
      { error: 'InvalidRequest', message: 'Profile not found' },
    ]);
    const ofBo = await (await sandbox.read('app.bsky.actor.getProfile', `actor=${bo.did}`)).json();
    expect(ofBo.followsCount).toBe(1);
  });

  test('an author’s feed is paged newest first, and filtered', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const { blob } = await (await ann.upload(tinyPng)).json();
    const first = await (await ann.create({ text: '0' })).json();
    const ref = { uri: first.uri, cid: first.cid };
    await ann.create({ text: '1', reply: { root: ref, parent: ref } });
    await ann.create({ text: '2', embed: { $type: 'app.bsky.embed.images', images: [{ image: blob, alt: '' }] } });
    const page = async (more: string) => {
      const parameters = `actor=${ann.did}${more}`;
      const { feed, cursor } = await (await sandbox.read('app.bsky.feed.getAuthorFeed', parameters)).json();
      return { texts: feed.map(({ post }: { post: { record: { text: string } } }) => post.record.text), cursor };
    };
    expect(await page('')).toEqual({ texts: ['2', '1', '0'], cursor: undefined });
    const { texts, cursor } = await page('&limit=2');
    expect(texts).toEqual(['2', '1']);
    expect((await page(`&limit=2&cursor=${cursor}`)).texts).toEqual(['0']);
    expect((await page('&filter=posts_no_replies')).texts).toEqual(['2', '0']);
    expect((await page('&filter=posts_with_media')).texts).toEqual(['2']);
  });

  test('the thread of an unknown post is not found', async () => {
    const sandbox = await startBluesky();
    const uri = 'at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3m5abcdefgh2k';
    const response = await sandbox.read('app.bsky.feed.getPostThread', `uri=${uri}`);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'NotFound', message: `Post not found: ${uri}` },
    ]);
  });
});
