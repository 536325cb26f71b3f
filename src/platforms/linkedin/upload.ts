import { z } from 'zod';
import { type Context, type Media, PlatformError, type PublishContext } from '../kit/index.ts';
import { authorOf, type Credentials, call, ifPermitted, put, send } from './api.ts';

type Ctx = PublishContext<Credentials>;
type Kind = Media['kind'];
type Upload = { kind: Kind; urn: string; uploadedAt: number };

const resources = { image: 'images', video: 'videos', document: 'documents' } as const satisfies Record<Kind, string>;
const secondsBetweenLooks = { image: 2, video: 5, document: 2 } as const satisfies Record<Kind, number>;
/** How long LinkedIn takes for a file into which we may not look. */
const settlingMs = 3000;

/** The URNs of the files, uploaded and ready to be shown, in order. */
export async function uploadAll(media: readonly Media[], ctx: Ctx): Promise<string[]> {
  const uploads: Upload[] = [];
  for (const [index, one] of media.entries()) {
    // A file that no post shows is seen by nobody, so a repeat does no harm.
    uploads.push(await ctx.step(`upload ${index}`, () => upload(one, ctx), { replayable: true }));
  }
  for (const one of uploads) await ctx.until(() => whenReady(one, ctx), secondsBetweenLooks[one.kind]);
  return uploads.map(({ urn }) => urn);
}

async function upload(media: Media, ctx: Ctx): Promise<Upload> {
  const { kind } = media;
  const blob = await media.blob();
  const urn = kind === 'video' ? await uploadVideo(blob, ctx) : await uploadWhole(kind, blob, ctx);
  return { kind, urn, uploadedAt: ctx.now().getTime() };
}

/** What was put need not be ready for it to be shown: only a video must be. */
export async function uploadWhole(kind: 'image' | 'document', blob: Blob, ctx: Context<Credentials>): Promise<string> {
  const place = { uploadUrl: z.string(), image: z.string().optional(), document: z.string().optional() };
  const { value } = await call(z.object({ value: z.object(place) }), initialize(kind, {}, ctx), ctx);
  const urn = value[kind];
  if (!urn) throw new PlatformError('unavailable', `LinkedIn took no ${kind}, and did not say why.`);
  await put(value.uploadUrl, blob, ctx);
  return urn;
}

const VideoPlace = z.object({
  value: z.object({
    video: z.string().min(1),
    uploadToken: z.string().default(''),
    uploadInstructions: z.array(z.object({ uploadUrl: z.string(), firstByte: z.int(), lastByte: z.int() })).min(1),
  }),
});

/** Each part goes to an address of its own, and is known by the tag in the answer. */
async function uploadVideo(blob: Blob, ctx: Ctx): Promise<string> {
  const size = { fileSizeBytes: blob.size, uploadCaptions: false, uploadThumbnail: false };
  const { value } = await call(VideoPlace, initialize('video', size, ctx), ctx);
  const { video, uploadToken, uploadInstructions } = value;
  const uploadedPartIds: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of uploadInstructions) {
    const { headers } = await put(uploadUrl, blob.slice(firstByte, lastByte + 1), ctx);
    const tag = headers.get('etag');
    if (!tag) throw new PlatformError('unavailable', 'LinkedIn took a part of the video without a receipt.');
    uploadedPartIds.push(tag);
  }
  const body = { finalizeUploadRequest: { video, uploadToken, uploadedPartIds } };
  const path = '/rest/videos?action=finalizeUpload';
  await send({ method: 'POST', path, accessToken: ctx.credentials.accessToken, body }, ctx);
  return video;
}

const initialize = (kind: Kind, about: Record<string, unknown>, ctx: Context<Credentials>) =>
  ({
    method: 'POST',
    path: `/rest/${resources[kind]}?action=initializeUpload`,
    accessToken: ctx.credentials.accessToken,
    body: { initializeUploadRequest: { owner: authorOf(ctx), ...about } },
  }) as const;

const FileState = z.object({ status: z.string(), processingFailureReason: z.string().optional() });

async function whenReady(upload: Upload, ctx: Ctx): Promise<true | null> {
  const state = await stateOf(upload, ctx);
  if (!state) return ctx.now().getTime() - upload.uploadedAt >= settlingMs || null;
  if (state.status === 'PROCESSING_FAILED') {
    throw new PlatformError('rejected', `LinkedIn could not process the ${upload.kind}.`, {
      reason: state.processingFailureReason ?? state.status,
    });
  }
  return state.status === 'AVAILABLE' || null;
}

/** Members may put images and documents, but not look at them: null. */
async function stateOf({ kind, urn }: Upload, ctx: Ctx) {
  const { accessToken, organizationId } = ctx.credentials;
  if (kind !== 'video' && organizationId === null) return null;
  const path = `/rest/${resources[kind]}/${encodeURIComponent(urn)}`;
  return ifPermitted(call(FileState, { path, accessToken }, ctx));
}
