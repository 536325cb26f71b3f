import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedPost } from '../../../../test/support/database/stored-post.ts';
import { anImage } from '../../../../test/support/files/media.ts';
import { anotherProcess, type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import type { Answer, TestUser } from '../../../../test/support/service/service.ts';
import type { Problem } from '../../../foundation/errors/index.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { requireReady } from './readiness.ts';

const missing =
  'Uploaded media is missing from storage. The upload did not complete; remove it and upload the file again.';
const short = { passes: 3, everyMs: 10 };

let ours: MediaService;
let ada: TestUser;
let png: Buffer;
let waitingSchedule: { answer: Promise<Answer>; mediaId: string; postGroupId: string };
beforeAll(async () => {
  ours = await mediaService('disk');
  ada = await ours.aUser();
  png = (await anImage({ type: 'png' })).bytes;
  // Started first and awaited last, because it waits as long as a request does.
  const postGroupId = await ours.aDraft(ada);
  const { mediaId } = await ours.anAddress(ada, postGroupId);
  waitingSchedule = { answer: schedule(postGroupId), mediaId, postGroupId };
});
afterAll(() => ours.close());

const schedule = (postGroupId: string, headers = {}) =>
  ada.call('PUT', `/update-post/${postGroupId}`, { status: 'scheduled', content: 'Edited' }, headers);
const read = async (postGroupId: string) => (await ada.call('GET', `/get-post/${postGroupId}`)).body;

describe('a post is not scheduled', () => {
  test.each([
    ['api', 'DELETE /media/', 'POST /get-upload-url'],
    ['mcp', 'delete_media', 'get_upload_url'],
  ])('with a file that is not media; the suggestion is for a client of kind %s', async (client, first, second) => {
    const { postGroupId, mediaId } = await ours.anUpload(ada, Buffer.from('<svg/>'), { fileName: 'logo.svg' });
    const { logs: _, ...before } = await storedPost(ours, postGroupId);
    const answer = await schedule(postGroupId, { 'x-service-client': client });
    const [{ failureReason }] = await ours.media(ada, postGroupId);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: `Media file "logo.svg" cannot be published: ${failureReason}`,
        code: 'MEDIA_VALIDATION_FAILED',
        mediaFileId: mediaId,
        mediaStatus: 'failed',
        reason: failureReason,
        retryable: false,
        suggestions: [expect.stringMatching(`${first}.*${second}`)],
      },
    ]);
    expect(failureReason).toMatch(/SVG/);
    expect(await storedPost(ours, postGroupId)).toMatchObject(before);
    expect((await schedule(postGroupId)).body.code).toBe('MEDIA_VALIDATION_FAILED');
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ status: 'failed' }]);
  });

  test('with an upload that never arrived', async () => {
    const postGroupId = await ours.aDraft(ada);
    const { mediaId } = await ours.anAddress(ada, postGroupId);
    const missedAt = new Date(ours.clock.now().getTime() - 300_000);
    await ours.database.pool.query('update media set first_missing_at = $2 where id = $1', [mediaId, missedAt]);
    const { status, body } = await schedule(postGroupId);
    expect([status, body]).toEqual([
      400,
      {
        error: missing,
        code: 'MEDIA_UPLOAD_MISSING',
        mediaFileId: mediaId,
        mediaStatus: 'failed',
        reason: missing,
        retryable: false,
        suggestions: [expect.stringContaining(mediaId)],
      },
    ]);
    expect(await read(postGroupId)).toMatchObject({ status: 'draft', media: [{ status: 'failed' }] });
  });

  test.each([
    ['api', 'DELETE /post/'],
    ['mcp', 'prune_media_reference'],
  ])('with a reference to a deleted file; the suggestion is for a client of kind %s', async (client, words) => {
    const { postGroupId, mediaId } = await ours.aReadyFile(ada, png);
    await ours.database.pool.query('delete from media where id = $1', [mediaId]);
    const { status, body } = await schedule(postGroupId, { 'x-service-client': client });
    const error = 'The post lists a media file that no longer exists.';
    const rest = { mediaStatus: null, reason: error, retryable: false };
    const suggestions = [expect.stringContaining(words)];
    expect([status, body]).toEqual([
      400,
      { error, code: 'MEDIA_REFERENCE_MISSING', mediaFileId: mediaId, ...rest, suggestions },
    ]);
  });

  test('with a file of another user', async () => {
    const { mediaId } = await ours.aReadyFile(await ours.aUser(), png);
    const postGroupId = await ours.aDraft(ada);
    await ours.database.pool.query('update post_groups set media_ids = array[$2] where id = $1', [
      postGroupId,
      mediaId,
    ]);
    expect((await schedule(postGroupId)).body.code).toBe('MEDIA_REFERENCE_MISSING');
  });

  test.each([
    ['api', 'POST /complete-media/'],
    ['mcp', 'complete_media'],
  ])('while an upload is pending; the suggestion is for a client of kind %s', async (client, words) => {
    const postGroupId = await ours.aDraft(ada);
    const { mediaId } = await ours.anAddress(ada, postGroupId);
    const problem = await refusal(client, [mediaId]);
    expect([problem.status, problem.body]).toEqual([
      503,
      {
        error: 'Media upload is still pending. The post was not scheduled; finish the upload and retry scheduling.',
        code: 'MEDIA_UPLOAD_PENDING',
        mediaFileId: mediaId,
        mediaStatus: 'uploading',
        pendingCode: 'MEDIA_UPLOAD_PENDING',
        attempts: 3,
        retryable: true,
        retryAfterSec: 5,
        suggestions: [expect.stringContaining(words)],
      },
    ]);
  });

  test('while the storage does not answer', async () => {
    const { mediaId } = await ours.anUpload(ada, png);
    await using other = await anotherProcess(ours, {
      stat: () => Promise.reject(new StorageError('unavailable', 'Not now.')),
    });
    const problem = await refusal('api', [mediaId], other.app);
    expect(problem.body).toMatchObject({
      code: 'MEDIA_VALIDATION_PENDING',
      error: expect.stringContaining('cannot read the file from its storage'),
      pendingCode: 'PROBE_DOWNLOAD_FAILED',
      mediaStatus: 'uploading',
      retryAfterSec: 5,
    });
  });
});

