import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture } from '../../../test/support/files/inspection.ts';
import { anImage } from '../../../test/support/files/media.ts';
import { serveCounted } from '../../../test/support/servers/egress.ts';
import { type MediaService, mediaService } from '../../../test/support/service/media-service.ts';
import { sendForm } from '../../../test/support/service/send-form.ts';
import type { Answer, TestUser } from '../../../test/support/service/service.ts';
import { plans, type Quotas } from '../../config/plans.ts';
import { setAccess } from '../accounts/operator/switches.ts';
import { demote } from '../posts/update/demote.ts';

const limits = plans.starter.quotas;
const mb = 1_048_576;
let service: MediaService;
let files: Awaited<ReturnType<typeof serveCounted>>;
let png: Buffer;
beforeAll(async () => {
  png = (await anImage({ type: 'png' })).bytes;
  files = await serveCounted((_, response) => response.end(png));
  service = await mediaService('disk', { environment: { EGRESS_ALLOW: files.place } });
});
afterAll(async () => {
  await service.close();
  await files[Symbol.asyncDispose]();
});

/** A user of the smallest plan with only this much room left. */
async function aUser(room: Partial<Quotas> = {}, on = service) {
  const user = await on.aUser({ plan: 'starter' });
  const target = await user.aConnection();
  await leave(user, room, on);
  return { ...user, target };
}
type Starter = Awaited<ReturnType<typeof aUser>>;

async function leave(user: TestUser, room: Partial<Quotas>, { database } = service) {
  for (const [name, left] of Object.entries(room)) {
    await database.pool.query(
      `insert into quota_usage as usage (user_id, ${name}) values ($1, $2)
       on conflict (user_id) do update set ${name} = excluded.${name}`,
      [user.id, limits[name as keyof Quotas] - left],
    );
  }
}

async function aManagedUser(owner: TestUser) {
  await setAccess(service.app, owner.id, { workspace: true });
  const { body } = await owner.call('POST', '/workspace/users', { username: `of-${owner.id}@example.com` });
  return { 'x-service-user-id': body.user._id as string };
}

const draft = (user: Starter, headers = {}) =>
  user.call('POST', '/create-post', { content: 'Later', platforms: [user.target] }, headers);
const address = (user: TestUser, postGroupId: string) =>
  user.call('POST', '/get-upload-url', { postGroupId, fileName: 'a.png', contentType: 'image/png' });
const webhook = (user: TestUser, headers = {}) =>
  user.call('POST', '/webhooks', { name: 'Mine', url: 'https://hooks.example/', events: ['post.published'] }, headers);
async function aScheduledPost(user: Starter): Promise<string> {
  const scheduledTime = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
  const { body } = await user.call('POST', '/create-post', {
    content: 'Soon',
    platforms: [user.target],
    scheduledTime,
  });
  return body.postGroupId;
}
const remove = (user: TestUser, id: string) => user.call('DELETE', `/delete-post/${id}`);
const quotas = async (user: TestUser) => (await user.call('GET', '/account-context')).body.context.quotas;
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const counted = (answers: readonly (Answer | { status: number; body: { code?: string } })[]) => {
  const names = answers.map(({ status, body }) => [status, body.code].filter(Boolean).join(' '));
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, names.filter((one) => one === name).length]),
  );
};
const count = async (table: string, user: TestUser) => {
  const { rows } = await service.database.pool.query(`select count(*)::int from ${table} where user_id = $1`, [
    user.id,
  ]);
  return rows[0].count;
};
/** The values of the counters, and the sums of the rows. */
async function storageOf(user: TestUser) {
  const { rows } = await service.database.pool.query(
    `select (select row_to_json(kept) from (
         select drafts, uploads, bytes, webhooks from quota_usage where user_id = $1) kept) as kept,
       json_build_object(
         'drafts', (select count(*) from post_groups where user_id = $1 and status = 'draft'),
         'uploads', (select count(*) from media where user_id = $1 and status = 'uploading'),
         'bytes', (select coalesce(sum(bytes + receiving_bytes), 0) from media where user_id = $1),
         'webhooks', (select count(*) from webhooks where user_id = $1)) as stored`,
    [user.id],
  );
  return rows[0] as { kept: Quotas; stored: Quotas };
}

