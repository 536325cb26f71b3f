import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { anImage } from '../../../test/support/files/media.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { isSignedWith, openReceiver, type Receiver } from '../../../test/support/servers/webhook-receiver.ts';
import { type MediaService, mediaService, signedIn } from '../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { type Deliverer, startDeliverer } from './delivery/deliverer.ts';

/** Compares each event of contract.md#events with the bytes that a receiver gets. */

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
  receiver.answer('/image.png', (response) => void response.end(png));
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
// Leftover posts would be published during the next test.
afterEach(() => ours.database.pool.query('delete from post_groups'));
afterAll(async () => {
  await deliverer.stop(1000);
  await ours.close();
  await receiver.close();
});

const now = () => ours.clock.now().toISOString();
const inAnHour = () => new Date(ours.clock.now().getTime() + 3_600_000).toISOString();
const envelope = (event: string, data: object) => ({ version: '1', event, timestamp: now(), data });

/** The keys of `data` in the order of the contract. Only the scheduler's demotions have the last two. */
const contractKeys: Record<string, string[]> = {
  'post.scheduled': ['postGroupId', 'scheduledTime', 'platforms'],
  'post.published': ['postId', 'postGroupId', 'platform', 'platformId', 'postedId', 'permalink', 'publishedAt'],
  'post.failed': ['postId', 'postGroupId', 'platform', 'error', 'failedAt'],
  'post.demoted': ['postGroupId', 'reason', 'changeType', 'mediaFileId', 'errorCode', 'demotedAt'],
  'webhook.test': ['webhookId', 'name'],
};

