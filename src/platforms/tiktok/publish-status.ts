import { type Context, PlatformError, type PublishContext } from '../kit/index.ts';
import { api, type Credentials, call, Status } from './api.ts';
import { withDoubt } from './failure.ts';

type Ctx = PublishContext<Credentials>;

/** A post initiated on TikTok. It is published once TikTok has received and processed all of its files. */
export type PublishJob = {
  publishId: string;
  /** Milliseconds. */
  startedAt: number;
  /** Where to upload the video; null if TikTok downloads the files itself. */
  upload: { url: string; bytes: number } | null;
};

export type Failed = { failReason: string };
/** TikTok returns the id of a public post, though not always immediately. `completeAt` is in milliseconds. */
export type Complete = { publishId: string; postId: string | null; completeAt: number };

export async function readStatus({ publishId }: Pick<PublishJob, 'publishId'>, ctx: Context<Credentials>) {
  const { accessToken } = ctx.credentials;
  const request = { url: `${api}/post/publish/status/fetch/`, accessToken, body: { publish_id: publishId } };
  const { status, fail_reason, uploaded_bytes, publicaly_available_post_id } = await call(Status, request, ctx);
  return {
    status,
    failReason: fail_reason || status,
    uploadedBytes: uploaded_bytes,
    postId: publicaly_available_post_id[0] ?? null,
  };
}

/** The result of a job whose files TikTok has or can download; null while TikTok is processing them. */
export async function resultOf(job: PublishJob, ctx: Ctx): Promise<Complete | Failed | null> {
  const { status, failReason, postId } = await readStatus(job, ctx).catch((error: unknown) => {
    // The post may be published even if its status cannot be read.
    throw withDoubt(error, true);
  });
  if (status === 'FAILED') return { failReason };
  const now = ctx.now().getTime();
  if (status === 'PUBLISH_COMPLETE') return { publishId: job.publishId, postId, completeAt: now };
  if (now - job.startedAt < processingDeadlineMs) return null;
  const message = 'TikTok has been processing the post for a day. Check the account before you publish the post again.';
  throw new PlatformError('unknown_outcome', message, { reason: status });
}

const processingDeadlineMs = 86_400_000;
const minPollSeconds = 5;
const maxPollSeconds = 300;

/**
 * Most posts are ready within half a minute and large videos after a few minutes, so the checks become less frequent.
 */
export function pollSeconds({ startedAt }: PublishJob, ctx: Ctx): number {
  const elapsedSeconds = (ctx.now().getTime() - startedAt) / 1000;
  return Math.min(maxPollSeconds, Math.max(minPollSeconds, Math.round(elapsedSeconds / 10)));
}

/** For a post that is given up. Null: it is not published and will not be; undefined: it may still be published. */
export async function completeOrNot(job: PublishJob, ctx: Ctx): Promise<Complete | null | undefined> {
  const result = await resultOf(job, ctx);
  if (result) return 'failReason' in result ? null : result;
  return job.upload && (await firstMissingByte(job, job.upload.bytes, ctx)) !== null ? null : undefined;
}

/** Where an upload broke off; null if TikTok has all of it. */
export async function firstMissingByte(job: PublishJob, bytes: number, ctx: Ctx): Promise<number | null> {
  const { status, uploadedBytes } = await readStatus(job, ctx);
  return status === 'PROCESSING_UPLOAD' && uploadedBytes < bytes ? uploadedBytes : null;
}