describe('drafts', () => {
  test('[plans.quotas] the refusal has the fields of every limit, and nothing is stored', async () => {
    const ada = await aUser({ drafts: 0 });
    const { status, body } = await draft(ada);
    expect([status, body]).toEqual([
      403,
      {
        code: 'DRAFT_LIMIT_REACHED',
        error: 'Draft limit reached',
        message: 'Draft limit reached. Your Starter plan allows 500 drafts.',
        metric: 'posts.drafts',
        limit: 500,
        used: 500,
        requested: 1,
        remaining: 0,
        periodStart: null,
        periodEnd: null,
        planName: 'Starter',
      },
    ]);
    expect([await count('post_groups', ada), await count('platform_posts', ada)]).toEqual([0, 0]);
    expect((await quotas(ada)).drafts).toMatchObject({ limit: 500, used: 500, remaining: 0 });
  });

  test('the refusal says what to do', async () => {
    const ada = await aUser({ drafts: 0 });
    const payload = { content: 'Later', platforms: [ada.target] };
    const headers = { 'x-service-key': ada.apiKey };
    const answer = await service.server.inject({ method: 'POST', url: '/api/v1/create-post', headers, payload });
    expect(answer.json().hint).toBe(
      'Schedule, publish or delete drafts first. GET /list-posts?status=draft lists them.',
    );
  });

  test('20 at the same time for the last 3 places: 3 succeed, and a deleted one makes room for one', async () => {
    const ada = await aUser({ drafts: 3 });
    const answers = await Promise.all(times(20, () => draft(ada)));
    expect(counted(answers)).toEqual({ 200: 3, '403 DRAFT_LIMIT_REACHED': 17 });
    expect(await count('post_groups', ada)).toBe(3);
    await remove(ada, answers.find(({ status }) => status === 200)!.body.postGroupId);
    expect(counted(await Promise.all(times(5, () => draft(ada))))).toEqual({ 200: 1, '403 DRAFT_LIMIT_REACHED': 4 });
  });

  test('an owner and its managed users share the places, also when they write at the same time', async () => {
    const owner = await aUser({ drafts: 4 });
    const asManaged = await aManagedUser(owner);
    const managed = { ...owner, id: asManaged['x-service-user-id'] };
    const connection = await connectionOf(managed.id);
    const answers = await Promise.all(
      times(20, (index) => (index % 2 ? draft(owner) : draft({ ...owner, target: connection }, asManaged))),
    );
    expect(counted(answers)).toEqual({ 200: 4, '403 DRAFT_LIMIT_REACHED': 16 });
    const { drafts } = (await owner.call('GET', '/account-context', undefined, asManaged)).body.context.quotas;
    expect(drafts).toMatchObject({ used: 500, remaining: 0, usageScope: 'workspace' });
  });

  test('a scheduled post cannot become another draft, by an edit or by its media', async () => {
    const ada = await aUser({ drafts: 0 });
    const id = await aScheduledPost(ada);
    const edited = await ada.call('PUT', `/update-post/${id}`, { status: 'draft' });
    const file = { download_url: `${files.url}/a.png`, file_id: '1' };
    const attached = await ada.call('POST', `/attach-media/${id}`, { file });
    expect(counted([edited, attached, await address(ada, id)])).toEqual({ '403 DRAFT_LIMIT_REACHED': 3 });
    expect((await ada.call('GET', `/get-post/${id}`)).body).toMatchObject({ status: 'scheduled', media: [] });
    expect(await service.keptKeys()).toEqual([]);
  });

  test('a post that Crier itself returns to draft is not refused', async () => {
    const ada = await aUser({ drafts: 0 });
    const id = await aScheduledPost(ada);
    const why = { changeType: 'scheduler_state_repair', reason: 'state_mismatch', mediaFileId: null, errorCode: null };
    await service.app.db
      .transaction()
      .execute((tx) => demote(service.app, tx, id, why as Parameters<typeof demote>[3]));
    expect((await quotas(ada)).drafts).toMatchObject({ used: 501, remaining: 0 });
    const scheduledTime = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
    expect((await ada.call('PUT', `/update-post/${id}`, { status: 'scheduled', scheduledTime })).status).toBe(200);
    expect((await quotas(ada)).drafts).toMatchObject({ used: 500 });
  });
});

/** A fake connection: nothing is sent to it. */
async function connectionOf(userId: string): Promise<string> {
  await service.database.pool.query(
    `insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
     values ($1, $2, 'mastodon', $1, 'person', 'Person', 'sealed')`,
    [service.app.newId(), userId],
  );
  const { rows } = await service.database.pool.query(`select account_id from connections where user_id = $1`, [userId]);
  return `mastodon-${rows[0].account_id}`;
}

