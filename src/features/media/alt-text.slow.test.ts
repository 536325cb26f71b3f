import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { serveCounted } from '../../../test/support/servers/egress.ts';
import { type MediaWeb, mediaWeb } from '../../../test/support/servers/media-web.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { descriptionOf } from '../../platforms/descriptions.ts';
import type { PlatformName } from '../../platforms/index.ts';
import { outgoingMedia, selectMedia } from '../files/files.ts';

let web: MediaWeb;
/** Calls `meanwhile` before it sends an image. */
let slowWeb: Awaited<ReturnType<typeof serveCounted>>;
let meanwhile: () => Promise<unknown>;
let ours: MediaService;
let ada: TestUser;
let image: Buffer;
beforeAll(async () => {
  web = await mediaWeb();
  slowWeb = await serveCounted((_, response) => void meanwhile().then(() => response.end(image)));
  ours = await mediaService('disk', { environment: { EGRESS_ALLOW: `${web.place},${slowWeb.place}` } });
  ada = await ours.aUser();
  image = (await anImage({ type: 'png' })).bytes;
});
afterAll(async () => {
  await ours.close();
  await web[Symbol.asyncDispose]();
  await slowWeb[Symbol.asyncDispose]();
});

const invalid = { status: 400, body: { error: 'altText must be a string of at most 2000 characters, or null' } };
const change = (mediaId: string, altText: unknown, by = ada) => by.call('PATCH', `/media/${mediaId}`, { altText });
const inAnHour = () => new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
const altTexts = async (postGroupId: string) => (await ours.media(ada, postGroupId)).map(({ altText }) => altText);
const versionOf = async (postGroupId: string) =>
  (await ours.database.pool.query('select version from post_groups where id = $1', [postGroupId])).rows[0].version;

/** A draft with an image that has this alt text. */
async function aPost(altText: string | null = null, platforms: PlatformName[] = ['mastodon']) {
  const postGroupId = await ours.aDraft(ada, platforms);
  const { mediaId } = await ours.aReadyFile(ada, image, { postGroupId });
  if (altText !== null) expect((await change(mediaId, altText)).status).toBe(200);
  return { postGroupId, mediaId };
}
const schedule = (postGroupId: string, more: object = {}) =>
  ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled', scheduledTime: inAnHour(), ...more });
async function publish(postGroupId: string) {
  expect(await ada.call('PUT', `/update-post/${postGroupId}`, { publishNow: true })).toMatchObject({ status: 200 });
  await publishDue(ours.app);
}

