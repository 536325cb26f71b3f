import { z } from 'zod';
import { type Context, type Media, messages, PlatformError, type PublishContext, uploadWait } from '../kit/index.ts';
import { authorOf, type Call, type Credentials, call, encodeKey, ifPermitted, put, send } from './api.ts';

type Ctx = PublishContext<Credentials>;
type Kind = Media['kind'];
type Upload = { kind: Kind; urn: string; uploadedAt: number };

const resources = { image: 'images', video: 'videos', document: 'documents' } as const satisfies Record<Kind, string>;
const pollSeconds = { image: 2, video: 5, document: 2 } as const satisfies Record<Kind, number>;
/** How long LinkedIn needs to process a file whose state the connection may not read. */
const processingMs = 3000;

/** Uploads the files and returns their URNs in order, ready to be posted. */
export async function uploadAll(media: readonly Media[], ctx: Ctx): Promise<string[]> {
  const uploads: Upload[] = [];
  for (const [index, one] of media.entries()) {
    // A file that no post uses is invisible, so repeating the upload is harmless.
    uploads.push(await ctx.step(`upload ${index}`, () => upload(one, ctx), { replayable: true }));
  }
  for (const one of uploads) {
    const wait = uploadWait(pollSeconds[one.kind], one.uploadedAt, 'LinkedIn', ctx);
    await ctx.until(() => whenReady(one, ctx), wait);
  }
  return uploads.map(({ urn }) => urn);
}

async function upload(media: Media, ctx: Ctx): Promise<Upload> {
  const { kind } = media;
  const blob = await media.blob();
  const urn = await uploads[kind](blob, ctx);
  return { kind, urn, uploadedAt: ctx.now().getTime() };
}

const uploads: Record<Kind, (blob: Blob, ctx: Ctx) => Promise<string>> = {
  image: (blob, ctx) => uploadWhole('image', blob, ctx),
  document: uploadDocument,
  video: uploadVideo,
};

async function uploadDocument(blob: Blob, ctx: Ctx): Promise<string> {
  const urn = await uploadWhole('document', blob, ctx).catch(async (error: unknown) => {
    if (error instanceof PlatformError) await ctx.note?.('documentUploadFailed', error);
    throw error;
  });
  await ctx.note?.('documentUploadSucceeded');
  return urn;
}

/** Images and documents may be posted before LinkedIn has processed them, but a video may not. */
export async function uploadWhole(kind: 'image' | 'document', blob: Blob, ctx: Context<Credentials>): Promise<string> {
  const { value } = await call(FileUpload, initialize(kind, {}, ctx), ctx);
  const urn = value[kind];
  if (!urn)
    throw new PlatformError('unavailable', messages.unreadable('LinkedIn'), { reason: `No URN for the ${kind}.` });
  await put(value.uploadUrl, blob, ctx);
  return urn;
}

const FileUpload = z.object({
  value: z.object({ uploadUrl: z.string(), image: z.string().optional(), document: z.string().optional() }),
});
const VideoUpload = z.object({
  value: z.object({
    video: z.string().min(1),
    uploadToken: z.string().default(''),
    uploadInstructions: z.array(z.object({ uploadUrl: z.string(), firstByte: z.int(), lastByte: z.int() })).min(1),
  }),
});

/** Each part has its own URL. The ETag in the response identifies it. */
async function uploadVideo(blob: Blob, ctx: Ctx): Promise<string> {
  const size = { fileSizeBytes: blob.size, uploadCaptions: false, uploadThumbnail: false };
  const { value } = await call(VideoUpload, initialize('video', size, ctx), ctx);
  const { video, uploadToken, uploadInstructions } = value;
  const uploadedPartIds: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of uploadInstructions) {
    const { headers } = await put(uploadUrl, blob.slice(firstByte, lastByte + 1), ctx);
    const tag = headers.get('etag');
    if (!tag) throw new PlatformError('unavailable', messages.unreadable('LinkedIn'), { reason: 'No ETag.' });
    uploadedPartIds.push(tag);
  }
  const body = { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } };
  const path = '/rest/videos?action=finalizeUpload';
  await send({ path, accessToken: ctx.credentials.accessToken, body }, ctx);
  return video;
}

const initialize = (kind: Kind, fields: Record<string, unknown>, ctx: Context<Credentials>): Call => ({
  path: `/rest/${resources[kind]}?action=initializeUpload`,
  accessToken: ctx.credentials.accessToken,
  body: { initializeUploadRequest: { owner: authorOf(ctx), ...fields } },
});

const FileState = z.object({ status: z.string(), processingFailureReason: z.string().optional() });

async function whenReady(upload: Upload, ctx: Ctx): Promise<true | null> {
  const state = await stateOf(upload, ctx);
  if (!state) return ctx.now().getTime() - upload.uploadedAt >= processingMs || null;
  if (state.status === 'PROCESSING_FAILED') {
    const reason = state.processingFailureReason ?? state.status;
    throw new PlatformError('rejected', messages.processingFailed('LinkedIn'), { reason });
  }
  return state.status === 'AVAILABLE' || null;
}

/** Null for images and documents of members, who may upload them but not read their state. */
async function stateOf({ kind, urn }: Upload, ctx: Ctx) {
  const { accessToken, organizationId } = ctx.credentials;
  if (kind !== 'video' && organizationId === null) return null;
  const path = `/rest/${resources[kind]}/${encodeKey(urn)}`;
  return ifPermitted(call(FileState, { path, accessToken }, ctx));
}
