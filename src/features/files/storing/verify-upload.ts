import { buffer } from 'node:stream/consumers';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import {
  type Storage,
  StorageError,
  type StoredObject,
  storageUnavailable,
} from '../../../foundation/storage/storage.ts';
import { quotaProblem } from '../../users/within-quotas.ts';
import type { MediaSource } from '../inspection/bytes.ts';
import { inspect } from '../inspection/inspect.ts';
import { type Inspection, InspectionError } from '../inspection/inspection.ts';
import { storedMetadata } from '../metadata.ts';
import { type FileFailure, findMedia, type MediaRecord, recordMissing, setFailed, setReady } from '../queries.ts';

/** Whether a file can be published, can never be published, or is undecided. */
export type UploadVerdict =
  | { status: 'ready'; record: MediaRecord }
  | { status: 'failed'; record: MediaRecord; code: string; reason: string; refusal?: Problem }
  | { status: 'pending'; record: MediaRecord; code: PendingCode };
export type PendingCode =
  | 'MEDIA_UPLOAD_PENDING'
  | 'PROBE_BUSY'
  | 'PROBE_DOWNLOAD_FAILED'
  | 'PROBE_VERSION_CHANGED'
  | 'PROBE_VERSION_UNVERIFIED'
  | 'MEDIA_STATE_PERSIST_FAILED'
  | 'MEDIA_FILE_RACE';

/** How long an upload may be missing before it counts as failed. */
const uploadDeadlineMs = 5 * 60_000;
const missingReason =
  'Uploaded media is missing from storage. The upload did not complete; remove it and upload the file again.';

export type FilesApp = Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'log'>;

const entryOf = ({ newId, clock }: FilesApp) => ({ id: newId(), now: clock.now() });

/** Inspects the stored bytes of a record that is `uploading`. Any other record keeps its status. */
export async function verifyUpload(app: FilesApp, record: MediaRecord): Promise<UploadVerdict> {
  if (record.status === 'ready') return { status: 'ready', record };
  if (record.status === 'failed') return asFailed(record, record.failureCode!, record.failureReason ?? '');
  const { storageKey } = record;
  if (storageKey === null) throw new Problem('media_file_missing_url');
  let found: StoredObject | null = null;
  try {
    found = await app.storage.stat(storageKey);
    if (!found) return await missing(app, record);
    const inspection = await inspect(sourceOf(app.storage, record.ownerId, storageKey, found));
    return await verified(app, record, inspection, found, storageKey);
  } catch (error) {
    return explain(app, record, found?.bytes ?? 0, error);
  }
}

async function missing(app: FilesApp, record: MediaRecord): Promise<UploadVerdict> {
  const now = app.clock.now();
  const since = await recordMissing(app.db, record.id, now).catch((error) => notStored(app, record, error));
  if (since === 'not stored') return { status: 'pending', record, code: 'MEDIA_STATE_PERSIST_FAILED' };
  if (now.getTime() - since.getTime() < uploadDeadlineMs)
    return { status: 'pending', record, code: 'MEDIA_UPLOAD_PENDING' };
  return fail(app, record, { code: 'MEDIA_UPLOAD_MISSING', reason: missingReason, bytes: 0 });
}

/** The object must still be the one that was inspected. */
async function verified(app: FilesApp, record: MediaRecord, inspection: Inspection, seen: StoredObject, key: string) {
  const pending = (code: PendingCode): UploadVerdict => ({ status: 'pending', record, code });
  const now = await app.storage.stat(key).catch(() => 'unknown' as const);
  if (now === 'unknown') return pending('PROBE_VERSION_UNVERIFIED');
  if (now?.version !== seen.version) return replaced(app, record);
  const found = {
    userId: record.userId,
    type: inspection.kind,
    mimeType: inspection.mimeType,
    metadata: storedMetadata(inspection),
    objectVersion: seen.version,
  };
  const stored = await setReady(app.db, record.id, found, entryOf(app)).catch(
    (error) => quotaProblem(error) ?? notStored(app, record, error),
  );
  if (stored === 'not stored') return pending('MEDIA_STATE_PERSIST_FAILED');
  if (stored instanceof Problem) return overQuota(app, record, stored, key);
  const ready = { ...record, ...found, status: 'ready' as const };
  return stored ? ({ status: 'ready', record: ready } as const) : verdictOfOther(app, record, seen.version);
}

/** Only an upload that bypassed this service is counted this late. Its file is removed again. */
async function overQuota(app: FilesApp, record: MediaRecord, refusal: Problem, key: string): Promise<UploadVerdict> {
  const verdict = await fail(app, record, { code: refusal.code, reason: String(refusal.body.message), bytes: 0 });
  await app.storage.remove([key]);
  return verdict.status === 'failed' ? { ...verdict, refusal } : verdict;
}

async function fail(app: FilesApp, record: MediaRecord, failure: FileFailure): Promise<UploadVerdict> {
  const { code, reason } = failure;
  const stored = await setFailed(app.db, record.id, failure, entryOf(app)).catch((error) =>
    notStored(app, record, error),
  );
  if (stored === 'not stored') return { status: 'pending', record, code: 'MEDIA_STATE_PERSIST_FAILED' };
  return stored ? asFailed(record, code, reason) : verdictOfOther(app, record, null);
}

/** Another process stored its verdict first. That is fine if it inspected the same version. */
async function verdictOfOther(app: FilesApp, record: MediaRecord, version: string | null): Promise<UploadVerdict> {
  const current = await findMedia(app.db, record.userId, record.id);
  if (!current) throw new Problem('media_file_not_found');
  if (current.status === 'ready' && current.objectVersion === version) return { status: 'ready', record: current };
  return { status: 'pending', record: current, code: 'MEDIA_FILE_RACE' };
}

async function explain(app: FilesApp, record: MediaRecord, bytes: number, error: unknown): Promise<UploadVerdict> {
  if (error instanceof InspectionError) {
    if (error.code === 'PROBE_BUSY') return { status: 'pending', record, code: error.code };
    return fail(app, record, { code: error.code, reason: error.message, bytes });
  }
  if (!(error instanceof StorageError)) throw error;
  app.log.warn({ err: error, mediaId: record.id }, 'a stored file could not be read');
  if (error.kind === 'changed' || error.kind === 'missing') return replaced(app, record);
  return { status: 'pending', record, code: 'PROBE_DOWNLOAD_FAILED' };
}

/** The file was replaced, or deleted together with its record. */
async function replaced(app: FilesApp, record: MediaRecord): Promise<UploadVerdict> {
  if (!(await findMedia(app.db, record.userId, record.id))) throw new Problem('media_file_not_found');
  return { status: 'pending', record, code: 'PROBE_VERSION_CHANGED' };
}

/** All ranges are read from the same version. */
export function sourceOf(storage: Storage, owner: string, key: string, { bytes, version }: StoredObject): MediaSource {
  return {
    owner,
    size: bytes,
    read: async (start, end) => buffer(await storage.read(key, { start, end, version })).catch(storageUnavailable),
  };
}

const asFailed = (record: MediaRecord, code: string, reason: string): UploadVerdict => ({
  status: 'failed',
  record: { ...record, status: 'failed', failureCode: code, failureReason: reason },
  code,
  reason,
});

function notStored(app: FilesApp, { id }: MediaRecord, error: unknown) {
  app.log.error({ err: error, mediaId: id }, 'the result of a file check could not be stored');
  return 'not stored' as const;
}