async function refusal(client: string, mediaIds: string[], app = ours.app): Promise<Problem> {
  const ready = requireReady(app, { userId: ada.id, client }, mediaIds, short);
  return ready.then(
    () => Promise.reject(new Error('It was ready.')),
    (problem: Problem) => problem,
  );
}

describe('a post is scheduled', () => {
  test('with files that were not completed: they are verified now', async () => {
    const { postGroupId } = await ours.anUpload(ada, png);
    expect(await schedule(postGroupId)).toMatchObject({ status: 200, body: { postGroup: { status: 'scheduled' } } });
    expect(await ours.media(ada, postGroupId)).toMatchObject([{ status: 'ready' }]);
  });

  test('with an upload that arrives while the request waits', async () => {
    const postGroupId = await ours.aDraft(ada);
    const { uploadUrl } = await ours.anAddress(ada, postGroupId);
    const answer = schedule(postGroupId);
    // The request must have looked for the file without success. It polls.
    await sleep(600);
    await ours.put(uploadUrl, png);
    expect(await answer).toMatchObject({ status: 200 });
    expect(await read(postGroupId)).toMatchObject({ status: 'scheduled', media: [{ status: 'ready' }] });
  });

  test('only when the status changes: a draft may have files that never arrived', async () => {
    const postGroupId = await ours.aDraft(ada);
    await ours.anAddress(ada, postGroupId);
    expect((await ada.call('PUT', `/update-post/${postGroupId}`, { content: 'Still a draft' })).status).toBe(200);
  });
});

test('a request waits nine seconds for an upload; then the answer says when to retry', async () => {
  const { answer, mediaId, postGroupId } = waitingSchedule;
  const { status, headers, body } = await answer;
  expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(body).toMatchObject({ code: 'MEDIA_UPLOAD_PENDING', mediaFileId: mediaId, attempts: 18 });
  expect(await read(postGroupId)).toMatchObject({ status: 'draft', posts: [{ content: 'With media' }] });
});
