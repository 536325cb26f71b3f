import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../../foundation/errors/index.ts';
import { type MediaRecord, selectMedia } from '../queries.ts';
import type { FilesApp } from './verify-upload.ts';
import { type PendingCode, type UploadVerdict, verifyUpload } from './verify-upload.ts';

/** Uploads are checked every half second, for up to nine seconds. */
const polling = { passes: 18, everyMs: 500 };
/** Failing storage is checked less often, because each request may take many seconds to fail. */
const unreadablePasses = 3;
const retryAfterSec = 5;

/**
 * The verified files of a post that is to be scheduled, in order. Waits a few seconds for uploads that are about to
 * end. Throws the reason if the post cannot be scheduled.
 */
export async function requireReady(
  app: FilesApp,
  who: { userId: string; client: string },
  mediaIds: readonly string[],
  { passes, everyMs } = polling,
): Promise<MediaRecord[]> {
  for (let attempts = 1; ; attempts += 1) {
    const verdict = await verifyAll(app, who, mediaIds);
    const pending = verdict.find((file) => file.status === 'pending');
    if (!pending) return verdict.map(({ record }) => record);
    const isUnreadable = pending.code === 'PROBE_DOWNLOAD_FAILED' && attempts >= unreadablePasses;
    if (attempts >= passes || isUnreadable) throw stillPending(pending, attempts, who.client);
    await sleep(everyMs);
  }
}

async function verifyAll(app: FilesApp, who: { userId: string; client: string }, mediaIds: readonly string[]) {
  const records = await selectMedia(app.db, who.userId, mediaIds);
  const verdict: UploadVerdict[] = [];
  for (const id of mediaIds) {
    const record = records.find((candidate) => candidate.id === id);
    if (!record) throw referenceMissing(id, who.client);
    const outcome = await verifyUpload(app, record);
    if (outcome.status === 'failed') throw unpublishable(outcome, who.client);
    verdict.push(outcome);
  }
  return verdict;
}

/** The error for a file that waiting does not help. */
function unpublishable(
  { record, code, reason }: Extract<UploadVerdict, { status: 'failed' }>,
  client: string,
): Problem {
  const missing = code === 'MEDIA_UPLOAD_MISSING';
  return new Problem(missing ? 'schedule_media_missing' : 'schedule_media_invalid', {
    ...(missing && { error: reason }),
    ...(!missing && { error: `Media file "${record.sourceFileName}" cannot be published: ${reason}` }),
    mediaFileId: record.id,
    mediaStatus: 'failed',
    reason,
    retryable: false,
    suggestions: [remove(record.id, client)],
  });
}

function referenceMissing(id: string, client: string): Problem {
  const problem = 'The post lists a media file that no longer exists.';
  return new Problem('schedule_media_reference', {
    error: problem,
    mediaFileId: id,
    mediaStatus: null,
    reason: problem,
    retryable: false,
    suggestions: [
      client === 'mcp'
        ? `Call prune_media_reference for media ${id}, then schedule again`
        : `Call DELETE /post/{postGroupId}/media/${id}, then schedule again`,
    ],
  });
}

/** The error for a file that may become ready. */
function stillPending({ record, code }: { record: MediaRecord; code: PendingCode }, attempts: number, client: string) {
  const uploading = code === 'MEDIA_UPLOAD_PENDING';
  return new Problem(uploading ? 'schedule_upload_pending' : 'schedule_media_pending', {
    ...(code === 'PROBE_DOWNLOAD_FAILED' && { error: unreadable }),
    mediaFileId: record.id,
    mediaStatus: record.status,
    pendingCode: code,
    attempts,
    retryable: true,
    retryAfterSec,
    suggestions: [uploading ? finish(record.id, client) : 'Schedule again in a few seconds'],
  });
}

const unreadable =
  'The service cannot read the file from its storage. The post was not scheduled; retry scheduling shortly.';

const remove = (id: string, client: string) =>
  client === 'mcp'
    ? `Call delete_media for ${id}, upload the file again with get_upload_url, then call update_post with status scheduled`
    : `Call DELETE /media/${id}, upload the file again with POST /get-upload-url, then PUT /update-post with status scheduled`;

const finish = (id: string, client: string) =>
  client === 'mcp'
    ? `Finish the upload, call complete_media for ${id}, then call update_post with status scheduled`
    : `Finish the PUT to the upload URL, call POST /complete-media/${id}, then PUT /update-post with status scheduled`;