describe('the alt text of a file', () => {
  test.for(['/get-upload-url', '/media/generate-upload-url'])(
    'is given to %s, without the space around it',
    async (path) => {
      const postGroupId = await ours.aDraft(ada);
      const session = await signedIn(ours, ada);
      const upload = { postGroupId, fileName: 'a.png', contentType: 'image/png', altText: ' A red square \n' };
      const { status, body } = await ada.call('POST', path, upload, session);
      expect(status).toBe(200);
      expect(await ours.media(ada, postGroupId)).toMatchObject([{ mediaId: body.mediaId, altText: 'A red square' }]);
      await ours.put(body.uploadUrl, image);
      expect((await ours.complete(ada, body.mediaId)).body.mediaFile).toMatchObject({ altText: 'A red square' });
    },
  );

  test('is given to attach-media, and a retry with another one is another request', async () => {
    const postGroupId = await ours.aDraft(ada);
    const file = { download_url: `${web.url}/picture/a`, file_id: 'file-1' };
    const attach = (altText: string | undefined, key: string) =>
      ada.call('POST', `/attach-media/${postGroupId}`, { file, altText }, { 'idempotency-key': key });
    expect((await attach('A red square', 'alt-1')).status).toBe(200);
    expect((await attach('A red square', 'alt-1')).status).toBe(200);
    expect(await attach('A blue square', 'alt-1')).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_CONFLICT' },
    });
    expect((await attach(undefined, 'alt-2')).status).toBe(200);
    expect(await altTexts(postGroupId)).toEqual(['A red square', null]);
  });

  test('is given in mediaUrls, beside plain addresses', async () => {
    const [plain, other] = [`${web.url}/picture/1`, `${web.url}/picture/2`];
    const mediaUrls = [
      plain,
      { url: ` ${other} `, altText: 'The second' },
      { url: plain },
      { url: plain, altText: null },
    ];
    const post = { content: 'Four', platforms: [await ada.aConnection()], mediaUrls };
    const { status, body } = await ada.call('POST', '/create-post', post);
    expect([status, body.media.map(({ url }: { url: string }) => url)]).toEqual([200, [plain, other, plain, plain]]);
    expect(await altTexts(body.postGroupId)).toEqual([null, 'The second', null, null]);
    const more = { mediaUrls: [{ url: plain, altText: 'One more' }] };
    expect((await ada.call('PUT', `/update-post/${body.postGroupId}`, more)).status).toBe(200);
    expect((await altTexts(body.postGroupId)).at(-1)).toBe('One more');
  });

  test('a request with mediaUrls is the same request only with the same alt texts', async () => {
    const platforms = [await ada.aConnection()];
    const create = (altText: string) => {
      const mediaUrls = [{ url: `${web.url}/picture/1`, altText }];
      return ada.call('POST', '/create-post', { content: 'Once', platforms, mediaUrls }, { 'idempotency-key': 'alt' });
    };
    const first = await create('One');
    expect((await create('One')).body).toEqual(first.body);
    expect(await create('Two')).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_CONFLICT' } });
  });

  test('a misspelt field beside an address is listed in the warnings', async () => {
    const mediaUrls = [{ url: `${web.url}/picture/1`, alttext: 'Lost' }];
    const { body } = await ada.call('POST', '/create-post', {
      content: 'x',
      platforms: [await ada.aConnection()],
      mediaUrls,
    });
    expect(body.warnings).toMatchObject([
      { code: 'UNKNOWN_FIELD', field: 'mediaUrls.0.alttext', didYouMean: 'mediaUrls.0.altText' },
    ]);
  });

  test('has at most 2,000 characters, and an emoji is one', async () => {
    const { mediaId, postGroupId } = await aPost();
    expect((await change(mediaId, '🌊'.repeat(2000))).status).toBe(200);
    expect(await change(mediaId, 'a'.repeat(2001))).toMatchObject(invalid);
    expect(await altTexts(postGroupId)).toEqual(['🌊'.repeat(2000)]);
  });

  test.for([7, ['a'], { text: 'a' }, true])('%j is refused everywhere', async (altText) => {
    const { mediaId, postGroupId } = await aPost();
    const file = { download_url: `${web.url}/picture/a`, file_id: 'file-1' };
    const upload = { postGroupId, fileName: 'a.png', contentType: 'image/png', altText };
    const mediaUrls = [{ url: `${web.url}/picture/1`, altText }];
    expect(await change(mediaId, altText)).toMatchObject(invalid);
    expect(await ada.call('POST', '/get-upload-url', upload)).toMatchObject(invalid);
    expect(await ada.call('POST', `/attach-media/${postGroupId}`, { file, altText })).toMatchObject(invalid);
    expect(await ada.call('PUT', `/update-post/${postGroupId}`, { mediaUrls })).toMatchObject(invalid);
    expect(await altTexts(postGroupId)).toEqual([null]);
  });

  test.for([[{}], [{ altText: 'No address' }], [{ url: '' }], [null], [7]])(
    '[media-urls.entry] mediaUrls refuses %j',
    async (mediaUrls) => {
      const answer = await ada.call('POST', '/create-post', {
        content: 'x',
        platforms: [await ada.aConnection()],
        mediaUrls,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'Every mediaUrls entry must be a non-empty string' },
      });
    },
  );
});