describe('upload addresses', () => {
  test('20 at the same time for the last 3 places: 3 are made, and none is half-stored', async () => {
    const ada = await aUser();
    const posts = await Promise.all(times(20, async () => (await draft(ada)).body.postGroupId as string));
    await leave(ada, { uploads: 3 });
    const answers = await Promise.all(posts.map((id) => address(ada, id)));
    expect(counted(answers)).toEqual({ 200: 3, '403 UPLOAD_LIMIT_REACHED': 17 });
    expect(await count('media', ada)).toBe(3);
    expect(answers.find(({ status }) => status === 403)!.body).toMatchObject({
      metric: 'media.open_uploads',
      message: 'Upload limit reached. Your Starter plan allows 200 uploads waiting for a file at a time.',
      limit: 200,
      used: 200,
      remaining: 0,
    });
    const { rows } = await service.database.pool.query(
      `select count(*)::int from post_groups where user_id = $1 and media_ids <> '{}'`,
      [ada.id],
    );
    expect(rows[0].count).toBe(3);
  });

  test('a file that arrived and was checked, and a deleted one, make room', async () => {
    const ada = await aUser();
    const postGroupId = (await draft(ada)).body.postGroupId;
    await leave(ada, { uploads: 1 });
    const { mediaId } = await service.anUpload(ada, png, { postGroupId });
    expect((await address(ada, postGroupId)).body.code).toBe('UPLOAD_LIMIT_REACHED');
    await service.complete(ada, mediaId);
    const second = await address(ada, postGroupId);
    expect(second.status).toBe(200);
    expect((await address(ada, postGroupId)).status).toBe(403);
    await ada.call('DELETE', `/media/${second.body.mediaId}`);
    expect((await address(ada, postGroupId)).status).toBe(200);
  });
});

describe('stored bytes', () => {
  const put = async (url: string, bytes: Uint8Array) => {
    const answer = await service.put(url, bytes);
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {} };
  };

  test('10 uploads at the same time where 3 fit: 3 are stored, and deleting one makes room', async () => {
    const ada = await aUser();
    const postGroupId = (await draft(ada)).body.postGroupId;
    const addresses = await Promise.all(times(10, () => address(ada, postGroupId)));
    await leave(ada, { bytes: 3 * mb + 10 });
    const answers = await Promise.all(addresses.map(({ body }) => put(body.uploadUrl, Buffer.alloc(mb, 1))));
    expect(counted(answers)).toEqual({ 200: 3, '403 STORAGE_LIMIT_REACHED': 7 });
    expect(answers.find(({ status }) => status === 403)!.body).toMatchObject({
      metric: 'media.stored_bytes',
      message: 'Storage limit reached. Your Starter plan allows 10 GB of files.',
      limit: limits.bytes,
      used: limits.bytes - 10,
      requested: mb,
      remaining: 10,
      hint: expect.stringContaining('Delete media'),
    });
    expect((await service.storedKeys()).filter((key) => key.startsWith('incoming'))).toEqual([]);
    const place = answers.findIndex(({ status }) => status === 200);
    const refused = answers.findIndex(({ status }) => status === 403);
    await ada.call('DELETE', `/media/${addresses[place]!.body.mediaId}`);
    expect((await put(addresses[refused]!.body.uploadUrl, Buffer.alloc(mb))).status).toBe(200);
  });

  test('many uploads to one address count together while they run', async () => {
    const ada = await aUser();
    const { body } = await address(ada, (await draft(ada)).body.postGroupId);
    await leave(ada, { bytes: 2 * mb + 10 });
    const begin = () => {
      const request = httpRequest(service.reach(body.uploadUrl), {
        method: 'PUT',
        headers: { 'content-type': 'image/png', 'content-length': mb },
      });
      request.on('error', () => {});
      request.write(Buffer.alloc(10));
      return request;
    };
    const [first, second] = [begin(), begin()];
    await expect.poll(async () => (await storageOf(ada)).stored.bytes).toBe(2 * mb);
    const third = begin();
    const [answer] = (await once(third, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await json(answer)]).toMatchObject([403, { code: 'STORAGE_LIMIT_REACHED' }]);
    for (const request of [first, second, third]) request.destroy();
    await expect.poll(async () => (await storageOf(ada)).stored.bytes).toBe(0);
    expect((await storageOf(ada)).kept.bytes).toBe(limits.bytes - 2 * mb - 10);
  });

  test('a file from a URL is cut off where it exceeds the quota', async () => {
    const ada = await aUser({ bytes: 100 });
    const mediaUrls = [`${files.url}/a.png`];
    const answer = await ada.call('POST', '/create-post', { content: 'With', platforms: [ada.target], mediaUrls });
    expect([answer.status, answer.body]).toMatchObject([403, { code: 'STORAGE_LIMIT_REACHED', remaining: 100 }]);
    expect([await count('post_groups', ada), await count('media', ada)]).toEqual([0, 0]);
    await leave(ada, { bytes: 2 * png.length });
    const post = () => ada.call('POST', '/create-post', { content: 'With', platforms: [ada.target], mediaUrls });
    expect(counted(await Promise.all(times(6, post)))).toEqual({ 200: 2, '403 STORAGE_LIMIT_REACHED': 4 });
    expect((await storageOf(ada)).stored).toMatchObject({ bytes: 2 * png.length, drafts: 2 });
  });

  test('of a video in a form that exceeds the quota, nothing is stored', async () => {
    const ada = await aUser();
    const postGroupId = (await draft(ada)).body.postGroupId;
    await leave(ada, { bytes: 2 * mb });
    const before = await service.keptKeys();
    const head = fixture('faststart.mp4');
    const bytes = [head, ...times(8, () => Buffer.alloc(mb))];
    const answer = await sendForm({
      url: `${service.reach(service.app.publicUrl)}/api/v1/process-video`,
      headers: { 'x-service-key': ada.apiKey },
      parts: [
        ['postGroupId', postGroupId],
        ['video', { name: 'a.mp4', bytes }],
      ],
    });
    expect([answer.status, answer.body.code]).toEqual([403, 'STORAGE_LIMIT_REACHED']);
    expect(await service.keptKeys()).toEqual(before);
    expect(await count('media', ada)).toBe(0);
  });

  test('on S3, a file that does not fit is refused and removed when it is completed', async () => {
    const s3 = await mediaService('s3');
    try {
      const ada = await aUser({ bytes: png.length + 10 }, s3);
      const [first, second] = [await s3.anUpload(ada, png), await s3.anUpload(ada, png)];
      const answers = await Promise.all([first, second].map(({ mediaId }) => s3.complete(ada, mediaId)));
      expect(counted(answers)).toEqual({ 200: 1, '403 STORAGE_LIMIT_REACHED': 1 });
      expect(await s3.storedKeys()).toHaveLength(1);
      const refused = answers[0]!.status === 403 ? first : second;
      expect(await s3.media(ada, refused.postGroupId)).toMatchObject([
        { status: 'failed', failureReason: 'Storage limit reached. Your Starter plan allows 10 GB of files.' },
      ]);
    } finally {
      await s3.close();
    }
  });
});

