import { describe, expect, test } from 'vitest';
import { tinyPng } from '../../../test-media.ts';
import { callsAs, createPage, errorOf, startWithPage } from '../testing.ts';

describe('Facebook posts', () => {
  test('a post has an id of two parts and a page at its address', async () => {
    const { sandbox, post, get, pageId, posts } = await startWithPage();
    const link = 'https://example.com/hours';
    const created = await (await post(`${pageId}/feed?fields=id,permalink_url`, { message: 'New hours', link })).json();
    expect(created.id).toMatch(new RegExp(`^${pageId}_\\d+$`));
    expect(created.permalink_url).toBe(`https://www.facebook.com/${pageId}/posts/${created.id.split('_')[1]}`);
    expect(await posts()).toMatchObject([{ id: created.id, text: 'New hours', url: created.permalink_url }]);
    expect(await (await sandbox.at(created.permalink_url.replace('https:/', ''))).text()).toContain('New hours');
    expect(await (await sandbox.at('/www.facebook.com/bakery')).text()).toContain('New hours');
    const shown = await (await get(`${created.id}?fields=message,created_time,shares,from{name}`)).json();
    expect(shown).toEqual({
      id: created.id,
      message: 'New hours',
      created_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
      from: { id: pageId, name: 'bakery' },
    });
  });

  test('the same text is a duplicate for an hour on the same Page', async () => {
    let now = Date.now();
    const { sandbox, post, pageId, posts } = await startWithPage('bakery', { now: () => now });
    const again = () => post(`${pageId}/feed`, { message: 'Same' });
    expect((await again()).status).toBe(200);
    expect(await errorOf(again())).toEqual({
      status: 400,
      code: 506,
      subcode: undefined,
      message: '(#506) Duplicate status message',
    });
    const other = await createPage(sandbox, 'florist');
    expect((await other.post(`${other.pageId}/feed`, { message: 'Same' })).status).toBe(200);
    now += 3_600_001;
    expect((await again()).status).toBe(200);
    expect(await posts()).toHaveLength(3);
  });

  test.each([
    [{}, 100, undefined],
    [{ message: 'a'.repeat(63_207) }, 100, undefined],
    [{ message: 'a', link: 'nowhere' }, 100, 1609005],
    [{ link: 'https://www.facebook.com/somebody' }, 100, 1609008],
    [{ message: 'a', attached_media: [{ media_fbid: '1' }] }, 100, undefined],
    [{ message: 'a', published: false, scheduled_publish_time: 1 }, 100, undefined],
  ])('an invalid post is refused (%#)', async (fields, code, subcode) => {
    const { post, pageId, posts } = await startWithPage();
    const refused = await errorOf(post(`${pageId}/feed`, fields as unknown as { [name: string]: string }));
    expect(refused).toMatchObject({ status: 400, code, subcode });
    expect(await posts()).toEqual([]);
  });

  test('a message of the maximum length is accepted', async () => {
    const { post, pageId } = await startWithPage();
    expect((await post(`${pageId}/feed`, { message: 'a'.repeat(63_206) })).status).toBe(200);
  });

  test('comments and replies stand under the post; posts of other Pages are not found', async () => {
    const { post, get, pageId, posts } = await startWithPage();
    const { id } = await (await post(`${pageId}/feed`, { message: 'Post' })).json();
    const comment = await (await post(`${id}/comments`, { message: 'First' })).json();
    expect(comment.id.split('_')[0]).toBe(id.split('_')[1]);
    const response = await (await post(`${comment.id}/comments`, { message: 'Second' })).json();
    expect(await posts()).toMatchObject([
      {},
      { id: comment.id, inReplyTo: id },
      { id: response.id, inReplyTo: comment.id },
    ]);
    const { data } = await (
      await get(`${id}/comments?order=reverse_chronological&fields=id,message,created_time`)
    ).json();
    expect(data).toMatchObject([{ id: comment.id, message: 'First' }]);
    expect(await errorOf(post('404404/comments', { message: 'a' }))).toMatchObject({
      status: 400,
      code: 100,
      subcode: 33,
    });
    expect((await errorOf(post(`${id}/comments`, { message: 'a'.repeat(8001) }))).code).toBe(100);
  });

  test('a post’s comments and reactions are counted', async () => {
    const { post, get, pageId } = await startWithPage();
    const { id } = await (await post(`${pageId}/feed`, { message: 'Post' })).json();
    await post(`${id}/comments`, { message: 'a' });
    const counts = await (
      await get(`${id}?fields=shares,comments.summary(true).limit(0),reactions.summary(total_count)`)
    ).json();
    expect(counts).toMatchObject({
      comments: { data: [], summary: { total_count: 1 } },
      reactions: { summary: { total_count: 0 } },
    });
  });

  test('a Page’s own posts are paged newest first, without comments', async () => {
    const { sandbox, post, get, pageId } = await startWithPage();
    const ids: string[] = [];
    for (const message of ['1', '2', '3']) ids.unshift((await (await post(`${pageId}/feed`, { message })).json()).id);
    await post(`${ids[0]}/comments`, { message: 'not in the list' });
    const first = await (await get(`${pageId}/published_posts?limit=2&fields=id,message,created_time`)).json();
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const next = await get(first.paging.next.replace('https://graph.facebook.com/v26.0/', ''));
    expect((await next.json()).data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    const stranger = await createPage(sandbox, 'florist');
    expect(await errorOf(stranger.get(`${pageId}/published_posts`))).toMatchObject({ status: 403, code: 10 });
  });

  test('deleting a post deletes its comments', async () => {
    const { post, remove, get, pageId, posts } = await startWithPage();
    const { id } = await (await post(`${pageId}/feed`, { message: 'one' })).json();
    await post(`${id}/comments`, { message: 'a' });
    expect(await (await remove(id)).json()).toEqual({ success: true });
    expect(await posts()).toEqual([]);
    expect(await errorOf(get(id))).toMatchObject({ code: 100, subcode: 33 });
  });

  test('deleting needs the permission to manage posts', async () => {
    const { sandbox, post, pageId, posts } = await startWithPage();
    const { id } = await (await post(`${pageId}/feed`, { message: 'one' })).json();
    const asked = { network: 'facebook', handle: 'bakery', scope: 'pages_show_list pages_read_engagement' };
    const { credentials } = await (await sandbox.sendJson('POST', '/_control/accounts', asked)).json();
    const reader = callsAs(sandbox, credentials.accessToken);
    expect(await errorOf(reader.remove(id))).toMatchObject({ status: 403, code: 200 });
    expect(await posts()).toMatchObject([{ id }]);
  });

  test('only the Page itself deletes its post, and only once', async () => {
    const { sandbox, post, remove, pageId, posts } = await startWithPage();
    const { id } = await (await post(`${pageId}/feed`, { message: 'one' })).json();
    const stranger = await createPage(sandbox, 'florist');
    expect(await errorOf(stranger.remove(id))).toMatchObject({ status: 403, code: 10 });
    expect(await posts()).toMatchObject([{ id }]);
    expect((await remove(id)).status).toBe(200);
    expect(await errorOf(remove(id))).toMatchObject({ status: 400, code: 100, subcode: 33 });
  });

  test('a Page returns the requested fields; an unknown field fails the call', async () => {
    const { get, pageId } = await startWithPage();
    expect(
      await (await get(`${pageId}?fields=name,username,followers_count,instagram_business_account{id}`)).json(),
    ).toEqual({
      id: pageId,
      name: 'bakery',
      username: 'bakery',
      followers_count: 0,
    });
    expect((await errorOf(get(`${pageId}?fields=id,shoe_size`))).message).toBe(
      '(#100) Tried accessing nonexistent field (shoe_size) on node type (Page)',
    );
  });

  test('a post shows several photos in order, and each photo can be posted once', async () => {
    const { upload, post, pageId, posts } = await startWithPage();
    const ids: string[] = [];
    for (const extra of [1, 2]) {
      const bytes = Buffer.concat([tinyPng, Buffer.alloc(extra)]);
      ids.push((await (await upload(`${pageId}/photos`, 'source', bytes, { published: 'false' })).json()).id);
    }
    expect(await posts()).toEqual([]);
    const attached_media = ids.map((media_fbid) => ({ media_fbid }));
    const { id } = await (await post(`${pageId}/feed`, { message: 'Both', attached_media })).json();
    expect(await posts()).toMatchObject([
      { id, text: 'Both', media: [{ bytes: tinyPng.length + 1 }, { bytes: tinyPng.length + 2 }] },
    ]);
    expect(await errorOf(post(`${pageId}/feed`, { message: 'Again', attached_media }))).toMatchObject({
      subcode: 1366051,
    });
  });

  test('attached media may be sent as a form', async () => {
    const { sandbox, upload, accessToken, pageId, posts } = await startWithPage();
    const { id } = await (await upload(`${pageId}/photos`, 'source', tinyPng, { published: 'false' })).json();
    const body = new URLSearchParams({
      message: 'Form',
      'attached_media[0]': JSON.stringify({ media_fbid: id }),
      access_token: accessToken,
    });
    expect((await sandbox.at(`/graph.facebook.com/v26.0/${pageId}/feed`, { method: 'POST', body })).status).toBe(200);
    const shown = JSON.stringify([await posts(), await sandbox.requests('facebook')]);
    expect(shown).not.toContain(accessToken);
    expect(await posts()).toMatchObject([{ text: 'Form', media: [{ kind: 'image' }] }]);
  });

  test('a single photo is a post; a file that is not a photo is refused', async () => {
    const { upload, post, pageId, posts } = await startWithPage();
    const created = await (await upload(`${pageId}/photos`, 'source', tinyPng, { message: 'Look' })).json();
    expect(created.post_id).toMatch(new RegExp(`^${pageId}_`));
    expect(await posts()).toMatchObject([{ id: created.post_id, text: 'Look', media: [{ kind: 'image' }] }]);
    const described = (alt_text_custom: string) => upload(`${pageId}/photos`, 'source', tinyPng, { alt_text_custom });
    expect(await errorOf(described('é'.repeat(1001)))).toMatchObject({ code: 100 });
    expect((await described('é'.repeat(1000))).status).toBe(200);
    expect((await errorOf(post(`${pageId}/photos`, {}))).code).toBe(324);
    const text = upload(`${pageId}/photos`, 'source', Buffer.from('hello'));
    expect(await errorOf(text)).toMatchObject({ code: 324, subcode: 2069019 });
    const ofBytes = (count: number) => Buffer.concat([tinyPng, Buffer.alloc(count - tinyPng.length)]);
    expect((await upload(`${pageId}/photos`, 'source', ofBytes(4_000_000))).status).toBe(200);
    const heavy = upload(`${pageId}/photos`, 'source', ofBytes(4_000_001));
    expect(await errorOf(heavy)).toMatchObject({ code: 100, subcode: 1366046 });
    expect(await errorOf(post(`${pageId}/photos`, { url: 'http://127.0.0.1:9/a.png' }))).toMatchObject({ code: 324 });
  });

  test('an unused photo expires after a day', async () => {
    let now = Date.now();
    const { upload, post, pageId } = await startWithPage('bakery', { now: () => now });
    const { id } = await (await upload(`${pageId}/photos`, 'source', tinyPng, { published: 'false' })).json();
    now += 25 * 3_600_000;
    const late = post(`${pageId}/feed`, { message: 'Late', attached_media: [{ media_fbid: id }] });
    expect((await errorOf(late)).code).toBe(100);
  });

  test('usage is reported in percent, and calls are refused only with the vendor’s limits', async () => {
    const now = () => 1_800_000_000_000;
    const { sandbox, get, post, pageId } = await startWithPage('bakery', { now });
    const usage = (await get('me')).headers.get('x-business-use-case-usage');
    expect(JSON.parse(usage ?? '')).toMatchObject({ [pageId]: [{ type: 'pages', call_count: 0 }] });
    await sandbox.fault({ network: 'facebook', operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 90 });
    const limited = await post(`${pageId}/feed`, { message: 'a' });
    expect(limited.status).toBe(400);
    expect((await limited.json()).error).toMatchObject({ code: 32, message: '(#32) Page request limit reached' });
    expect(JSON.parse(limited.headers.get('x-business-use-case-usage') ?? '')).toMatchObject({
      [pageId]: [{ call_count: 100, estimated_time_to_regain_access: 2 }],
    });
  });
});
