import { type ApiRequest, type Media, messages, PlatformError, type PublishContext, uploadWait } from '../kit/index.ts';
import { Anything, api, Created, type Credentials, call, Upload } from './api.ts';

type Ctx = PublishContext<Credentials>;
/** Earlier versions stored no time. */
type Uploaded = { id: string; isReady: boolean; uploadedAt?: number };
type Category = 'tweet_image' | 'tweet_gif' | 'tweet_video';

/** Returns the ids of the uploaded files in order, ready to be posted. */
export async function uploadAll(media: readonly Media[], ctx: Ctx): Promise<string[]> {
  const uploads: Uploaded[] = [];
  for (const [index, one] of media.entries()) {
    const category = categoryOf(one, media.length === 1);
    // X deletes a file that no post uses within a day, so repeating the upload is harmless.
    const uploaded = await ctx.step(`upload ${index}`, () => upload(one, category, ctx), { replayable: true });
    if (one.kind === 'image' && one.altText) {
      await ctx.step(`alt text ${index}`, () => describe(uploaded.id, one.altText, ctx), { replayable: true });
    }
    uploads.push(uploaded);
  }
  for (const one of uploads) if (!one.isReady) await waitFor(one, ctx);
  return uploads.map(({ id }) => id);
}

/** X animates a GIF only if it is the only file. */
function categoryOf({ kind, type }: Media, isAlone: boolean): Category {
  if (kind === 'video') return 'tweet_video';
  return type === 'image/gif' && isAlone ? 'tweet_gif' : 'tweet_image';
}

async function upload(media: Media, category: Category, ctx: Ctx): Promise<Uploaded> {
  const blob = await media.blob();
  const { data } = await (category === 'tweet_image'
    ? uploadWhole(blob, ctx)
    : uploadInChunks(blob, media.type, category, ctx));
  const state = data.processing_info?.state ?? 'succeeded';
  return { id: data.id, isReady: state === 'succeeded', uploadedAt: ctx.now().getTime() };
}

function uploadWhole(blob: Blob, ctx: Ctx) {
  const body = new FormData();
  body.set('media_category', 'tweet_image');
  body.set('media', blob);
  return call(Upload, request('', body, ctx), ctx);
}

/**
 * X allows 5 MB per chunk, but its edge has returned 413 for those. It allows 1,000 chunks; our largest file has 512.
 */
const chunkBytes = 1_048_576;

async function uploadInChunks(blob: Blob, type: string, category: Category, ctx: Ctx) {
  const start = { media_type: type, total_bytes: blob.size, media_category: category };
  const { data } = await call(Created, request('/initialize', start, ctx), ctx);
  for (let index = 0; index * chunkBytes < blob.size; index += 1) {
    const body = new FormData();
    body.set('segment_index', String(index));
    body.set('media', blob.slice(index * chunkBytes, (index + 1) * chunkBytes));
    await call(Anything, request(`/${data.id}/append`, body, ctx), ctx);
  }
  return call(Upload, { ...request(`/${data.id}/finalize`, undefined, ctx), method: 'POST' }, ctx);
}

const request = (path: string, body: ApiRequest['body'], { credentials: { accessToken } }: Ctx): ApiRequest => ({
  url: `${api}/media/upload${path}`,
  accessToken,
  body,
});

/** Repeating it sets the same text again. */
async function describe(id: string, text: string, ctx: Ctx): Promise<true> {
  const body = { id, metadata: { alt_text: { text } } };
  await call(Anything, { url: `${api}/media/metadata`, accessToken: ctx.credentials.accessToken, body }, ctx);
  return true;
}

/** For when X does not say when to check again. */
const pollSeconds = 5;

async function waitFor({ id, uploadedAt }: Uploaded, ctx: Ctx): Promise<void> {
  const { state, check_after_secs: seconds = pollSeconds, error } = await processingOf(id, ctx);
  if (state === 'failed') {
    const reason = error?.message ?? error?.name ?? state;
    throw new PlatformError('rejected', messages.processingFailed('X'), { reason });
  }
  const wait = uploadWait(seconds, uploadedAt ?? ctx.now().getTime(), 'X', ctx);
  await ctx.until(async () => state === 'succeeded' || null, wait);
}

async function processingOf(id: string, ctx: Ctx) {
  const query = { command: 'STATUS', media_id: id };
  try {
    const { data } = await call(Upload, { ...request('', undefined, ctx), query }, ctx);
    return data.processing_info ?? done;
  } catch (error) {
    // X deletes a file after a day. By then an earlier run may have posted it; if not, X refuses the post.
    if (error instanceof PlatformError && (error.status === 400 || error.status === 404)) return done;
    throw error;
  }
}

const done = { state: 'succeeded', check_after_secs: undefined, error: undefined };
