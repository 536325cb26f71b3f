import { describe, expect, test } from 'vitest';
import { type Member, startBluesky } from '../testing.ts';
import { cidOfBlob, cidOfRecord } from './cid.ts';

const rkey = '3m5abcdefgh2k';
const refOf = ({ uri, cid }: { uri: string; cid: string }) => ({ uri, cid });

describe('Bluesky records', () => {
  test('a post gets the vendor’s response, appears in the feed and has a page', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const response = await ann.create({ text: 'Hello <b>' });
    expect(response.status).toBe(200);
    const created = await response.json();
    expect(created).toEqual({
      uri: expect.stringMatching(/^at:\/\/did:plc:[a-z2-7]{24}\/app\.bsky\.feed\.post\/[2-7a-z]{13}$/),
      cid: expect.stringMatching(/^bafyrei[a-z2-7]{52}$/),
      commit: { cid: expect.stringMatching(/^bafyrei/), rev: expect.stringMatching(/^[2-7a-z]{13}$/) },
      validationStatus: 'valid',
    });
    const [post] = await sandbox.posts();
    const key = created.uri.split('/').at(-1);
    expect(post).toMatchObject({
      id: created.uri,
      account: 'ann.bsky.social',
      text: 'Hello <b>',
      inReplyTo: null,
      url: `https://bsky.app/profile/ann.bsky.social/post/${key}`,
    });
    for (const actor of ['ann.bsky.social', ann.did]) {
      const page = await sandbox.at(`/bsky.app/profile/${actor}/post/${key}`);
      expect(await page.text()).toContain('Hello &lt;b&gt;');
    }
    expect(await (await sandbox.at('/bsky.app/profile/ann.bsky.social')).text()).toContain('Hello &lt;b&gt;');
    expect((await sandbox.at('/bsky.app/profile/ann.bsky.social/post/3m5abcdefgh2k')).status).toBe(404);
  });

  test('content ids are real ones', () => {
    expect(cidOfBlob('b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')).toBe(
      'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    );
    expect(cidOfRecord({})).toBe('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua');
    // These values come from the protocol's test vectors.
    const blob = {
      $type: 'blob',
      ref: { $link: 'bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity' },
      mimeType: 'image/jpeg',
      size: 10_000,
    };
    const link = { $link: 'bafyreidfayvfuwqa7qlnopdjiqrxzs6blmoeu4rujcjtnci5beludirz2a' };
    const bytes = { $bytes: 'nFERjvLLiw9qm45JrqH9QTzyC2Lu1Xb4ne6+sBrCzI0' };
    expect(cidOfRecord({ a: link, b: bytes, c: blob })).toBe(
      'bafyreihldkhcwijkde7gx4rpkkuw7pl6lbyu5gieunyc7ihactn5bkd2nm',
    );
  });

  test('a repeated putRecord changes nothing; a repeated createRecord with the same key is a server error', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const first = await (await ann.put(rkey, { text: 'once' })).json();
    expect(first.uri).toBe(`at://${ann.did}/app.bsky.feed.post/${rkey}`);
    const { commit, ...same } = first;
    const again = await ann.put(rkey, { text: 'once' });
    expect([again.status, await again.json()]).toEqual([200, same]);
    const taken = await ann.create({ text: 'once' }, { rkey });
    expect([taken.status, (await taken.json()).error]).toEqual([500, 'InternalServerError']);
    expect(await sandbox.posts()).toHaveLength(1);
  });

  test('an edited post changes in the repository but not in the apps', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const { uri, cid } = await (await ann.put(rkey, { text: 'old' })).json();
    const changed = await (await ann.put(rkey, { text: 'new' })).json();
    expect(changed.cid).not.toBe(cid);
    const parameters = `repo=${ann.did}&collection=app.bsky.feed.post&rkey=${rkey}`;
    const record = await (await ann.query('com.atproto.repo.getRecord', parameters)).json();
    expect(record).toMatchObject({ uri, cid: changed.cid, value: { text: 'new' } });
    expect((await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts).toMatchObject([
      { cid, record: { text: 'old' } },
    ]);
  });

  test.for<[title: string, fields: Record<string, unknown>, message: string]>([
    ['301 characters', { text: 'a'.repeat(301) }, 'grapheme too big (maximum 300, got 301) at $.record.text'],
    ['3001 bytes', { text: `${'👨‍👩‍👧‍👦'.repeat(120)}a` }, 'string too big (maximum 3000, got 3001) at $.record.text'],
    ['no text', { text: 5 }, 'Expected string value type (got 5) at $.record.text'],
    [
      'a date without zone',
      { createdAt: '2026-11-15T12:00:00' },
      'Invalid datetime (got "2026-11-15T12:00:00") at $.record.createdAt',
    ],
    ['four languages', { langs: ['en', 'de', 'fr', 'es'] }, 'array too big (maximum 3, got 4) at $.record.langs'],
    [
      'an embed without type',
      { embed: { images: [] } },
      'Expected an object which includes the "$type" property value type (got {"images": ...}) at $.record.embed',
    ],
    [
      'a card without title',
      { embed: { $type: 'app.bsky.embed.external', external: { uri: 'https://a.test', description: '' } } },
      'Missing required key "title" at $.record.embed.external',
    ],
    [
      'a reply to nothing',
      { reply: { root: { uri: 'x', cid: 'y' }, parent: { uri: 'x', cid: 'y' } } },
      'Invalid at-uri (got "x") at $.record.reply.root.uri',
    ],
  ])('a post with %s gets the vendor’s error', async ([, fields, message]) => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const response = await ann.create(JSON.parse(JSON.stringify(fields)));
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'InvalidRequest', message: `Invalid app.bsky.feed.post record: ${message}` },
    ]);
    expect(await sandbox.posts()).toEqual([]);
  });

  test('300 characters of any byte length are allowed', async () => {
    const ann = await (await startBluesky()).account('ann');
    expect((await ann.create({ text: 'e\u0301'.repeat(300) })).status).toBe(200);
    expect((await ann.create({ text: 'a'.repeat(300) })).status).toBe(200);
  });

  test('facets must count UTF-8 bytes', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const text = 'Hé 👋 @bob.test see https://example.com/x and #ünïcode tag';
    const facet = (byteStart: number, byteEnd: number, feature: Record<string, string>) => ({
      index: { byteStart, byteEnd },
      features: [feature],
    });
    const mention = { $type: 'app.bsky.richtext.facet#mention', did: ann.did };
    const link = { $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/x' };
    const tag = { $type: 'app.bsky.richtext.facet#tag', tag: 'ünïcode' };
    const facets = [facet(9, 18, mention), facet(23, 44, link), facet(49, 59, tag)];
    const { uri } = await (await ann.create({ text, facets })).json();
    const [post] = (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts;
    expect(post.record.facets).toEqual(facets);
    for (const [start, end] of [
      [0, 200],
      [10, 10],
      [2, 9],
      [-1, 3],
    ] as const) {
      expect((await ann.create({ text, facets: [facet(start, end, link)] })).status).toBe(400);
    }
    expect((await ann.create({ text, facets: [facet(0, 2, { ...mention, did: 'bob.test' })] })).status).toBe(400);
  });

  test('keys and collections must be well formed', async () => {
    const ann = await (await startBluesky()).account('ann');
    const messageOf = async (response: ReturnType<Member['create']>) => (await (await response).json()).message;
    expect(await messageOf(ann.put('not-a-tid', { text: 'x' }))).toBe(
      'Invalid record key for app.bsky.feed.post: Invalid TID string (got "not-a-tid") at $',
    );
    expect(await messageOf(ann.put('a b', { text: 'x' }))).toBe('Invalid record key: a b');
    expect(await messageOf(ann.create({ text: 'x' }, { collection: 'post' }))).toBe(
      'Invalid NSID (got "post") at $.collection',
    );
    expect(await messageOf(ann.create({ text: 'x' }, { collection: 'app.bsky.feed.like' }))).toBe(
      'Invalid $type: expected app.bsky.feed.like, got app.bsky.feed.post',
    );
  });

  test('a record of an unknown type is stored unchecked, unless validation is required', async () => {
    const ann = await (await startBluesky()).account('ann');
    const own = { collection: 'com.example.note', record: { any: [1, 'thing'] } };
    expect(await (await ann.create({}, own)).json()).toMatchObject({ validationStatus: 'unknown' });
    expect((await ann.create({}, { ...own, validate: true })).status).toBe(400);
    const unchecked = await (await ann.create({ text: 'a'.repeat(301) }, { validate: false })).json();
    expect(unchecked).not.toHaveProperty('validationStatus');
  });

  test('a thread is linked by strong references; a wrong root or content id leaves a post outside', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const one = await (await ann.create({ text: 'one' })).json();
    const root = refOf(one);
    const two = await (await ann.create({ text: 'two', reply: { root, parent: root } })).json();
    const three = await (await bo.create({ text: 'three', reply: { root, parent: refOf(two) } })).json();
    await bo.create({ text: 'wrong root', reply: { root: refOf(two), parent: refOf(two) } });
    await bo.create({ text: 'wrong id', reply: { root, parent: { uri: two.uri, cid: one.cid } } });
    const parents = (await sandbox.posts()).map((post: { inReplyTo: string | null }) => post.inReplyTo);
    expect(parents).toEqual([null, one.uri, two.uri, null, null]);
    const { thread } = await (await sandbox.read('app.bsky.feed.getPostThread', `uri=${two.uri}`)).json();
    expect(thread).toMatchObject({
      post: { uri: two.uri, replyCount: 1 },
      parent: { post: { uri: one.uri, replyCount: 1 } },
      replies: [{ post: { uri: three.uri, author: { handle: 'bo.bsky.social' } } }],
    });
  });

  test('deleting can be repeated, and only by the owner', async () => {
    const sandbox = await startBluesky();
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { uri } = await (await ann.put(rkey, { text: 'one' })).json();
    const place = { repo: ann.did, collection: 'app.bsky.feed.post', rkey };
    const foreign = await bo.procedure('com.atproto.repo.deleteRecord', place, 'bsky.social');
    expect([foreign.status, (await foreign.json()).error]).toEqual([401, 'AuthenticationRequired']);
    const deleted = await (await ann.procedure('com.atproto.repo.deleteRecord', place)).json();
    expect(deleted).toEqual({ commit: { cid: expect.any(String), rev: expect.any(String) } });
    const again = await ann.procedure('com.atproto.repo.deleteRecord', place);
    expect([again.status, await again.json()]).toEqual([200, {}]);
    expect(await sandbox.posts()).toEqual([]);
    const parameters = `repo=ann.bsky.social&collection=app.bsky.feed.post&rkey=${rkey}`;
    const gone = await ann.query('com.atproto.repo.getRecord', parameters);
    expect([gone.status, await gone.json()]).toEqual([
      400,
      { error: 'RecordNotFound', message: `Could not locate record: ${uri}` },
    ]);
  });

  test('an unknown repository is 403', async () => {
    const ann = await (await startBluesky()).account('ann');
    const response = await ann.create({ text: 'x' }, { repo: 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa' });
    expect([response.status, (await response.json()).error]).toEqual([403, 'AccountNotFound']);
  });

  test('a swap is refused when the record changed in between', async () => {
    const ann = await (await startBluesky()).account('ann');
    const first = await (await ann.put(rkey, { text: 'one' })).json();
    const second = await (await ann.put(rkey, { text: 'two' }, { swapRecord: first.cid })).json();
    const late = await ann.put(rkey, { text: 'three' }, { swapRecord: first.cid });
    expect([late.status, await late.json()]).toEqual([
      400,
      { error: 'InvalidSwap', message: `Record was at ${second.cid}` },
    ]);
    expect((await (await ann.create({ text: 'x' }, { swapCommit: first.commit.cid })).json()).error).toBe(
      'InvalidSwap',
    );
    expect((await ann.create({ text: 'x' }, { swapCommit: second.commit.cid })).status).toBe(200);
  });

  test('a body that is not JSON, not declared as JSON or too large is refused', async () => {
    const sandbox = await startBluesky();
    const ann = await sandbox.account('ann');
    const send = async (body: string, type: string) => {
      const headers = { authorization: `Bearer ${ann.credentials.accessJwt}`, 'content-type': type };
      const path = `/${ann.host}/xrpc/com.atproto.repo.createRecord`;
      const response = await sandbox.at(path, { method: 'POST', body, headers });
      return [response.status, (await response.json()).error];
    };
    expect(await send('{"repo":', 'application/json')).toEqual([400, 'SyntaxError']);
    expect(await send('{}', 'text/plain')).toEqual([400, 'InvalidRequest']);
    expect(await send(JSON.stringify({ text: 'a'.repeat(1_000_000) }), 'application/json')).toEqual([
      413,
      'PayloadTooLarge',
    ]);
  });
});
