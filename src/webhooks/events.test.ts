import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { anImage } from '../../test/support/media-files.ts';
import { type MediaService, mediaService, signedIn } from '../../test/support/media-service.ts';
import { publishDue } from '../../test/support/publishing.ts';
import type { TestUser } from '../../test/support/service.ts';
import { isSignedWith, openReceiver, type Receiver } from '../../test/support/webhook-receiver.ts';
import { type Deliverer, startDeliverer } from './deliver.ts';

/** Contract 2, section 6: what is told, compared with the bytes that a receiver gets. */

let receiver: Receiver;
let ours: MediaService;
let ada: TestUser;
let secret: string;
let session: Record<string, string>;
let deliverer: Deliverer;
let png: Buffer;
let seen: number;

beforeAll(async () => {
  receiver = await openReceiver();
  ours = await mediaService('disk', { environment: receiver.environment, egress: receiver.egress });
  ada = await ours.aUser();
  session = await signedIn(ours, ada);
  png = (await anImage({ type: 'png' })).bytes;
  receiver.answer('/picture.png', (response) => void response.end(png));
  const made = await ada.call('POST', '/webhooks', {
    name: 'All',
    url: receiver.url('/hook'),
    events: ['post.scheduled', 'post.published', 'post.failed', 'post.demoted', 'token.expiring'],
  });
  secret = made.body.webhook.secret;
  deliverer = startDeliverer(ours.app);
});
beforeEach(() => {
  seen = receiver.received('/hook').length;
});
// Or they would be published within the next test.
afterEach(() => ours.database.pool.query('delete from post_groups'));
afterAll(async () => {
  await deliverer.stop(1000);
  await ours.close();
  await receiver.close();
});

const now = () => ours.clock.now().toISOString();
const inAnHour = () => new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
const envelope = (event: string, data: object) => ({ version: '1', event, timestamp: now(), data });

/** What came since the test began, once there are so many and everything stored was delivered. */
async function told(count: number) {
  await vi.waitFor(
    async () => {
      const waiting = await ours.database.pool.query('select from webhook_deliveries where run_at is not null');
      expect([receiver.received('/hook').length - seen, waiting.rowCount]).toEqual([count, 0]);
    },
    { timeout: 5000, interval: 20 },
  );
  const received = receiver.received('/hook').slice(seen);
  for (const each of received) {
    expect(isSignedWith(secret, each, ours.clock.now())).toBe(true);
    expect(each.headers['x-service-event']).toBe(JSON.parse(each.body).event);
    expect(Object.keys(JSON.parse(each.body))).toEqual(['version', 'event', 'timestamp', 'data']);
  }
  return received.map(({ body }) => JSON.parse(body));
}

async function aScheduledPost(files = 0) {
  const platforms = [await ada.aConnection()];
  const { body } = await ada.call('POST', '/create-post', { content: 'Hear, hear: “ä”\n\t\\', platforms });
  const postGroupId: string = body.postGroupId;
  const mediaIds: string[] = [];
  for (let n = 0; n < files; n += 1) mediaIds.push((await ours.aReadyFile(ada, png, { postGroupId })).mediaId);
  const scheduledTime = inAnHour();
  const change = { status: 'scheduled', scheduledTime };
  expect(await ada.call('PUT', `/update-post/${postGroupId}`, change)).toMatchObject({ status: 200 });
  return { postGroupId, platforms, mediaIds, scheduledTime };
}

/** A scheduled post whose scheduling has been told. */
async function aPost(files = 0) {
  const post = await aScheduledPost(files);
  await told(1);
  seen += 1;
  return post;
}

async function publishLater() {
  ours.advance(3_601);
  await publishDue(ours.app);
}

describe('post.scheduled', () => {
  test('when a post is made scheduled, and when it is scheduled later', async () => {
    const platforms = [await ada.aConnection(), await ada.aConnection()];
    const scheduledTime = inAnHour();
    const made = await ada.call('POST', '/create-post', { content: 'Soon', platforms, scheduledTime });
    const later = await aScheduledPost();
    const envelopes = await told(2);
    expect(envelopes).toEqual(
      expect.arrayContaining([
        envelope('post.scheduled', { postGroupId: made.body.postGroupId, scheduledTime, platforms }),
        envelope('post.scheduled', {
          postGroupId: later.postGroupId,
          scheduledTime: later.scheduledTime,
          platforms: later.platforms,
        }),
      ]),
    );
  });
});

describe('post.published', () => {
  test('for each target, with all seven keys', async () => {
    const { postGroupId, platforms } = await aPost();
    await publishLater();
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    expect(await told(1)).toEqual([
      envelope('post.published', {
        postId: posts[0]._id,
        postGroupId,
        platform: 'mastodon',
        platformId: platforms[0]?.slice('mastodon-'.length),
        postedId: posts[0].postedId,
        permalink: posts[0].permalink,
        publishedAt: now(),
      }),
    ]);
    expect(posts[0].postedId).toEqual(expect.any(String));
  });

  test('with null for what is not known, never without the key', async () => {
    const { postGroupId } = await aPost();
    const { rows } = await ours.database.pool.query(
      `insert into events (id, user_id, type, data, created_at)
      values ($1, $2, 'post.published', jsonb_build_object('postGroupId', $3::text, 'platformId', null, 'postedId', null,
        'permalink', null), $4) returning data`,
      [ours.app.newId(), ada.id, postGroupId, ours.clock.now()],
    );
    expect(await told(1)).toEqual([envelope('post.published', rows[0].data)]);
  });
});

