import { type Media, multipart, PlatformError, type PublishContext, uploadWait } from '../kit/index.ts';
import { Attachment, type Credentials, read, send, signedIn } from './api.ts';

type Ctx = PublishContext<Credentials>;
/** Earlier versions stored no time. */
type Uploaded = { id: string; isReady: boolean; uploadedAt?: number };

const pollSeconds = 5;

/** Returns the ids of the uploaded files in order, ready to be attached. */
export async function uploadAll(media: readonly Media[], ctx: Ctx): Promise<string[]> {
  const uploads: Uploaded[] = [];
  for (const [index, one] of media.entries()) {
    // The server deletes a file that no status uses within a day, so repeating the upload is harmless.
    uploads.push(await ctx.step(`upload ${index}`, () => upload(one, index, ctx), { replayable: true }));
  }
  for (const { id, isReady, uploadedAt = ctx.now().getTime() } of uploads) {
    const wait = uploadWait(pollSeconds, uploadedAt, 'Mastodon', ctx);
    if (!isReady) await ctx.until(() => whenReady(id, ctx), wait);
  }
  return uploads.map(({ id }) => id);
}

/** A 500 may mean an unreadable file or a server problem. If the upload fails twice, the file is at fault. */
async function upload(media: Media, index: number, ctx: Ctx): Promise<Uploaded> {
  try {
    return await uploadOnce(media, index, ctx);
  } catch (error) {
    if (!(error instanceof PlatformError && error.kind === 'rejected' && error.status === 500)) throw error;
    return uploadOnce(media, index, ctx);
  }
}

async function uploadOnce(media: Media, index: number, ctx: Ctx): Promise<Uploaded> {
  const { type, altText } = media;
  // snac (2.75) stores an account's files by name, so a second file with the same name replaces the first, even in
  // existing posts.
  const fileName = `${ctx.postId}-${index}.${extensionOf(type)}`;
  const file = { blob: await media.blob(), fileName, type };
  const body = multipart({ file, ...(altText && { description: altText }) });
  const response = await send({ ...signedIn(ctx), path: '/api/v2/media', body }, ctx);
  const { id } = await read(Attachment, response);
  return { id, isReady: response.status === 200, uploadedAt: ctx.now().getTime() };
}

/** The server compares the file extension with the content, and refuses the file if they disagree. */
function extensionOf(type: string): string {
  return type === 'video/quicktime' ? 'mov' : type.slice(type.indexOf('/') + 1);
}

/** The server returns 206 while it processes the file. */
async function whenReady(id: string, ctx: Ctx): Promise<true | null> {
  try {
    const response = await send({ ...signedIn(ctx), path: `/api/v1/media/${encodeURIComponent(id)}` }, ctx);
    await read(Attachment, response);
    return response.status === 200 || null;
  } catch (error) {
    // A file that a status uses is no longer found here, and an earlier run may have posted that status. If the server
    // has deleted the file instead, it refuses the status.
    if (error instanceof PlatformError && error.status === 404) return true;
    throw error;
  }
}