describe('webhooks', () => {
  test('one user has at most 10, as the contract says; an owner and its managed users have 10 together', async () => {
    const owner = await aUser();
    const asManaged = await aManagedUser(owner);
    expect(counted(await Promise.all(times(6, () => webhook(owner))))).toEqual({ 201: 6 });
    // Four of them are the owner's own, so that none of them is the owner's eleventh, whichever come first.
    const answers = await Promise.all(times(8, (index) => webhook(owner, index % 2 ? asManaged : {})));
    expect(counted(answers)).toEqual({ 201: 4, '403 WEBHOOK_LIMIT_REACHED': 4 });
    expect(answers.find(({ status }) => status === 403)!.body).toMatchObject({
      metric: 'webhooks.total',
      limit: 10,
      used: 10,
      remaining: 0,
    });
    const alone = await aUser();
    const { 201: made, ...others } = counted(await Promise.all(times(12, () => webhook(alone))));
    expect([made, others]).toEqual([10, { 400: 2 }]);
    const { body } = await alone.call('GET', '/webhooks');
    await alone.call('DELETE', `/webhooks/${body.webhooks[0]._id}`);
    expect((await quotas(alone)).webhooks).toMatchObject({ used: 9, remaining: 1 });
  });
});

describe('the counters', () => {
  test('are what the rows add up to, after a storm of changes', async () => {
    const ada = await aUser();
    const steps = [
      async () => remove(ada, (await draft(ada)).body.postGroupId),
      async () => service.anUpload(ada, png, { postGroupId: (await draft(ada)).body.postGroupId }),
      async () => service.aReadyFile(ada, png, { postGroupId: (await draft(ada)).body.postGroupId }),
      async () => {
        const { mediaId, postGroupId } = await service.anUpload(ada, Buffer.from('no image'), {
          postGroupId: (await draft(ada)).body.postGroupId,
        });
        await Promise.all([service.complete(ada, mediaId), remove(ada, postGroupId)]);
      },
      async () => {
        const { mediaId } = await service.anUpload(ada, png, { postGroupId: (await draft(ada)).body.postGroupId });
        await Promise.all([service.complete(ada, mediaId), ada.call('DELETE', `/media/${mediaId}`)]);
      },
      async () => {
        const id = (await draft(ada)).body.postGroupId;
        const scheduledTime = new Date(service.clock.now().getTime() + 3_600_000).toISOString();
        await ada.call('PUT', `/update-post/${id}`, { status: 'scheduled', scheduledTime });
        await Promise.all([ada.call('PUT', `/update-post/${id}`, { status: 'draft' }), address(ada, id)]);
      },
    ];
    await Promise.all(times(24, (index) => steps[index % steps.length]!()));
    const { kept, stored } = await storageOf(ada);
    expect(kept).toEqual(stored);
    expect(kept.drafts).toBeGreaterThan(0);
    expect(kept.bytes).toBeGreaterThan(0);
  });
});
