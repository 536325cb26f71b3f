import { z } from 'zod';
import { parseUrl } from '../../foundation/lib/parse-url.ts';
import { type Media, PlatformError, type PublishContext } from '../kit/index.ts';
import { type Credentials, Id, read, send, uploadApi } from './api.ts';
import type { VideoMetadata } from './metadata.ts';

type Ctx = PublishContext<Credentials>;

export interface VideoFile {
  blob: Blob;
  type: Media['type'];
}

/** A resumable upload that lasts about a week. It creates one video, or none. */
export type UploadSession = { uri: string; startedAt: number };
/** The state of a session: the video it created, the first missing byte, or expired. */
export type UploadProgress = { videoId: string } | { nextByte: number } | 'expired';

export async function startSession(
  metadata: VideoMetadata,
  { blob, type }: VideoFile,
  ctx: Ctx,
): Promise<UploadSession> {
  const startedAt = ctx.now().getTime();
  const { headers } = await send(
    {
      url: `${uploadApi}/videos`,
      query: { uploadType: 'resumable', part: 'snippet,status' },
      accessToken: ctx.credentials.accessToken,
      headers: { 'x-upload-content-length': String(blob.size), 'x-upload-content-type': type },
      body: { ...metadata },
    },
    ctx,
  );
  return { uri: googleAddress(headers.get('location')), startedAt };
}

/** Every chunk carries the access token, which must not be sent to anyone else. */
function googleAddress(given: string | null): string {
  const { protocol, hostname } = parseUrl(given ?? '') ?? { protocol: '', hostname: '' };
  if (given && protocol === 'https:' && /(^|\.)googleapis\.com$/.test(hostname)) return given;
  const message = 'YouTube returned no valid upload URL for the video. Try again later.';
  throw new PlatformError('unavailable', message, { reason: hostname || null });
}

/** Reads the progress without sending anything. */
export const readProgress = (session: UploadSession, file: VideoFile, ctx: Ctx) =>
  put(session, { 'content-range': `bytes */${file.blob.size}` }, undefined, ctx);

/** YouTube requires a multiple of 256 KiB for all chunks except the last. */
const chunkBytes = 32 * 262_144;

export function sendChunk(session: UploadSession, file: VideoFile, start: number, ctx: Ctx): Promise<UploadProgress> {
  const { blob, type } = file;
  // YouTube has all bytes and has not created the video yet.
  if (start >= blob.size) return readProgress(session, file, ctx);
  const end = Math.min(start + chunkBytes, blob.size);
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${blob.size}`, 'content-type': type };
  return put(session, headers, blob.slice(start, end), ctx);
}

const Inserted = z.object({ id: Id });
/** YouTube uses this status for an incomplete upload, not for a redirect. */
const resumeIncomplete = 308;
const sessionExpired = [404, 410];

async function put(
  { uri: url }: UploadSession,
  headers: Record<string, string>,
  body: Blob | undefined,
  ctx: Ctx,
): Promise<UploadProgress> {
  const { accessToken } = ctx.credentials;
  const expected = [resumeIncomplete, ...sessionExpired];
  const response = await send({ method: 'PUT', url, redirect: 'manual', accessToken, headers, body, expected }, ctx);
  if (response.ok) return { videoId: (await read(Inserted, response)).id };
  await response.body?.cancel();
  return response.status === resumeIncomplete ? { nextByte: byteAfter(response.headers.get('range')) } : 'expired';
}

/** YouTube may keep less of a chunk than was sent. If it has nothing, it sends no range. */
const byteAfter = (range: string | null) => {
  const last = /^bytes=0-(\d+)$/.exec(range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
};
