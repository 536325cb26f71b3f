import { type output, type ZodType, z } from 'zod';
import { type Media, multipart, PlatformError, type PublishContext } from '../kit/index.ts';
import { type Credentials, callAsPage, Id } from './api.ts';

type Ctx = PublishContext<Credentials>;

/** The ids of the uploaded photos, in order. The photos are invisible until a post shows them. */
export async function uploadPhotos(media: readonly Media[], ctx: Ctx): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, one] of media.entries()) {
    // Facebook deletes a photo that no post shows within a day, so repeating the upload is harmless.
    ids.push(await ctx.step(`upload ${index}`, () => uploadPhoto(one, ctx), { replayable: true }));
  }
  return ids;
}

async function uploadPhoto(media: Media, ctx: Ctx): Promise<string> {
  const { type, altText } = media;
  const source = { blob: await media.blob(), fileName: 'photo', type };
  const body = multipart({ published: 'false', ...(altText && { alt_text_custom: altText }), source });
  const { id } = await callAsPage(z.object({ id: Id }), { path: `/${ctx.credentials.pageId}/photos`, body }, ctx);
  return id;
}

export type VideoUpload = { sessionId: string; videoId: string };

/** An upload that is never finished is invisible, so repeating it is harmless. */
export const uploadVideo = (media: Media, ctx: Ctx): Promise<VideoUpload> =>
  ctx.step('upload 0', () => uploadChunks(media, ctx), { replayable: true });

const Offset = z.coerce.number().int().nonnegative();
const Range = z.object({ start_offset: Offset, end_offset: Offset });
const Started = Range.extend({ upload_session_id: z.string().min(1), video_id: Id });

/** Facebook requests the next byte range until there is none. */
async function uploadChunks(media: Media, ctx: Ctx): Promise<VideoUpload> {
  const blob = await media.blob();
  const start = { upload_phase: 'start', file_size: blob.size };
  const { upload_session_id: sessionId, video_id: videoId, ...first } = await uploadPhase(Started, start, ctx);
  for (let range = first; range.start_offset < range.end_offset; ) {
    const next = await transfer(blob, sessionId, range, ctx);
    if (next.start_offset <= range.start_offset) {
      throw new PlatformError('unavailable', 'The upload of the video to Facebook makes no progress. Try again later.');
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
  return uploadPhase(Range, body, ctx);
}

export function uploadPhase<T extends ZodType>(
  answer: T,
  body: FormData | Record<string, unknown>,
  ctx: Ctx,
): Promise<output<T>> {
  return callAsPage(answer, { host: 'graph-video', path: `/${ctx.credentials.pageId}/videos`, body }, ctx);
}
