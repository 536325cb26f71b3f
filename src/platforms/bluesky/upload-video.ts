import { type output, z } from 'zod';
import { type Media, maxAnswerBytes, PlatformError, type PublishContext, uploadWait } from '../kit/index.ts';
import { atPds, BlobRef, type Credentials, procedure, query, ServiceAuth } from './api.ts';
import { jobFailure, videoLimitReached } from './failure.ts';
import { aspectRatioOf, uploadBlob } from './upload.ts';

type Ctx = PublishContext<Credentials>;

/** Encodes videos and stores them on the account's server, whichever that is. */
const videoService = { origin: 'https://video.bsky.app', did: 'did:web:video.bsky.app' };
/** The maximum duration of an upload. */
const uploadTokenSeconds = 1800;
const pollSeconds = 5;

const JobStatus = z
  .object({
    jobId: z.string().max(1_000).min(1).optional(),
    state: z.string().max(200).default(''),
    blob: BlobRef.optional(),
    error: z.string().max(maxAnswerBytes).optional(),
    failureCode: z.string().max(maxAnswerBytes).optional(),
    message: z.string().max(maxAnswerBytes).optional(),
  })
  .refine(({ jobId, blob, error }) => jobId ?? blob ?? error, 'neither a job nor an error');
/** In the schema the job is nested one level deeper, but the service sends it at the top. */
const Job = z.union([z.object({ jobStatus: JobStatus }).transform(({ jobStatus }) => jobStatus), JobStatus]);
const UploadLimits = z.object({
  canUpload: z.boolean(),
  remainingDailyVideos: z.number().optional(),
  remainingDailyBytes: z.number().optional(),
  message: z.string().max(maxAnswerBytes).optional(),
  error: z.string().max(maxAnswerBytes).optional(),
});
type UploadLimits = output<typeof UploadLimits>;

export async function videoEmbed(video: Media, ctx: Ctx) {
  const upload = await ctx.step('video', () => uploadVideo(video, ctx), { replayable: true });
  const { jobId, uploadedAt = ctx.now().getTime() } = upload;
  const wait = uploadWait(pollSeconds, uploadedAt, 'Bluesky', ctx);
  const blob = upload.blob ?? (await ctx.until(() => whenEncoded(jobId, ctx), wait));
  return { $type: 'app.bsky.embed.video', video: blob, alt: video.altText, aspectRatio: aspectRatioOf(video) };
}

/** Earlier versions stored no time. */
type Upload = { jobId: string; blob: BlobRef | null; uploadedAt?: number };

async function uploadVideo(video: Media, ctx: Ctx): Promise<Upload> {
  const file = await video.blob();
  const limits = await uploadLimits(ctx);
  if (limits === null) return { jobId: '', blob: await uploadBlob(file, video.type, ctx) };
  assertAllowed(file.size, limits);
  const token = await serviceToken(pdsDid(ctx), 'com.atproto.repo.uploadBlob', ctx, uploadTokenSeconds);
  const params = { did: ctx.credentials.did, name: `${ctx.postId}.mp4` };
  const input = { params, file: { blob: file, type: video.type }, expected: [alreadyUploaded] };
  const at = { origin: videoService.origin, token };
  const job = await procedure(Job, at, 'app.bsky.video.uploadVideo', input, ctx).catch(explainServiceToken);
  if (!job.jobId && !job.blob) throw jobFailure(job);
  return { jobId: job.jobId ?? '', blob: job.blob ?? null, uploadedAt: ctx.now().getTime() };
}

const pdsDid = ({ credentials }: Ctx) => `did:web:${new URL(credentials.pds).hostname}`;

/** The same bytes were uploaded before. The response contains the job of that upload. */
const alreadyUploaded = 409;

async function whenEncoded(jobId: string, ctx: Ctx): Promise<BlobRef | null> {
  const job = await query(Job, { origin: videoService.origin }, 'app.bsky.video.getJobStatus', { jobId }, ctx);
  if (job.blob) return job.blob;
  if (job.state === 'JOB_STATE_FAILED') throw jobFailure(job);
  return null;
}

/**
 * Null if there is no video service, as in a private network. There a video is stored like an image, and is processed
 * when the post is viewed: https://docs.bsky.app/docs/tutorials/video, "Simple method" (read 2026-11).
 */
async function uploadLimits(ctx: Ctx): Promise<UploadLimits | null> {
  const name = 'app.bsky.video.getUploadLimits';
  const token = await serviceToken(videoService.did, name, ctx);
  const at = { origin: videoService.origin, token };
  return query(UploadLimits, at, name, {}, ctx).catch((error: unknown) => {
    if (error instanceof PlatformError && noSuchMethod.includes(error.status ?? 0)) return null;
    return explainServiceToken(error);
  });
}

/** The statuses of a server without the method: a web server, and one of Bluesky's. */
const noSuchMethod = [404, 501];

function assertAllowed(bytes: number, limits: UploadLimits): void {
  const { remainingDailyVideos = 1, remainingDailyBytes = bytes } = limits;
  if (remainingDailyVideos < 1 || remainingDailyBytes < bytes) throw refusedVideo(videoLimitReached, limits);
  if (!limits.canUpload) throw refusedVideo(notAllowed, limits);
}

const notAllowed =
  'Bluesky does not accept videos from this account. Confirm its email address in Bluesky, or try again later.';
const refusedVideo = (message: string, limits: UploadLimits) =>
  new PlatformError('rejected', message, { reason: limits.message ?? limits.error ?? JSON.stringify(limits) });

/** A token for one procedure at one other service, on behalf of the account. */
async function serviceToken(aud: string, lxm: string, ctx: Ctx, seconds?: number): Promise<string> {
  const exp = seconds && String(Math.floor(ctx.now().getTime() / 1000) + seconds);
  const params = { aud, lxm, ...(exp && { exp }) };
  const { token } = await query(ServiceAuth, atPds(ctx.credentials), 'com.atproto.server.getServiceAuth', params, ctx);
  return token;
}

/** The video service rejected a token that lasts a few minutes. The connection itself is not affected. */
function explainServiceToken(error: unknown): never {
  if (!(error instanceof PlatformError) || error.kind !== 'auth') throw error;
  const message = 'The Bluesky video service rejected its access token. Try again later.';
  throw error.with({ kind: 'unavailable', message });
}
