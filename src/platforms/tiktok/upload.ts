import { type Media, PlatformError, type PublishContext } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { chunksOf } from './chunks.ts';
import { withDoubt } from './failure.ts';
import { missingFrom, type Publication } from './publication.ts';

type Ctx = PublishContext<Credentials>;

/** For how long TikTok takes a file at the address that it gave. */
const addressMs = 3_600_000;

/**
 * Brings the video to TikTok, which posts it once it has the last byte. An upload that broke off goes on where TikTok says
 * it stopped, at the same address: so a last piece that is still on its way makes no second post. False: it was never
 * completed, and no longer can be.
 */
export function upload(
  video: Media,
  publication: Publication & { upload: object },
  attempt: number,
  ctx: Ctx,
): Promise<boolean> {
  const { url, bytes } = publication.upload;
  let from = 0;
  return ctx.step(`upload ${attempt}`, () => sendFrom(from, video, { url, bytes }, ctx), {
    takenOnce: true,
    async find() {
      const missing = await missingFrom(publication, bytes, ctx);
      if (missing === null) return true;
      if (ctx.now().getTime() - publication.begunAt > addressMs) return false;
      from = missing;
      return null;
    },
  });
}

async function sendFrom(from: number, video: Media, to: { url: string; bytes: number }, ctx: Ctx): Promise<true> {
  const blob = await video.blob();
  const { endOf } = chunksOf(to.bytes);
  for (let start = from; start < to.bytes; start = endOf(start)) {
    const range = `bytes ${start}-${endOf(start) - 1}/${to.bytes}`;
    await put(to.url, blob.slice(start, endOf(start)), { 'content-type': video.type, 'content-range': range }, ctx);
  }
  return true;
}

/** The address is all the permission that it takes, and the status all the answer that there is. */
async function put(address: string, body: Blob, headers: Record<string, string>, ctx: Ctx): Promise<void> {
  const response = await ctx.fetch(address, { method: 'PUT', headers, body }).catch((error: unknown) => {
    // Even if this piece never left: those before it did.
    throw withDoubt(error, true);
  });
  await response.body?.cancel();
  const { ok, status, statusText } = response;
  if (ok) return;
  const isWrong = status === 400 || status === 413 || status === 415;
  const message = isWrong ? 'TikTok does not take the video.' : 'TikTok broke off the upload of the video.';
  const reason = `${status} ${statusText}`.trim();
  throw new PlatformError(isWrong ? 'rejected' : 'unavailable', message, { status, reason, mayHaveHappened: true });
}