describe('PATCH /media/{mediaId}', () => {
  test('sets the alt text, replaces it, and removes it with null or an empty text', async () => {
    const { postGroupId, mediaId } = await aPost();
    const { status, body } = await change(mediaId, ' First ');
    const [shown] = await ours.media(ada, postGroupId);
    expect([status, body]).toEqual([200, { success: true, media: { ...shown, altText: 'First' } }]);
    for (const [altText, stored] of [
      ['Second', 'Second'],
      [null, null],
      ['Third', 'Third'],
      ['  ', null],
    ]) {
      expect((await change(mediaId, altText)).body.media.altText).toBe(stored);
      expect(await altTexts(postGroupId)).toEqual([stored]);
    }
    expect(await ada.call('PATCH', `/media/${mediaId}`, {})).toMatchObject(invalid);
  });

  test('works with a session', async () => {
    const { mediaId } = await aPost();
    const { authorization } = await signedIn(ours, ada);
    const headers = { authorization: authorization! };
    const request = {
      method: 'PATCH' as const,
      url: `/api/v1/media/${mediaId}`,
      headers,
      payload: { altText: 'Seen' },
    };
    expect((await ours.server.inject(request)).json()).toMatchObject({ media: { altText: 'Seen' } });
  });

  test('an id that is none, and a file of somebody else, are not found', async () => {
    const { mediaId, postGroupId } = await aPost('Mine');
    const eve = await ours.aUser();
    expect(await change(mediaId, 'Hers', eve)).toMatchObject({ status: 404, body: { error: 'Media file not found' } });
    expect(await change('x', 'No')).toMatchObject({ status: 400, body: { error: 'Invalid mediaId' } });
    expect(await altTexts(postGroupId)).toEqual(['Mine']);
  });

  test('an edit that has read the post before is refused, because it has not checked the new text', async () => {
    const { postGroupId, mediaId } = await aPost('Short', ['twitter']);
    let changed = 0;
    meanwhile = async () => {
      changed = (await change(mediaId, 'a'.repeat(1200))).status;
    };
    const answer = await schedule(postGroupId, { mediaUrls: [`${slowWeb.url}/slow.png`] });
    expect([changed, answer.status, answer.body.code]).toEqual([200, 409, 'POST_GROUP_VERSION_CONFLICT']);
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body).toMatchObject({ status: 'draft', media: [{}] });
  });

  test('a scheduled post stays scheduled, as a new version', async () => {
    const { postGroupId, mediaId } = await aPost();
    expect((await schedule(postGroupId)).status).toBe(200);
    const before = await versionOf(postGroupId);
    expect((await change(mediaId, 'Later thought')).status).toBe(200);
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body.status).toBe('scheduled');
    expect(await versionOf(postGroupId)).toBe(before + 1);
    expect(await ours.demotions(postGroupId)).toEqual([]);
  });

  test('a scheduled post refuses a text that one of its networks does not take', async () => {
    const { postGroupId, mediaId } = await aPost('Short', ['twitter', 'mastodon', 'bluesky']);
    expect((await schedule(postGroupId)).status).toBe(200);
    const { status, body } = await change(mediaId, 'a'.repeat(1200));
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.validation.errors).toMatchObject([{ platform: 'twitter', code: 'ALT_TEXT_TOO_LONG', maxValue: 1000 }]);
    expect(await altTexts(postGroupId)).toEqual(['Short']);
  });

  test('a post that is being published, or is published, keeps its alt text', async () => {
    const [on, out] = [await aPost('On its way'), await aPost('Out')];
    await schedule(on.postGroupId);
    const busy = `update post_groups set processing_status = 'processing' where id = $1`;
    await ours.database.pool.query(busy, [on.postGroupId]);
    expect(await change(on.mediaId, 'Late')).toMatchObject({ status: 409, body: { code: 'POST_PUBLISH_IN_PROGRESS' } });
    await publish(out.postGroupId);
    const error = 'Cannot change media: post is currently in published status';
    expect(await change(out.mediaId, 'Late')).toMatchObject({
      status: 400,
      body: { error, code: 'POST_NOT_EDITABLE' },
    });
    expect([await altTexts(on.postGroupId), await altTexts(out.postGroupId)]).toEqual([['On its way'], ['Out']]);
  });

  test('two changes at the same time both count, and the later one stays', async () => {
    const { postGroupId, mediaId } = await aPost();
    const before = await versionOf(postGroupId);
    const answers = await Promise.all(['One', 'Two'].map((altText) => change(mediaId, altText)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await versionOf(postGroupId)).toBe(before + 2);
    expect(['One', 'Two']).toContain((await altTexts(postGroupId))[0]);
  });
});

