import { describe, expect, test } from 'vitest';
import type { Json } from '../../../http/json.ts';
import { tinyPng } from '../../../test-media.ts';
import { idOf, startLinkedIn } from '../testing.ts';

const enc = encodeURIComponent;
/** Encodes a Rest.li key. */
const encAll = (urn: string) => enc(urn).replace('(', '%28').replace(')', '%29');

describe('LinkedIn comments', () => {
  test('a comment stands under its post, whichever URN names the post', async () => {
    const linkedin = await startLinkedIn();
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const post = await ann.published();
    const response = await ben.comment(post, 'Nice (really) a_b');
    const comment = await response.json();
    expect([response.status, comment]).toMatchObject([
      201,
      {
        id: response.headers.get('x-restli-id'),
        commentUrn: expect.stringMatching(/^urn:li:comment:\(urn:li:activity:\d+,\d+\)$/),
        actor: ben.urn,
        object: expect.stringMatching(/^urn:li:activity:\d+$/),
        message: { text: 'Nice (really) a_b', attributes: [] },
        created: { time: expect.any(Number) },
      },
    ]);
    expect((await ben.comment(comment.object, 'Again')).status).toBe(201);
    expect(await linkedin.posts()).toMatchObject([
      { id: post },
      { id: comment.commentUrn, text: 'Nice (really) a_b', inReplyTo: post, account: 'ben' },
      { text: 'Again', inReplyTo: post },
    ]);
    const page = await linkedin.at((await linkedin.posts())[1].url.replace('https:/', ''));
    expect(await page.text()).toContain('Nice (really) a_b');
  });

  test('a comment shows its text as it came, also what would be escapes in a post', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const text = 'Nice \\(really\\) a\\_b <|@{}[]~*#';
    expect((await (await ann.comment(await ann.published(), text)).json()).message.text).toBe(text);
    expect((await linkedin.posts())[1]).toMatchObject({ text });
  });

  test('a mention is an attribute within the text', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    const post = await ann.published();
    const mention = (start: number, length: number, value: Json): Json => ({
      message: { text: 'Hi Ann', attributes: [{ start, length, value }] },
    });
    const member = { 'com.linkedin.common.MemberAttributedEntity': { member: ann.urn } };
    const company = { 'com.linkedin.common.CompanyAttributedEntity': { company: 'urn:li:organization:5' } };
    const comment = (body: Json) => ann.comment(post, '', body as { [name: string]: Json });
    for (const value of [member, company]) {
      const response = await comment(mention(3, 3, value));
      expect([response.status, (await response.json()).message.attributes]).toEqual([
        201,
        [{ start: 3, length: 3, value }],
      ]);
    }
    const wrong = [
      mention(3, 4, member),
      mention(-1, 3, member),
      mention(3, 0, member),
      mention(3, 3, { 'com.linkedin.common.MemberAttributedEntity': { member: 'urn:li:organization:5' } }),
      mention(3, 3, { SomethingElse: { member: ann.urn } }),
      { message: { text: 'Hi Ann', attributes: 'Ann' } },
    ];
    for (const body of wrong) expect((await comment(body)).status).toBe(400);
  });

  test('the id is in a header, and the body may be empty', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('terse-ann');
    const post = await ann.published();
    const comment = await ann.comment(post, 'Hello');
    const reaction = await ann.send(`/rest/reactions?actor=${enc(ann.urn)}`, { root: post, reactionType: 'LIKE' });
    for (const response of [comment, reaction]) {
      expect([response.status, await response.text()]).toEqual([201, '']);
      expect(idOf(response)).not.toBe('');
    }
  });

  test('a key in a path has no raw parentheses', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    const { commentUrn } = await (await ann.comment(await ann.published(), 'First')).json();
    const body = { actor: ann.urn, message: { text: 'Reply' } };
    const raw = await ann.send(`/rest/socialActions/${enc(commentUrn)}/comments`, body);
    expect([raw.status, (await raw.json()).message]).toEqual([400, 'Syntax exception in path variables']);
    expect((await ann.send(`/rest/socialActions/${encAll(commentUrn)}/comments`, body)).status).toBe(201);
    const reactionTo = (key: string) => `/rest/reactions/(actor:${enc(ann.urn)},entity:${key})`;
    expect((await ann.remove(reactionTo(enc(commentUrn)))).status).toBe(400);
    expect((await ann.remove(reactionTo(encAll(commentUrn)))).status).toBe(404);
  });

  test('a reply stands under its comment', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const post = await ann.published();
    const { commentUrn } = await (await ann.comment(post, 'First')).json();
    expect((await ann.comment(post, 'By field', { parentComment: commentUrn })).status).toBe(201);
    expect((await ann.comment(commentUrn, 'By address')).status).toBe(201);
    expect((await linkedin.posts()).slice(2)).toMatchObject([{ inReplyTo: commentUrn }, { inReplyTo: commentUrn }]);
    const other = await ann.published({ commentary: 'Other' });
    expect((await ann.comment(other, 'Elsewhere', { parentComment: commentUrn })).status).toBe(400);
  });

  test('a comment with an image needs no text', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const post = await ann.published();
    const content = [{ entity: { image: await ann.upload('image', tinyPng) } }];
    expect((await ann.comment(post, '', { content })).status).toBe(201);
    expect((await ann.comment(post, '')).status).toBe(400);
    expect((await linkedin.posts())[1]).toMatchObject({ text: '', media: [{ kind: 'image', bytes: tinyPng.length }] });
  });

  test('a comment has at most 1250 characters', async () => {
    const ann = await (await startLinkedIn()).account('ann');
    const post = await ann.published();
    expect((await ann.comment(post, 'a'.repeat(1250))).status).toBe(201);
    expect(await (await ann.comment(post, 'a'.repeat(1251))).json()).toMatchObject({ code: 'FIELD_LENGTH_TOO_LONG' });
  });

  test.each([
    ['a post that is not there', 'urn:li:share:1', 404, /^Unable to obtain activity/],
    ['an activity that is not there', 'urn:li:activity:1', 404, /^Unable to obtain activity/],
    ['what is no URN', '404404', 400, /Syntax exception/],
  ])('%s cannot be commented on', async (_, urn, status, message) => {
    const ann = await (await startLinkedIn()).account('ann');
    const response = await ann.comment(urn, 'Hello?');
    expect([response.status, (await response.json()).message]).toEqual([status, expect.stringMatching(message)]);
  });

  test('the versioned API requires a permission that the older one does not', async () => {
    const linkedin = await startLinkedIn();
    const { urn: actor, published } = await linkedin.account('ann');
    const post = await published();
    const calls = await linkedin.allowing('ann', 'openid profile w_member_social');
    const comment = { actor, object: post, message: { text: 'First' } };
    const refused = await calls.send(`/rest/socialActions/${enc(post)}/comments`, comment);
    expect([refused.status, (await refused.json()).message]).toEqual([
      403,
      'Not enough permissions to access: partnerApiSocialActions.CREATE.20260901',
    ]);
    const { 'linkedin-version': _, ...versionless } = calls.headers;
    const path = `/api.linkedin.com/v2/socialActions/${enc(post)}/comments`;
    expect((await linkedin.sendJson('POST', path, comment, versionless)).status).toBe(201);
  });

  test('comments are listed oldest first; their author and the post’s author may delete them', async () => {
    const linkedin = await startLinkedIn();
    const [ann, ben, eve] = [
      await linkedin.account('ann'),
      await linkedin.account('ben'),
      await linkedin.account('eve'),
    ];
    const path = `/rest/socialActions/${enc(await ann.published())}/comments`;
    const post = decodeURIComponent(path.split('/')[3] ?? '');
    const ids = [idOf(await ben.comment(post, 'One')), idOf(await ben.comment(post, 'Two'))];
    const { elements, paging } = await (await ann.get(path)).json();
    expect([elements.map(({ id }: { id: string }) => id), paging.total]).toEqual([ids, 2]);
    const removeAs = (who: typeof ann, id = '') => who.remove(`${path}/${id}?actor=${enc(who.urn)}`);
    expect((await removeAs(eve, ids[0])).status).toBe(403);
    expect((await removeAs(ben, ids[0])).status).toBe(204);
    expect((await removeAs(ben, ids[0])).status).toBe(404);
    expect((await removeAs(ann, ids[1])).status).toBe(204);
    expect(await linkedin.posts()).toHaveLength(1);
  });

  test('a page comments as itself', async () => {
    const linkedin = await startLinkedIn();
    const acme = await linkedin.account('company-acme');
    await acme.comment(await acme.published(), 'Us');
    expect((await linkedin.posts())[1]).toMatchObject({ account: 'company-acme', text: 'Us' });
  });
});

