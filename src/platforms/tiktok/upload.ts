import { exactly, type Media, PlatformError, type PublishContext, statusLine } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { chunksOf } from './chunks.ts';
import { withDoubt } from './failure.ts';
import { firstMissingByte, type PublishJob } from './publish-status.ts';

type Ctx = PublishContext<Credentials>;

/** TikTok accepts the upload at its URL for an hour. */
const addressTtlMs = 3_600_000;

/**
 * Uploads the video to TikTok, which publishes it once it has the last byte. An interrupted upload is resumed where
 * TikTok says it stopped, at the same URL, so a last chunk that is still in flight creates no second post. Returns
 * false if the upload was never completed and no longer can be.
 */
export function upload(
  video: Media,
  job: PublishJob & { upload: object },
  attempt: number,
  ctx: Ctx,
): Promise<boolean> {
  const { url, bytes } = job.upload;
  let from = 0;
  return ctx.step<boolean>(`upload ${attempt}`, () => sendFrom(from, video, { url, bytes }, ctx), {
    takenOnce: true,
    async find() {
      const missing = await firstMissingByte(job, bytes, ctx);
      if (missing === null) return exactly(true);
      if (ctx.now().getTime() - job.startedAt > addressTtlMs) return exactly(false);
      from = missing;
      return exactly<boolean>(null);
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

/** The URL needs no token, and the response is only a status. */
async function put(address: string, body: Blob, headers: Record<string, string>, ctx: Ctx): Promise<void> {
  const response = await ctx.fetch(address, { method: 'PUT', headers, body }).catch((error: unknown) => {
    // Even if this chunk was never sent, those before it were.
    throw withDoubt(error, true);
  });
  await response.body?.cancel();
  const { ok, status } = response;
  if (ok) return;
  const details = { status, reason: statusLine(response), mayHaveHappened: true };
  if (status === 400 || status === 413 || status === 415) {
    throw new PlatformError('rejected', 'TikTok rejected the video. Convert it and publish the post again.', details);
  }
  throw new PlatformError('unavailable', 'TikTok ended the upload of the video early. Try again later.', details);
}
