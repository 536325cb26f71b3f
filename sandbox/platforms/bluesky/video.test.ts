import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../http/json.ts';
import { tinyMp4, tinyPng } from '../../test-media.ts';
import { type Member, startBluesky } from './testing.ts';

type Bluesky = Awaited<ReturnType<typeof startBluesky>>;
const uploadMethod = 'com.atproto.repo.uploadBlob';

async function send(sandbox: Bluesky, member: Member, bytes: Uint8Array = tinyMp4, token?: string) {
  const bearer = token ?? (await member.serviceToken(`did:web:${member.host}`, uploadMethod));
  return sandbox.at(`/video.bsky.app/xrpc/app.bsky.video.uploadVideo?did=${member.did}&name=video.mp4`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'video/mp4' },
  });
}

const statusOf = async (sandbox: Bluesky, jobId: string) =>
  (await (await sandbox.read('app.bsky.video.getJobStatus', `jobId=${jobId}`, 'video.bsky.app')).json()).jobStatus;

const videoPost = (video: Json) => ({
  embed: { $type: 'app.bsky.embed.video', video, aspectRatio: { width: 16, height: 9 } },
});

describe('Bluesky videos', () => {
  test('a video is processed before a post can use it', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const sandbox = await startBluesky({ now: () => now });
    const ann = await sandbox.account('ann');
    const upload = await send(sandbox, ann);
    const job = await upload.json();
    expect([upload.status, job]).toEqual([
      200,
      { jobId: expect.any(String), did: ann.did, state: 'JOB_STATE_ENCODING', progress: 0 },
    ]);
    now += 200;
    expect(await statusOf(sandbox, job.jobId)).toMatchObject({ state: 'JOB_STATE_SCANNING', progress: 66 });
    now += 99;
    const early = (await statusOf(sandbox, job.jobId)).blob;
    now += 1;
    const { blob, state } = await statusOf(sandbox, job.jobId);
    expect([early, state]).toEqual([undefined, 'JOB_STATE_COMPLETED']);
    expect(blob).toMatchObject({ $type: 'blob', mimeType: 'video/mp4', size: tinyMp4.length });
    now -= 1;
    expect((await (await ann.create(videoPost(blob))).json()).error).toBe('BlobNotFound');
    now += 1;
    const { uri } = await (await ann.create(videoPost(blob))).json();
    const sha256 = createHash('sha256').update(tinyMp4).digest('hex');
    expect((await sandbox.posts())[0].media).toEqual([{ kind: 'video', bytes: tinyMp4.length, sha256 }]);
    const [post] = (await (await sandbox.read('app.bsky.feed.getPosts', `uris=${uri}`)).json()).posts;
    expect(post.embed).toMatchObject({ $type: 'app.bsky.embed.video#view', cid: blob.ref.$link });
  });

  test('uploading the same bytes again is 409 with the existing job; another account’s upload is new', async () => {
    const sandbox = await startBluesky({ processingMs: 0 });
    const [ann, bo] = [await sandbox.account('ann'), await sandbox.account('bo')];
    const { jobId, blob } = await (await send(sandbox, ann)).json();
    const again = await send(sandbox, ann);
    expect([again.status, await again.json()]).toEqual([
      409,
      expect.objectContaining({ jobId, blob, error: 'already_exists', state: 'JOB_STATE_COMPLETED' }),
    ]);
    expect((await send(sandbox, bo)).status).toBe(200);
  });

  test('failed processing states the reason, and the same file can be uploaded again', async () => {
    const sandbox = await startBluesky({ processingMs: 0 });
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'processing_failed' });
    const { jobId } = await (await send(sandbox, ann)).json();
    expect(await statusOf(sandbox, jobId)).toMatchObject({
      state: 'JOB_STATE_FAILED',
      failureCode: 'encoding_failure',
      error: expect.stringMatching(/\S/),
    });
    expect(await (await send(sandbox, ann)).json()).toMatchObject({ state: 'JOB_STATE_COMPLETED' });
    const image = await (await send(sandbox, ann, tinyPng)).json();
    expect(image).toMatchObject({ state: 'JOB_STATE_FAILED', failureCode: 'validation_failure' });
  });

  test('a video over the limit of the account’s own server fails', async () => {
    const sandbox = await startBluesky({ processingMs: 0 });
    const [ann, eve] = [await sandbox.account('ann'), await sandbox.account('eve.pds.example.org')];
    const large = Buffer.concat([tinyMp4, Buffer.alloc(6 * 1024 * 1024)]);
    expect(await (await send(sandbox, eve, large)).json()).toMatchObject({
      failureCode: 'pds_upload_unsupported_blob_size',
    });
    expect(await (await send(sandbox, ann, large)).json()).toMatchObject({ state: 'JOB_STATE_COMPLETED' });
  });

  test('the token must be for this use and recent', async () => {
    let now = Date.parse('2026-11-15T12:00:00Z');
    const sandbox = await startBluesky({ now: () => now });
    const ann = await sandbox.account('ann');
    const errorWith = async (token: string) => (await (await send(sandbox, ann, tinyMp4, token)).json()).error;
    const server = `did:web:${ann.host}`;
    expect(await errorWith(ann.credentials.accessJwt)).toBe('BadJwt');
    expect(await errorWith(await ann.serviceToken('did:web:video.bsky.app', uploadMethod))).toBe('BadJwtAudience');
    expect(await errorWith(await ann.serviceToken(server, 'app.bsky.video.uploadVideo'))).toBe('BadJwtLexiconMethod');
    const token = await ann.serviceToken(server, uploadMethod);
    now += 61_000;
    expect(await errorWith(token)).toBe('JwtExpired');
  });

  test('a service token lasts at most an hour', async () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    const ann = await (await startBluesky({ now: () => now })).account('ann');
    const ask = async (seconds: number) => {
      const parameters = `aud=did:web:${ann.host}&lxm=${uploadMethod}&exp=${now / 1000 + seconds}`;
      return (await ann.query('com.atproto.server.getServiceAuth', parameters)).json();
    };
    expect(await ask(1800)).toEqual({ token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
    expect((await ask(3601)).error).toBe('BadExpiration');
    expect((await ask(-1)).error).toBe('BadExpiration');
  });

  test('upload limits report what is left today; without a confirmed email address nothing is allowed', async () => {
    const sandbox = await startBluesky({ processingMs: 0, rateLimits: 'vendor' });
    const limits = async (member: Member) => {
      const token = await member.serviceToken('did:web:video.bsky.app', 'app.bsky.video.getUploadLimits');
      const path = '/video.bsky.app/xrpc/app.bsky.video.getUploadLimits';
      return (await sandbox.at(path, { headers: { authorization: `Bearer ${token}` } })).json();
    };
    const ann = await sandbox.account('ann');
    for (let day = 1; day <= 25; day += 1) await send(sandbox, ann, Buffer.concat([tinyMp4, Buffer.of(day)]));
    expect(await limits(ann)).toMatchObject({ canUpload: false, remainingDailyVideos: 0 });
    const over = await send(sandbox, ann, Buffer.concat([tinyMp4, Buffer.of(26)]));
    expect([over.status, (await over.json()).error]).toEqual([400, 'DailyLimitExceeded']);

    const newcomer = await sandbox.account('unverified-zoe');
    expect(await limits(newcomer)).toMatchObject({ canUpload: false, message: expect.stringMatching(/email/) });
    expect((await send(sandbox, newcomer)).status).toBe(400);
  });
});