describe('LinkedIn reactions', () => {
  test('an actor has one reaction: a second is a conflict until the first is deleted', async () => {
    const linkedin = await startLinkedIn();
    const [ann, ben] = [await linkedin.account('ann'), await linkedin.account('ben')];
    const post = await ann.published();
    const react = (reactionType: string) =>
      ben.send(`/rest/reactions?actor=${enc(ben.urn)}`, { root: post, reactionType });
    const first = await react('PRAISE');
    expect([first.status, await first.json()]).toMatchObject([
      201,
      {
        id: expect.stringMatching(/^urn:li:reaction:\(urn:li:person:[\w-]+,urn:li:activity:\d+\)$/),
        reactionType: 'PRAISE',
      },
    ]);
    expect((await react('LIKE')).status).toBe(409);
    const key = `/rest/reactions/(actor:${enc(ben.urn)},entity:${enc(post)})`;
    expect((await ben.remove(key)).status).toBe(204);
    expect((await ben.remove(key)).status).toBe(404);
    expect((await react('LIKE')).status).toBe(201);
  });

  test.each([
    ['MAYBE', { reactionType: 'MAYBE' }, 400],
    ['no such post', { root: 'urn:li:share:1' }, 404],
    ['no URN', { root: '7' }, 400],
  ])('%s is refused', async (_, change, status) => {
    const ann = await (await startLinkedIn()).account('ann');
    const body = { root: await ann.published(), reactionType: 'LIKE', ...change };
    expect((await ann.send(`/rest/reactions?actor=${enc(ann.urn)}`, body)).status).toBe(status);
  });

  test('a comment can be liked, also with the older API', async () => {
    const linkedin = await startLinkedIn();
    const ann = await linkedin.account('ann');
    const post = await ann.published();
    const { commentUrn } = await (await ann.comment(post, 'First')).json();
    const react = { root: commentUrn, reactionType: 'EMPATHY' };
    expect((await ann.send(`/rest/reactions?actor=${enc(ann.urn)}`, react)).status).toBe(201);
    const likes = `/v2/socialActions/${enc(post)}/likes`;
    expect((await ann.send(likes, { actor: ann.urn, object: post })).status).toBe(201);
    const likeCount = async () => (await (await ann.get(likes)).json()).elements.length;
    expect(await likeCount()).toBe(1);
    expect((await ann.remove(`${likes}/${enc(ann.urn)}`)).status).toBe(204);
    expect(await likeCount()).toBe(0);
  });

  test('the older API names the actors when the projection asks for it', async () => {
    const linkedin = await startLinkedIn();
    const [ann, page] = [await linkedin.account('ann-lee'), await linkedin.account('company-ann-lee')];
    const post = await ann.published();
    await ann.comment(post, 'By a member');
    await page.comment(post, 'By a page');
    await ann.send(`/rest/reactions?actor=${enc(ann.urn)}`, { root: post, reactionType: 'PRAISE' });
    const read = async (
      root: string,
      kind: string,
      query = '?projection=(elements*(actor,actor~(localizedFirstName)))',
    ) => (await (await ann.get(`${root}/socialActions/${enc(post)}/${kind}${query}`)).json()).elements;
    const named = { actor: ann.urn, 'actor~': { localizedFirstName: 'Ann', localizedLastName: 'Lee' } };
    const [comment, ofPage] = await read('/v2', 'comments');
    expect([comment, ofPage.actor]).toMatchObject([named, page.urn]);
    expect(ofPage).not.toHaveProperty('actor~');
    expect(await read('/v2', 'likes')).toMatchObject([named]);
    for (const [first] of [await read('/rest', 'comments'), await read('/v2', 'likes', '')]) {
      expect(first).not.toHaveProperty('actor~');
    }
  });
});
