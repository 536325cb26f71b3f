import { describe, expect, test } from 'vitest';
import type { Json } from '../../../http/json.ts';
import { idOf, postBody, startLinkedIn } from '../testing.ts';

describe('LinkedIn posts', () => {
  test('a post is created with its id in a header and nothing in the body', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const response = await ann.publish({ commentary: 'Shipping \\(finally\\) #launch' });
    expect([response.status, await response.text()]).toEqual([201, '']);
    const urn = idOf(response);
    expect(urn).toMatch(/^urn:li:share:\d{15,20}$/);
    expect(await linkedin.posts()).toMatchObject([
      { account: 'ann', id: urn, text: 'Shipping (finally) #launch', inReplyTo: null },
    ]);
    const page = await linkedin.at(`/www.linkedin.com/feed/update/${urn}/`);
    expect(await page.text()).toContain('Shipping (finally) #launch');
  });

  test('an unescaped reserved character cuts off the text', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    await ann.publish({ commentary: 'Lost (like this)' });
    expect((await linkedin.posts())[0].text).toBe('Lost ');
  });

  test('a missing, unknown or retired version is refused', async () => {
    let now = Date.parse('2026-11-15');
    const linkedin = await startLinkedIn({ now: () => now });
    const { urn, headers } = await linkedin.account('ann');
    const { 'linkedin-version': _, ...versionless } = headers;
    const publish = async (more: Record<string, string>) => {
      const body = { author: urn, ...postBody, commentary: JSON.stringify([now, more]).replace(/[[\]{}_]/g, '') };
      const response = await linkedin.sendJson('POST', '/api.linkedin.com/rest/posts', body, {
        ...versionless,
        ...more,
      });
      return [response.status, response.status === 201 ? null : (await response.json()).code];
    };
    expect(await publish({})).toEqual([400, 'VERSION_MISSING']);
    expect(await publish({ 'linkedin-version': '202512' })).toEqual([426, 'NONEXISTENT_VERSION']);
    expect(await publish({ 'linkedin-version': '202510' })).toEqual([426, 'NONEXISTENT_VERSION']);
    expect(await publish({ 'linkedin-version': '202511' })).toEqual([201, null]);
    now = Date.parse('2026-11-17');
    expect(await publish({ 'linkedin-version': '202511' })).toEqual([426, 'NONEXISTENT_VERSION']);
  });

  test('a post has at most 3000 visible characters; escapes do not count', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    expect((await ann.publish({ commentary: '\\('.repeat(3000) })).status).toBe(201);
    const response = await ann.publish({ commentary: 'a'.repeat(3001) });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        code: 'FIELD_LENGTH_TOO_LONG',
        errorDetails: { inputErrors: [{ input: { inputPath: { fieldPath: 'commentary' } } }] },
      },
    ]);
  });

  test('the same text is refused with the id of the earlier post', async () => {
    let now = Date.now();
    const linkedin = await startLinkedIn({ now: () => now });
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const first = await ann.published();
    const again = await ann.publish();
    expect([again.status, await again.json()]).toEqual([
      422,
      { status: 422, code: 'DUPLICATE_POST', message: `Content is a duplicate of ${first}` },
    ]);
    expect((await ann.publish({ content: { article: { source: 'https://a.test' } } })).status).toBe(422);
    expect((await ben.publish()).status).toBe(201);
    now += 61 * 60_000;
    expect((await ann.publish()).status).toBe(201);
    expect(await linkedin.posts()).toHaveLength(3);
  });

  test.each<[string, { [name: string]: Json }, number, RegExp]>([
    ['a field that is missing', { visibility: null }, 422, /visibility :: field is required/],
    ['a field that is unknown', { text: 'x' }, 422, /text :: unrecognized field/],
    ['an unknown visibility', { visibility: 'FRIENDS' }, 400, /INVALID_VALUE_FOR_FIELD/],
    ['a draft', { lifecycleState: 'DRAFT' }, 400, /INVALID_VALUE_FOR_FIELD/],
    ['nothing to show', { commentary: '' }, 400, /INVALID_VALUE_FOR_FIELD/],
    ['another author', { author: 'urn:li:person:someone' }, 403, /ACCESS_DENIED.*\[\/author\]/],
    ['a page of others', { author: 'urn:li:organization:1' }, 403, /ACCESS_DENIED/],
    ['two contents', { content: { media: { id: 'x' }, poll: {} } }, 400, /exactly one of/],
    ['an unknown file', { content: { media: { id: 'urn:li:image:none' } } }, 400, /INVALID_URN_ID/],
    ['a link that is none', { content: { article: { source: 'nowhere' } } }, 400, /INVALID_VALUE_FOR_FIELD/],
    ['a reshare of an activity', { reshareContext: { parent: 'urn:li:activity:1' } }, 400, /INVALID_URN_ID/],
    ['a reshare of nothing', { reshareContext: { parent: 'urn:li:share:1' } }, 400, /cannot be reshared/],
  ])('%s is refused', async (_, change, status, expected) => {
    const linkedin = await startLinkedIn();
    const response = await (await linkedin.account('ann')).publish(change);
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(expected)]);
    expect(await linkedin.posts()).toEqual([]);
  });

  test('a page posts publicly, and only for its administrator', async () => {
    const linkedin = await startLinkedIn();
    const [acme, ann] = [await linkedin.account('company-acme'), await linkedin.account('ann')];
    expect((await acme.publish({ visibility: 'CONNECTIONS' })).status).toBe(400);
    expect((await ann.publish({ author: acme.urn })).status).toBe(403);
    const urn = await acme.published();
    expect(await linkedin.posts()).toMatchObject([{ account: 'company-acme', id: urn }]);
  });

  test('a missing permission is named in the error', async () => {
    const linkedin = await startLinkedIn();
    const calls = await linkedin.allowing('ann', 'openid profile');
    const { urn } = await linkedin.account('ann');
    const response = await calls.send('/rest/posts', { author: urn, ...postBody });
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        status: 403,
        code: 'ACCESS_DENIED',
        message: 'Not enough permissions to access: posts.CREATE.20260901',
        serviceErrorCode: 100,
      },
    ]);
  });

  test('a poll has two to four options', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    const poll = (count: number) => ({
      question: 'Well?',
      options: Array.from({ length: count }, (_, index) => ({ text: `Option ${index}` })),
      settings: { duration: 'THREE_DAYS' },
    });
    expect((await ann.publish({ content: { poll: poll(4) } })).status).toBe(201);
    expect((await ann.publish({ commentary: 'Other', content: { poll: poll(5) } })).status).toBe(400);
    const endless = { ...poll(2), settings: { duration: 'EVER' } };
    expect((await ann.publish({ commentary: 'Other', content: { poll: endless } })).status).toBe(400);
  });

  test('a reshare is a post with or without text, unless the author disabled reshares', async () => {
    const linkedin = await startLinkedIn();
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const parent = await ann.published({ commentary: 'Original' });
    const closed = await ann.published({ commentary: 'Mine', isReshareDisabledByAuthor: true });
    const reshare = (urn: string) => ben.publish({ commentary: '', reshareContext: { parent: urn } });
    const urn = idOf(await reshare(parent));
    expect(urn).not.toBe(parent);
    expect((await reshare(parent)).status).toBe(422);
    expect((await reshare(closed)).status).toBe(400);
    const withContent = { content: { article: { source: 'https://a.test' } }, reshareContext: { parent } };
    expect((await ben.publish(withContent)).status).toBe(400);
  });

  test('the posts of a page are listed newest first; those of a member are not readable', async () => {
    const linkedin = await startLinkedIn();
    const [acme, ann] = [await linkedin.account('company-acme'), await linkedin.account('ann')];
    const first = await acme.published({ commentary: 'One \\(1\\)' });
    const second = await acme.published({ commentary: 'Two' });
    const list = (urn: string, more = '') => `/rest/posts?q=author&author=${encodeURIComponent(urn)}&count=10${more}`;
    const { elements } = await (await acme.get(list(acme.urn, '&sortBy=CREATED'))).json();
    expect(elements.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(elements[1]).toMatchObject({ author: acme.urn, commentary: 'One \\(1\\)', lifecycleState: 'PUBLISHED' });

    await ann.published();
    for (const path of [list(ann.urn), list(acme.urn)]) {
      const response = await ann.get(path);
      expect([response.status, (await response.json()).message]).toEqual([
        403,
        expect.stringMatching(/partnerApiPostsExternal/),
      ]);
    }
  });

  test('a URN in a path must be encoded', async () => {
    const acme = await (await startLinkedIn()).account('company-acme');
    const urn = await acme.published();
    const response = await acme.remove(`/rest/posts/${urn}`);
    expect([response.status, (await response.json()).message]).toEqual([400, 'Syntax exception in path variables']);
  });

  test('deleting needs the scope to publish', async () => {
    const linkedin = await startLinkedIn();
    const urn = await (await linkedin.account('ann')).published();
    const reader = await linkedin.allowing('ann', 'openid profile');
    expect((await reader.remove(`/rest/posts/${encodeURIComponent(urn)}`)).status).toBe(403);
    expect(await linkedin.posts()).toHaveLength(1);
  });

  test('a post can be deleted repeatedly, by its author only', async () => {
    const linkedin = await startLinkedIn();
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const urn = await ann.published();
    await ben.comment(urn, 'Nice');
    const path = `/rest/posts/${encodeURIComponent(urn)}`;
    expect((await ben.remove(path)).status).toBe(403);
    expect([(await ann.remove(path)).status, (await ann.remove(path)).status]).toEqual([204, 204]);
    expect(await linkedin.posts()).toEqual([]);
  });

  test('a suspended member and a member with revoked tokens are refused', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const change = (fields: Record<string, boolean>) =>
      linkedin.sendJson('PATCH', '/_control/accounts', { network: 'linkedin', handle: 'ann', ...fields });
    await change({ suspended: true });
    expect((await ann.publish()).status).toBe(403);
    await change({ suspended: false, revokeTokens: true });
    expect(await (await ann.publish()).json()).toMatchObject({ status: 401, serviceErrorCode: 65601 });
  });

  test('a member has 150 calls a day per resource, until midnight UTC', async () => {
    let now = Date.parse('2026-11-15T23:00:00Z');
    const strict = await (await startLinkedIn({ now: () => now, rateLimits: 'vendor' })).account('ann');
    const call = () => strict.get('/rest/memberFollowersCount?q=me');
    for (let count = 1; count <= 150; count += 1) await call();
    const over = await call();
    expect([over.status, over.headers.get('retry-after'), await over.json()]).toMatchObject([
      429,
      null,
      { serviceErrorCode: 101, code: 'TOO_MANY_REQUESTS' },
    ]);
    expect((await strict.publish()).status).toBe(201);
    now = Date.parse('2026-11-16T00:00:00Z');
    expect((await call()).status).toBe(200);
  });

  test.each([
    ['status', { kind: 'status', status: 503 }, 503, 'SERVICE_UNAVAILABLE'],
    ['rate limit', { kind: 'rate_limit' }, 429, 'TOO_MANY_REQUESTS'],
    ['expired token', { kind: 'expired_token' }, 401, 'EXPIRED_ACCESS_TOKEN'],
  ])('a fault of kind %s has the vendor’s format', async (_, fault, status, code) => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    await linkedin.fault({ network: 'linkedin', operation: 'publish', ...fault });
    const response = await ann.publish();
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
  });
});
