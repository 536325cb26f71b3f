import { type Context, PlatformError, type PublishContext } from '../kit/index.ts';
import { type Credentials, call, Status } from './api.ts';
import { withDoubt } from './failure.ts';

type Ctx = PublishContext<Credentials>;

/** A post that was announced to TikTok. It is out once TikTok has all of its files and has looked at them. */
export type Publication = {
  publishId: string;
  /** Milliseconds. */
  begunAt: number;
  /** Where a video is to go; null for what TikTok fetches by itself. */
  upload: { url: string; bytes: number } | null;
};

export type Failed = { failReason: string };
/** Of a public post TikTok tells the id, though not always at once. Milliseconds. */
export type Complete = { publishId: string; postId: string | null; completeAt: number };

export async function statusOf({ publishId }: Pick<Publication, 'publishId'>, ctx: Context<Credentials>) {
  const { accessToken } = ctx.credentials;
  const request = { path: '/post/publish/status/fetch/', accessToken, body: { publish_id: publishId } };
  const { status, fail_reason, uploaded_bytes, publicaly_available_post_id } = await call(Status, request, ctx);
  return {
    status,
    failReason: fail_reason || status,
    uploadedBytes: uploaded_bytes,
    postId: publicaly_available_post_id[0] ?? null,
  };
}

/** What became of a publication whose files TikTok has, or can fetch; null while it is at work. */
export async function endOf(publication: Publication, ctx: Ctx): Promise<Complete | Failed | null> {
  const { status, failReason, postId } = await statusOf(publication, ctx).catch((error: unknown) => {
    // Whatever keeps us from looking, the post may be out.
    throw withDoubt(error, true);
  });
  if (status === 'FAILED') return { failReason };
  const now = ctx.now().getTime();
  if (status === 'PUBLISH_COMPLETE') return { publishId: publication.publishId, postId, completeAt: now };
  if (now - publication.begunAt < processingDeadlineMs) return null;
  const message = 'TikTok has been at work on the post for a day. Look at the account before you post again.';
  throw new PlatformError('unknown_outcome', message, { reason: status });
}

const processingDeadlineMs = 86_400_000;
const leastSeconds = 5;
const mostSeconds = 300;

/** Most posts are ready within half a minute, large videos after some. What takes long is looked at less often. */
export function secondsToNextLook({ begunAt }: Publication, ctx: Ctx): number {
  const elapsedSeconds = (ctx.now().getTime() - begunAt) / 1000;
  return Math.min(mostSeconds, Math.max(leastSeconds, Math.round(elapsedSeconds / 10)));
}

/** Asked when nobody will work at the post any more. Null: it is not out, and will not be; undefined: it may be. */
export async function completeOrNot(publication: Publication, ctx: Ctx): Promise<Complete | null | undefined> {
  const end = await endOf(publication, ctx);
  if (end) return 'failReason' in end ? null : end;
  return publication.upload && (await missingFrom(publication, publication.upload.bytes, ctx)) !== null
    ? null
    : undefined;
}

/** Where an upload broke off; null if TikTok has all of it. */
export async function missingFrom(publication: Publication, bytes: number, ctx: Ctx): Promise<number | null> {
  const { status, uploadedBytes } = await statusOf(publication, ctx);
  return status === 'PROCESSING_UPLOAD' && uploadedBytes < bytes ? uploadedBytes : null;
}
