import { type output, type ZodType, z } from 'zod';
import { type Media, PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, callAsPage, Id } from './api.ts';
import { hasCode } from './failure.ts';
import { isFinished, whenShown } from './processing.ts';

type Ctx = PublishContext<Credentials>;
type Upload = { sessionId: string; videoId: string };
type Sent = { at: number };

const secondsBetweenLooks = 10;

/** Facebook works on a video after it took it: it is a post when that went well. */
export async function publishVideo(media: Media, text: string, ctx: Ctx): Promise<RemotePost> {
  // What is not finished is seen by nobody, so a repeat does no harm.
  const { sessionId, videoId } = await ctx.step('upload 0', () => upload(media, ctx), { replayable: true });
  const sentNow = (): Sent => ({ at: ctx.now().getTime() });
  const { at } = await ctx.step(
    'post',
    async () => {
      await finish(sessionId, videoId, text, ctx);
      return sentNow();
    },
    { takenOnce: true, find: async () => ((await isFinished(videoId, ctx)) ? sentNow() : null) },
  );
  return ctx.until(() => whenShown(videoId, at, ctx), secondsBetweenLooks);
}

const Offset = z.coerce.number().int().nonnegative();
const Range = z.object({ start_offset: Offset, end_offset: Offset });
const Started = Range.extend({ upload_session_id: z.string().min(1), video_id: Id });

/** Facebook says which bytes it wants next, until there are none. */
async function upload(media: Media, ctx: Ctx): Promise<Upload> {
  const blob = await media.blob();
  const start = { upload_phase: 'start', file_size: blob.size };
  const { upload_session_id: sessionId, video_id: videoId, ...first } = await phase(Started, start, ctx);
  for (let range = first; range.start_offset < range.end_offset; ) {
    const next = await transfer(blob, sessionId, range, ctx);
    if (next.start_offset <= range.start_offset) {
      throw new PlatformError('unavailable', 'Facebook does not get on with the upload of the video.');
    }
    range = next;
  }
  return { sessionId, videoId };
}

function transfer(blob: Blob, sessionId: string, range: output<typeof Range>, ctx: Ctx) {
  const body = new FormData();
  body.set('upload_phase', 'transfer');
  body.set('upload_session_id', sessionId);
  body.set('start_offset', String(range.start_offset));
  body.set('video_file_chunk', blob.slice(range.start_offset, range.end_offset));
  return phase(Range, body, ctx);
}

/** One upload makes one video, however often it is finished. */
async function finish(sessionId: string, videoId: string, text: string, ctx: Ctx): Promise<void> {
  const body = { upload_phase: 'finish', upload_session_id: sessionId, ...(text && { description: text }) };
  try {
    await phase(z.object({ success: z.literal(true) }), body, ctx);
  } catch (error) {
    if (!(await isRefusedRepeat(error, videoId, ctx))) throw explainLost(error);
  }
}

/** The run before may have finished it, although Facebook did not show so when we looked. */
async function isRefusedRepeat(error: unknown, videoId: string, ctx: Ctx): Promise<boolean> {
  if (!(error instanceof PlatformError) || error.mayHaveHappened) return false;
  return isFinished(videoId, ctx).catch(() => false);
}

const sessionLost = [1363030, 1363033, 1363041];

function explainLost(error: unknown): unknown {
  if (!hasCode(error, ...sessionLost)) return error;
  return new PlatformError('rejected', 'Facebook no longer has the video of this post. Publish it anew.', {
    status: error.status ?? undefined,
    reason: error.reason ?? undefined,
  });
}

function phase<T extends ZodType>(answer: T, body: FormData | Record<string, unknown>, ctx: Ctx): Promise<output<T>> {
  const path = `/${ctx.credentials.pageId}/videos`;
  return callAsPage(answer, { method: 'POST', host: 'graph-video', path, body }, ctx);
}
