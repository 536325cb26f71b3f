import { type output, z } from 'zod';
import { type Media, PlatformError, type PublishContext } from '../kit/index.ts';
import { atPds, BlobRef, type Credentials, procedure, query, ServiceAuth } from './api.ts';
import { jobFailure } from './failure.ts';
import { aspectRatioOf } from './images.ts';

type Ctx = PublishContext<Credentials>;

/** Encodes videos and puts them on the account's server, whoever runs that. */
const videoService = { origin: 'https://video.bsky.app', did: 'did:web:video.bsky.app' };
/** As long as the slowest upload may take. */
const uploadTokenSeconds = 1800;
const secondsBetweenLooks = 5;

const JobStatus = z
  .object({
    jobId: z.string().min(1).optional(),
    state: z.string().default(''),
    blob: BlobRef.optional(),
    error: z.string().optional(),
    failureCode: z.string().optional(),
    message: z.string().optional(),
  })
  .refine(({ jobId, blob, error }) => jobId ?? blob ?? error, 'neither a job nor a reason why there is none');
/** The schema has it one level down, the service at the top. */
const Job = z.union([z.object({ jobStatus: JobStatus }).transform(({ jobStatus }) => jobStatus), JobStatus]);
const Allowance = z.object({
  canUpload: z.boolean(),
  remainingDailyVideos: z.number().optional(),
  remainingDailyBytes: z.number().optional(),
  message: z.string().optional(),
  error: z.string().optional(),
});

export async function videoEmbed(video: Media, ctx: Ctx) {
  const upload = await ctx.step('video', () => uploadVideo(video, ctx), { replayable: true });
  const blob = upload.blob ?? (await ctx.until(() => encoded(upload.jobId, ctx), secondsBetweenLooks));
  return { $type: 'app.bsky.embed.video', video: blob, alt: video.altText, aspectRatio: aspectRatioOf(video) };
}

type Upload = { jobId: string; blob: BlobRef | null };

async function uploadVideo(video: Media, ctx: Ctx): Promise<Upload> {
  const file = await video.blob();
  await assertAllowed(file.size, ctx);
  const token = await serviceToken(pdsDid(ctx), 'com.atproto.repo.uploadBlob', ctx, uploadTokenSeconds);
  const params = { did: ctx.credentials.did, name: `${ctx.postId}.mp4` };
  const input = { params, file: { blob: file, type: video.type }, alsoFine: alreadyThere };
  const at = { origin: videoService.origin, token };
  const job = await procedure(Job, at, 'app.bsky.video.uploadVideo', input, ctx).catch(notOurSession);
  if (!job.jobId && !job.blob) throw jobFailure(job);
  return { jobId: job.jobId ?? '', blob: job.blob ?? null };
}

const pdsDid = ({ credentials }: Ctx) => `did:web:${new URL(credentials.pds).hostname}`;

/** The same bytes were uploaded before; the answer names the job of that time. */
const alreadyThere = 409;

async function encoded(jobId: string, ctx: Ctx): Promise<BlobRef | null> {
  const job = await query(Job, { origin: videoService.origin }, 'app.bsky.video.getJobStatus', { jobId }, ctx);
  if (job.blob) return job.blob;
  if (job.state === 'JOB_STATE_FAILED') throw jobFailure(job);
  return null;
}

async function assertAllowed(bytes: number, ctx: Ctx): Promise<void> {
  const name = 'app.bsky.video.getUploadLimits';
  const token = await serviceToken(videoService.did, name, ctx);
  const at = { origin: videoService.origin, token };
  const allowance = await query(Allowance, at, name, {}, ctx).catch(notOurSession);
  const { remainingDailyVideos = 1, remainingDailyBytes = bytes } = allowance;
  if (remainingDailyVideos < 1 || remainingDailyBytes < bytes) throw refusedVideo(usedUp, allowance);
  if (!allowance.canUpload) throw refusedVideo(notAllowed, allowance);
}

const usedUp = 'The daily allowance of videos on Bluesky is used up. Publish again tomorrow.';
const notAllowed =
  'Bluesky takes no videos from this account. Confirm its e-mail address in Bluesky, or try again later.';
const refusedVideo = (message: string, allowance: output<typeof Allowance>) =>
  new PlatformError('rejected', message, { reason: allowance.message ?? allowance.error ?? JSON.stringify(allowance) });

/** Lets us do one thing, at one other service, in the account's name. */
async function serviceToken(aud: string, lxm: string, ctx: Ctx, seconds?: number): Promise<string> {
  const exp = seconds && String(Math.floor(ctx.now().getTime() / 1000) + seconds);
  const params = { aud, lxm, ...(exp && { exp }) };
  const { token } = await query(ServiceAuth, atPds(ctx.credentials), 'com.atproto.server.getServiceAuth', params, ctx);
  return token;
}

/** The video service refused a token of a few minutes; the connection itself is as good as before. */
function notOurSession(error: unknown): never {
  if (!(error instanceof PlatformError) || error.kind !== 'auth') throw error;
  const details = { status: error.status ?? undefined, reason: error.reason ?? undefined, mayHaveHappened: false };
  throw new PlatformError('unavailable', 'The video service of Bluesky did not let us in.', details);
}
