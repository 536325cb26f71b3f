import { randomUUID } from 'node:crypto';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import { startProcessing } from '../../media/media-processing.ts';
import { sniff } from '../../media/sniff.ts';
import type { Call, Sandbox } from '../../platform.ts';
import type { StoredFile } from '../../store/files.ts';
import { presentBlob, saveBlob } from './blobs.ts';
import { error, invalid, refuse } from './errors.ts';
import { blobLimit, isBlueskyServer, videoHost } from './hosts.ts';
import { readParameter } from './input.ts';
import { cidOfBlob } from './repo/cid.ts';
import { requireServiceAuth } from './sign-in/service-auth.ts';

const maxBytes = 300_000_000;
const videosPerDay = 25;
const bytesPerDay = 10 * 1024 ** 3;
const dayMs = 86_400_000;
const uploadMethod = 'com.atproto.repo.uploadBlob';

interface Job extends JsonObject {
  id: string;
  did: string;
  sha256: string;
  bytes: number;
  startedAt: number;
  readyAt: number;
  /** Null when processing will succeed. */
  failure: string | null;
}

const failures: Record<string, string> = {
  validation_failure: 'The file is not a video that can be processed',
  encoding_failure: 'The video could not be encoded',
  pds_upload_unsupported_blob_size: 'The server of the account does not take files of this size',
};

/** Returns the job itself. The lexicon wraps it in `jobStatus`, but the service does not. */
export async function uploadVideo(call: Call): Promise<HttpResponse> {
  // The token lets this service store the finished video on the account's own server.
  const did = requireServiceAuth(call, (account) => `did:web:${pdsOf(call.sandbox, account)}`, uploadMethod);
  if (readParameter(call, 'did') !== did) refuse(401, 'AuthenticationRequired', 'did does not match the token');
  readParameter(call, 'name');
  const { stored } = call.body;
  const type = call.headers['content-type'] ?? '';
  if (!type.startsWith('video/') && type !== 'image/gif') {
    invalid(`Unsupported content type: ${type}`, 'UnsupportedContentType');
  }
  if (!stored || stored.bytes === 0) invalid('A request body is expected but none was provided');
  if (stored.bytes > maxBytes) refuse(413, 'VideoTooLarge', `Video is larger than ${maxBytes} bytes`);

  const same = jobsOf(call.sandbox, did).find((job) => job.sha256 === stored.sha256 && job.failure === null);
  if (same) {
    return json({ ...present(call.sandbox, same), error: 'already_exists', message: 'Video already processed' }, 409);
  }
  const limits = limitsOf(call.sandbox, did);
  if (!limits.canUpload) return error(400, limits.error ?? 'UploadForbidden', limits.message ?? 'Upload not allowed');
  return json(present(call.sandbox, await startJob(call, did, stored)));
}

export function getJobStatus(call: Call): HttpResponse {
  const found = call.sandbox.store.records.find('bluesky', 'job', readParameter(call, 'jobId'));
  if (!found) return error(404, 'JobNotFound', 'Job not found');
  return json({ jobStatus: present(call.sandbox, found.data as Job) });
}

export function getUploadLimits(call: Call): HttpResponse {
  const did = requireServiceAuth(call, () => `did:web:${videoHost}`, 'app.bsky.video.getUploadLimits');
  return json(limitsOf(call.sandbox, did));
}

async function startJob(call: Call, did: string, stored: StoredFile): Promise<Job> {
  const { sandbox } = call;
  const { readyAt, fails } = startProcessing(call);
  const failure = fails ? 'encoding_failure' : await failureOf(call, did, stored);
  const id = randomUUID();
  const job: Job = { id, did, ...stored, startedAt: sandbox.now(), readyAt, failure };
  sandbox.store.records.put('bluesky', 'job', id, job, did);
  // The output of processing is always an MP4.
  if (failure === null) saveBlob(sandbox, did, stored, 'video/mp4', readyAt);
  return job;
}

async function failureOf({ sandbox }: Call, did: string, stored: StoredFile): Promise<string | null> {
  const found = sniff(await sandbox.store.files.head(stored.sha256));
  if (found?.kind !== 'video' && found?.kind !== 'gif') return 'validation_failure';
  const server = pdsOf(sandbox, did);
  return !isBlueskyServer(server) && stored.bytes > blobLimit(server) ? 'pds_upload_unsupported_blob_size' : null;
}

function present(sandbox: Sandbox, { id, did, sha256, bytes, startedAt, readyAt, failure }: Job): JsonObject {
  const job = { jobId: id, did };
  const now = sandbox.now();
  if (now < readyAt) {
    const progress = Math.floor((100 * (now - startedAt)) / (readyAt - startedAt));
    return { ...job, state: progress < 50 ? 'JOB_STATE_ENCODING' : 'JOB_STATE_SCANNING', progress };
  }
  if (failure !== null) {
    const message = failures[failure] ?? '';
    return { ...job, state: 'JOB_STATE_FAILED', error: message, failureCode: failure, message };
  }
  const blob = presentBlob({ cid: cidOfBlob(sha256), mimeType: 'video/mp4', size: bytes });
  return { ...job, state: 'JOB_STATE_COMPLETED', progress: 100, blob };
}

interface Limits {
  canUpload: boolean;
  remainingDailyVideos?: number;
  remainingDailyBytes?: number;
  error?: string;
  message?: string;
}

function limitsOf(sandbox: Sandbox, did: string): Limits {
  if (sandbox.store.accounts.find('bluesky', did)?.data.emailConfirmed !== true) {
    const message = 'Confirm your email address to upload videos';
    return { canUpload: false, error: 'unconfirmed_email', message };
  }
  const today = jobsOf(sandbox, did).filter(({ startedAt }) => startedAt > sandbox.now() - dayMs);
  const remaining = {
    remainingDailyVideos: Math.max(0, videosPerDay - today.length),
    remainingDailyBytes: Math.max(0, bytesPerDay - today.reduce((sum, { bytes }) => sum + bytes, 0)),
  };
  const isOver = remaining.remainingDailyVideos === 0 || remaining.remainingDailyBytes === 0;
  if (!isOver || sandbox.options.rateLimits === 'off') return { canUpload: true, ...remaining };
  return { canUpload: false, ...remaining, error: 'DailyLimitExceeded', message: 'Daily upload limit exceeded' };
}

function jobsOf({ store }: Sandbox, did: string): Job[] {
  return store.records.list('bluesky', 'job', did).map(({ data }) => data as Job);
}

function pdsOf({ store }: Sandbox, did: string): string {
  return String(store.accounts.find('bluesky', did)?.data.pds);
}
