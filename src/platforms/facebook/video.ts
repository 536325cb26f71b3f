import { z } from 'zod';
import { hasCode, reclassify } from '../graph/failure.ts';
import {
  exactly,
  fingerprint,
  type Media,
  messages,
  PlatformError,
  type PublishContext,
  type RemotePost,
} from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { codes, name } from './failure.ts';
import { isFinished, processingWait, readPublished } from './processing.ts';
import { uploadPhase, uploadVideo, type VideoUpload } from './upload.ts';

type Ctx = PublishContext<Credentials>;
type Sent = { at: number };

/** Facebook processes a video after accepting it, and publishes it if that succeeds. */
export async function publishVideo(media: Media, text: string, ctx: Ctx): Promise<RemotePost> {
  const upload = await uploadVideo(media, ctx);
  const sentNow = (): Sent => ({ at: ctx.now().getTime() });
  const { at } = await ctx.step(
    'post',
    async () => {
      await finish(upload, text, ctx);
      return sentNow();
    },
    {
      takenOnce: true,
      fingerprint: fingerprint('', upload.videoId),
      find: async () => exactly((await isFinished(upload.videoId, ctx)) ? sentNow() : null),
    },
  );
  return ctx.until(() => readPublished(upload.videoId, ctx), processingWait(at, ctx));
}

/** One upload creates one video, however often it is finished. */
async function finish({ sessionId, videoId }: VideoUpload, text: string, ctx: Ctx): Promise<void> {
  const body = { upload_phase: 'finish', upload_session_id: sessionId, ...(text && { description: text }) };
  try {
    await uploadPhase(z.object({ success: z.literal(true) }), body, ctx);
  } catch (error) {
    if (!(await isRefusedRepeat(error, videoId, ctx))) throw explainLost(error);
  }
}

/** An earlier attempt may have finished the upload, although Facebook did not show it when `find` asked. */
async function isRefusedRepeat(error: unknown, videoId: string, ctx: Ctx): Promise<boolean> {
  if (!(error instanceof PlatformError) || error.mayHaveHappened) return false;
  return isFinished(videoId, ctx).catch(() => false);
}

const explainLost = (error: unknown) =>
  hasCode(error, ...codes.sessionLost) ? reclassify(error, 'rejected', messages.mediaGone(name)) : error;