describe('a network', () => {
  const longest: [PlatformName, number][] = [
    ['twitter', 1000],
    ['instagram', 1000],
    ['threads', 1000],
    ['facebook', 1000],
    ['mastodon', 1500],
  ];

  test.for(longest)('%s refuses more than %i characters before the post is scheduled', async ([platform, max]) => {
    const { postGroupId, mediaId } = await aPost('a'.repeat(max + 1), [platform]);
    const { status, body } = await schedule(postGroupId);
    expect(status).toBe(400);
    expect(body.validation.errors).toEqual([
      {
        platform,
        code: 'ALT_TEXT_TOO_LONG',
        message: expect.stringMatching(
          new RegExp(`^Alt text of file 1 exceeds .+'s ${max} character limit \\(currently ${max + 1}\\)$`),
        ),
        field: 'altText',
        severity: 'error',
        constraint: 'maxLength',
        currentValue: max + 1,
        maxValue: max,
        suggestions: [
          `Shorten the alt text to ${max} characters. Call PATCH /media/{mediaId} to change the alt text of an uploaded file`,
        ],
      },
    ]);
    await change(mediaId, 'a'.repeat(max));
    expect((await schedule(postGroupId)).status).toBe(200);
  });

  test.for(['bluesky', 'linkedin', 'telegram', 'tiktok'] as const)(
    '%s takes or ignores 2,000 characters',
    async (platform) => {
      const { postGroupId } = await aPost('a'.repeat(2000), [platform]);
      expect((await schedule(postGroupId)).status).toBe(200);
    },
  );

  test('validate-post names it too', async () => {
    const mediaUrls = [`${web.url}/picture/1`, { url: `${web.url}/picture/2`, altText: 'a'.repeat(1001) }];
    const post = { content: 'x', platforms: [await ada.aConnection('twitter')], mediaUrls };
    const { body } = await ada.call('POST', '/validate-post', post);
    expect(body.validation).toMatchObject({
      valid: false,
      errors: [{ message: "Alt text of file 2 exceeds Twitter/X's 1000 character limit (currently 1001)" }],
    });
  });

  test('does not check that of a video where it takes it for images alone', async () => {
    const postGroupId = await ours.aDraft(ada, ['twitter']);
    const file = { postGroupId, fileName: 'a.mp4', contentType: 'video/mp4' };
    const { mediaId } = await ours.aReadyFile(ada, aVideo().bytes, file);
    await change(mediaId, 'a'.repeat(1001));
    expect((await schedule(postGroupId)).status).toBe(200);
  });

  test('receives it with the file, and with a version of the file that was made for it', async () => {
    const { postGroupId, mediaId } = await aPost('Said to the network', ['mastodon']);
    await publish(postGroupId);
    const posts = await ours.sandbox.posts();
    expect(posts.at(-1)?.media).toMatchObject([{ kind: 'image', altText: 'Said to the network' }]);
    const records = await selectMedia(ours.app.db, ada.id, [mediaId]);
    await using outgoing = await outgoingMedia(ours.app, records, descriptionOf('instagram')!.limits);
    expect(outgoing.media).toMatchObject([{ type: 'image/jpeg', altText: 'Said to the network' }]);
  });
});

test('a change is an event of the stream', async () => {
  const { mediaId, postGroupId } = await aPost();
  const { pool } = ours.database;
  await pool.query(`insert into stream_users (user_id, expires_at) values ($1, now() + interval '1 hour')`, [ada.id]);
  const changes = async () =>
    (await pool.query(`select data from changes where user_id = $1 and kind = 'media' order by position`, [ada.id]))
      .rows;
  await change(mediaId, 'Heard');
  await change(mediaId, 'Heard');
  expect(await changes()).toEqual([{ data: { change: 'updated', mediaId, postGroupId, status: 'ready' } }]);
  await pool.query('delete from stream_users where user_id = $1', [ada.id]);
});