describe('post.failed', () => {
  test('with the code and the message that get-post shows', async () => {
    const { postGroupId } = await aPost();
    await ours.sandbox.fault({ kind: 'status', operation: 'publish', status: 422, times: 1 });
    await publishLater();
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    const { code, message } = posts[0].error;
    expect(await told(1)).toEqual([
      envelope('post.failed', {
        postId: posts[0]._id,
        postGroupId,
        platform: 'mastodon',
        error: { code, message },
        failedAt: now(),
      }),
    ]);
    expect([code, message]).toEqual([expect.stringMatching(/^[A-Z_]+$/), expect.stringMatching(/./)]);
  });
});

describe('post.demoted', () => {
  const mediaChanged = (postGroupId: string, changeType: string, mediaFileId: string | null) =>
    envelope('post.demoted', { postGroupId, reason: 'media_changed', changeType, mediaFileId });

  test('attach, by key and at the dashboard', async () => {
    const file = { fileName: 'a.png', contentType: 'image/png' };
    for (const [path, headers] of [
      ['/get-upload-url', {}],
      ['/media/generate-upload-url', session],
    ] as const) {
      const { postGroupId } = await aPost();
      const { status, body } = await ada.call('POST', path, { ...file, postGroupId }, headers);
      expect(status).toBe(200);
      expect(await told(1)).toEqual([mediaChanged(postGroupId, 'attach', body.mediaId)]);
      seen += 1;
    }
  });

  test('detach', async () => {
    const { postGroupId, mediaIds } = await aPost(2);
    await ada.call('DELETE', `/media/${mediaIds[0]}`);
    expect(await told(1)).toEqual([mediaChanged(postGroupId, 'detach', mediaIds[0]!)]);
  });

  test('prune_reference', async () => {
    const { postGroupId, mediaIds } = await aPost(2);
    await ours.database.pool.query('delete from media where id = $1', [mediaIds[0]]);
    await ada.call('DELETE', `/post/${postGroupId}/media/${mediaIds[0]}`);
    expect(await told(1)).toEqual([mediaChanged(postGroupId, 'prune_reference', mediaIds[0]!)]);
  });

  test('reorder, of no file in particular', async () => {
    const { postGroupId, mediaIds } = await aPost(2);
    const order = { mediaIds: mediaIds.toReversed() };
    expect((await ada.call('PUT', `/post/${postGroupId}/media-order`, order, session)).status).toBe(200);
    expect(await told(1)).toEqual([mediaChanged(postGroupId, 'reorder', null)]);
  });

  test.each([
    ['MEDIA_REFERENCE_MISSING', 'delete from media where id = $1'],
    ['MEDIA_VALIDATION_FAILED', `update media set status = 'failed', failure_code = 'IMAGE_UNREADABLE' where id = $1`],
  ])('scheduler_media_backstop: %s', async (errorCode, spoil) => {
    const { postGroupId, mediaIds } = await aPost(1);
    await ours.database.pool.query(spoil, [mediaIds[0]]);
    await publishLater();
    expect(await told(1)).toEqual([
      envelope('post.demoted', {
        postGroupId,
        reason: 'media_backstop',
        changeType: 'scheduler_media_backstop',
        mediaFileId: mediaIds[0],
        errorCode,
        demotedAt: now(),
      }),
    ]);
  });

  test('scheduler_state_repair, with null for what there is not', async () => {
    const { postGroupId, platforms } = await aPost();
    const accountId = platforms[0]?.slice('mastodon-'.length);
    await ours.database.pool.query('delete from connections where account_id = $1', [accountId]);
    await publishLater();
    expect(await told(1)).toEqual([
      envelope('post.demoted', {
        postGroupId,
        reason: 'state_mismatch',
        changeType: 'scheduler_state_repair',
        mediaFileId: null,
        errorCode: null,
        demotedAt: now(),
      }),
    ]);
  });

  test('not by attach-media, which also makes a draft of the post', async () => {
    const { postGroupId } = await aPost();
    const file = { download_url: receiver.url('/picture.png'), file_id: 'file-1' };
    expect(await ada.call('POST', `/attach-media/${postGroupId}`, { file })).toMatchObject({ status: 200 });
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body.status).toBe('draft');
    expect(await told(0)).toEqual([]);
  });
});

test('only those who asked for an event hear of it', async () => {
  const eve = await ours.aUser();
  for (const [by, name, events] of [
    [eve, 'Eve', ['post.scheduled']],
    [ada, 'Failures', ['post.failed']],
  ] as const) {
    await by.call('POST', '/webhooks', { name, url: receiver.url(`/${name}`), events });
  }
  await aPost();
  expect([receiver.received('/Eve'), receiver.received('/Failures')]).toEqual([[], []]);
});

test('webhook.test, on request, for one webhook alone', async () => {
  const { webhooks } = (await ada.call('GET', '/webhooks')).body;
  const { _id } = webhooks.find(({ name }: { name: string }) => name === 'All');
  await ada.call('POST', `/webhooks/${_id}/test`);
  expect(await told(1)).toEqual([envelope('webhook.test', { webhookId: _id, name: 'All' })]);
});