/** The envelopes received since the test began, once there are `count` and no deliveries are waiting. */
async function delivered(count: number) {
  await eventually(
    async () => {
      const waiting = await ours.database.pool.query('select from webhook_deliveries where run_at is not null');
      expect([receiver.received('/hook').length - seen, waiting.rowCount]).toEqual([count, 0]);
    },
    { interval: 20 },
  );
  const received = receiver.received('/hook').slice(seen);
  for (const each of received) {
    expect(isSignedWith(secret, each, ours.clock.now())).toBe(true);
    const parsed = JSON.parse(each.body);
    expect(each.headers['x-service-event']).toBe(parsed.event);
    expect(Object.keys(parsed)).toEqual(['version', 'event', 'timestamp', 'data']);
    const present = contractKeys[parsed.event]?.filter((key) => key in parsed.data);
    expect(Object.keys(parsed.data)).toEqual(present);
    expect(JSON.stringify(parsed)).toBe(each.body);
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

/** A scheduled post whose `post.scheduled` has been delivered. */
async function aPost(files = 0) {
  const post = await aScheduledPost(files);
  await delivered(1);
  seen += 1;
  return post;
}

async function publishLater() {
  ours.advance(3_601);
  await publishDue(ours.app);
}

describe('post.scheduled', () => {
  test('is sent when a post is created scheduled, and when it is scheduled later', async () => {
    const platforms = [await ada.aConnection(), await ada.aConnection()];
    const scheduledTime = inAnHour();
    const made = await ada.call('POST', '/create-post', { content: 'Soon', platforms, scheduledTime });
    const later = await aScheduledPost();
    const envelopes = await delivered(2);
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
  test('is sent for each target, with all seven keys', async () => {
    const { postGroupId, platforms } = await aPost();
    await publishLater();
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    expect(await delivered(1)).toEqual([
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

  test('is sent once for a publish that is recovered after the connection was lost', async () => {
    const { postGroupId } = await aPost();
    await ours.sandbox.fault({ kind: 'reset_after', operation: 'publish', times: 1 });
    await publishLater();
    expect(await delivered(0)).toEqual([]);
    ours.advance(30);
    await publishDue(ours.app);
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    expect(await delivered(1)).toMatchObject([
      { event: 'post.published', data: { postGroupId, postedId: posts[0].postedId, publishedAt: now() } },
    ]);
  });

  test('is sent when the last attempt fails and the post is then found on the platform', async () => {
    const { postGroupId } = await aPost();
    await ours.database.pool.query('update platform_posts set attempts = 3 where post_group_id = $1', [postGroupId]);
    await ours.sandbox.fault({ kind: 'reset_after', operation: 'publish', times: 1 });
    await publishLater();
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    expect(await delivered(1)).toMatchObject([
      { event: 'post.published', data: { postGroupId, postedId: posts[0].postedId } },
    ]);
  });
});

describe('post.failed', () => {
  test('is sent with the code and the message that get-post shows', async () => {
    const { postGroupId } = await aPost();
    await ours.sandbox.fault({ kind: 'status', operation: 'publish', status: 422, times: 1 });
    await publishLater();
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    const { code, message } = posts[0].error;
    expect(await delivered(1)).toEqual([
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

  test('attach: with a key and from the dashboard', async () => {
    const file = { fileName: 'a.png', contentType: 'image/png' };
    for (const [path, headers] of [
      ['/get-upload-url', {}],
      ['/media/generate-upload-url', session],
    ] as const) {
      const { postGroupId } = await aPost();
      const { status, body } = await ada.call('POST', path, { ...file, postGroupId }, headers);
      expect(status).toBe(200);
      expect(await delivered(1)).toEqual([mediaChanged(postGroupId, 'attach', body.mediaId)]);
      seen += 1;
    }
  });

  test('detach', async () => {
    const { postGroupId, mediaIds } = await aPost(2);
    await ada.call('DELETE', `/media/${mediaIds[0]}`);
    expect(await delivered(1)).toEqual([mediaChanged(postGroupId, 'detach', mediaIds[0]!)]);
  });

  test('prune_reference', async () => {
    const { postGroupId, mediaIds } = await aPost(2);
    await ours.database.pool.query('delete from media where id = $1', [mediaIds[0]]);
    await ada.call('DELETE', `/post/${postGroupId}/media/${mediaIds[0]}`);
    expect(await delivered(1)).toEqual([mediaChanged(postGroupId, 'prune_reference', mediaIds[0]!)]);
  });

  test('reorder: without a media file', async () => {
    const { postGroupId, mediaIds } = await aPost(2);
    const order = { mediaIds: mediaIds.toReversed() };
    expect((await ada.call('PUT', `/post/${postGroupId}/media-order`, order, session)).status).toBe(200);
    expect(await delivered(1)).toEqual([mediaChanged(postGroupId, 'reorder', null)]);
  });

  test.each([
    ['MEDIA_REFERENCE_MISSING', 'delete from media where id = $1'],
    ['MEDIA_VALIDATION_FAILED', `update media set status = 'failed', failure_code = 'IMAGE_UNREADABLE' where id = $1`],
  ])('scheduler_media_backstop: %s', async (errorCode, spoil) => {
    const { postGroupId, mediaIds } = await aPost(1);
    await ours.database.pool.query(spoil, [mediaIds[0]]);
    await publishLater();
    expect(await delivered(1)).toEqual([
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

  test('scheduler_state_repair: without a media file and an error code', async () => {
    const { postGroupId, platforms } = await aPost();
    const accountId = platforms[0]?.slice('mastodon-'.length);
    await ours.database.pool.query('delete from connections where account_id = $1', [accountId]);
    await publishLater();
    expect(await delivered(1)).toEqual([
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

  test('attach-media returns the post to draft without sending it', async () => {
    const { postGroupId } = await aPost();
    const file = { download_url: receiver.url('/image.png'), file_id: 'file-1' };
    expect(await ada.call('POST', `/attach-media/${postGroupId}`, { file })).toMatchObject({ status: 200 });
    expect((await ada.call('GET', `/get-post/${postGroupId}`)).body.status).toBe('draft');
    expect(await delivered(0)).toEqual([]);
  });
});

test('an event is sent only to webhooks that subscribe to it', async () => {
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

test('webhook.test is sent on request, to one webhook only', async () => {
  const { webhooks } = (await ada.call('GET', '/webhooks')).body;
  const { _id } = webhooks.find(({ name }: { name: string }) => name === 'All');
  await ada.call('POST', `/webhooks/${_id}/test`);
  expect(await delivered(1)).toEqual([envelope('webhook.test', { webhookId: _id, name: 'All' })]);
});
