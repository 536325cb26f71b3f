import { type Context, PlatformError, type PublishContext, type Wait } from '../kit/index.ts';
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
  if (status === 'PUBLISH_COMPLETE') return { publishId: job.publishId, postId, completeAt: ctx.now().getTime() };
  return null;
}

const processingDeadlineMs = 86_400_000;
const minPollSeconds = 5;

/**
 * Most posts are ready within half a minute and large videos after a few minutes, so the checks become less frequent.
 */
export function processingWait({ startedAt }: PublishJob, ctx: Ctx): Wait {
  const elapsedMs = ctx.now().getTime() - startedAt;
  return {
    seconds: Math.max(minPollSeconds, Math.round(elapsedMs / 10_000)),
    msLeft: processingDeadlineMs - elapsedMs,
    late() {
      throw new PlatformError(
        'unknown_outcome',
        'TikTok has been processing the post for a day. Check the account before you publish the post again.',
      );
    },
  };
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
