import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
let ada: TestUser;
let mastodon: string;
let bluesky: string;

beforeAll(async () => {
  service = await testService({ clock });
  ada = await service.aUser();
  [mastodon, bluesky] = [await ada.aConnection('mastodon'), await ada.aConnection('bluesky')];
});
afterAll(() => service.close());

async function aPost(fields: object = {}): Promise<string> {
  const draft = { content: 'For all', platforms: [mastodon, bluesky], ...fields };
  const { status, body } = await ada.call('POST', '/create-post', draft);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.postGroupId;
}
const update = (id: string, body: object) => ada.call('PUT', `/update-post/${id}`, body);
const editable = async (id: string) => (await ada.call('GET', `/dashboard/posts/${id}`)).body;
const textsOf = async (id: string) =>
  (await ada.call('GET', `/get-post/${id}`)).body.posts.map(({ content }: { content: string }) => content);

describe('a text for one connection', () => {
  test('is stored with a new post and survives changes of the shared text', async () => {
    const id = await aPost({ platformContent: { [bluesky]: 'For Bluesky' } });
    await update(id, { content: 'Edited' });
    expect(await textsOf(id)).toEqual(['Edited', 'For Bluesky']);
  });

  test('is set and removed by an update', async () => {
    const id = await aPost();
    await update(id, { platformContent: { [mastodon]: 'For Mastodon' } });
    expect(await textsOf(id)).toEqual(['For Mastodon', 'For all']);
    await update(id, { platformContent: { [mastodon]: null } });
    expect(await textsOf(id)).toEqual(['For all', 'For all']);
    expect((await editable(id)).platformContent).toEqual({});
  });

  test('for a connection that the post does not go to is refused', async () => {
    const id = await aPost({ platforms: [mastodon] });
    const { status, body } = await update(id, { platformContent: { [bluesky]: 'Nobody reads this' } });
    expect([status, body.error]).toEqual([400, `platformContent names ${bluesky}, which is not in platforms`]);
  });

  test('that is too long keeps the post from being scheduled', async () => {
    const id = await aPost();
    const scheduled = { status: 'scheduled', scheduledTime: '2027-03-05T00:00:00Z' };
    const { status, body } = await update(id, { ...scheduled, platformContent: { [mastodon]: 'x'.repeat(501) } });
    expect(status).toBe(400);
    expect(body.validation.errors[0]).toMatchObject({ platform: 'mastodon', code: 'CONTENT_TOO_LONG' });
  });
});

test('[create-post.size] a long text does not go to very many connections', async () => {
  const grace = await service.aUser();
  const platforms: string[] = [];
  for (let index = 0; index < 41; index += 1) platforms.push(await grace.aConnection());
  const post = { content: 'x'.repeat(250_000), platforms };
  const refusal = expect.stringMatching(
    /^The texts for all platforms must have at most 10000000 characters together\./,
  );
  for (const route of ['/create-post', '/validate-post']) {
    expect(await grace.call('POST', route, post)).toMatchObject({ status: 400, body: { error: refusal } });
  }
  const { status, body } = await grace.call('POST', '/create-post', { ...post, platforms: platforms.slice(1) });
  expect(status).toBe(200);
  const more = await grace.call('PUT', `/update-post/${body.postGroupId}`, { platforms });
  expect(more).toMatchObject({ status: 400, body: { error: refusal } });
  const own = { platforms, platformContent: { [platforms[0]!]: '' } };
  expect((await grace.call('PUT', `/update-post/${body.postGroupId}`, own)).status).toBe(200);
});

describe('the version of a post', () => {
  test('lets an update notice that somebody else was faster', async () => {
    const id = await aPost();
    const { version } = await editable(id);
    expect((await update(id, { content: 'First', version })).status).toBe(200);
    const late = await update(id, { content: 'Second', version });
    expect([late.status, late.body.code]).toEqual([409, 'POST_GROUP_VERSION_CONFLICT']);
    expect(await editable(id)).toMatchObject({ content: 'First', version: version + 1 });
  });

  test('is not shown to others', async () => {
    const eve = await service.aUser();
    expect((await eve.call('GET', `/dashboard/posts/${await aPost()}`)).status).toBe(404);
  });
});

describe('validate-post', () => {
  test('tells what becomes of the text on each connection', async () => {
    const x = await ada.aConnection('twitter');
    const body = {
      content: 'one\n---\ntwo',
      platforms: [mastodon, bluesky, x],
      platformContent: { [bluesky]: 'For Bluesky' },
    };
    const { texts } = (await ada.call('POST', '/validate-post', body)).body;
    const of = (id: string) => texts.find(({ platforms }: { platforms: string[] }) => platforms.includes(id));
    expect(of(bluesky)).toEqual({
      platforms: [bluesky],
      length: 11,
      maxLength: 300,
      counting: { unit: 'grapheme' },
      parts: ['For Bluesky'],
    });
    expect(of(x).parts).toHaveLength(2);
  });

  test('checks the files of a post', async () => {
    const instagram = await ada.aConnection('instagram');
    const id = await aPost();
    const body = { content: 'Look', platforms: [instagram] };
    const codes = async (query: string) =>
      (await ada.call('POST', `/validate-post${query}`, body)).body.validation.errors.map(
        ({ code }: { code: string }) => code,
      );
    expect(await codes(`?postGroupId=${id}`)).toEqual(['MEDIA_REQUIRED']);
    const upload = { fileName: 'a.jpg', contentType: 'image/jpeg', postGroupId: id };
    expect((await ada.call('POST', '/get-upload-url', upload)).status).toBe(200);
    expect(await codes(`?postGroupId=${id}`)).toEqual([]);
    const eve = await service.aUser();
    const theirs = { content: 'Look', platforms: [await eve.aConnection('instagram')] };
    expect((await eve.call('POST', `/validate-post?postGroupId=${id}`, theirs)).status).toBe(404);
  });
});
