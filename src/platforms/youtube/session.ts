import { z } from 'zod';
import { type Media, PlatformError, type PublishContext } from '../kit/index.ts';
import { type Credentials, Id, send, signedFetch } from './api.ts';
import type { Draft } from './draft.ts';
import { parseAnswer } from './failure.ts';

type Ctx = PublishContext<Credentials>;

export interface VideoFile {
  blob: Blob;
  type: Media['type'];
}

/** An upload that can be taken up again for about a week. It makes one video, or none. */
export type Session = { uri: string; startedAt: number };
/** Of an upload: the video that it became, the first byte that is missing, or nothing that YouTube remembers. */
export type Standing = { videoId: string } | { nextByte: number } | 'gone';

export async function startSession(draft: Draft, { blob, type }: VideoFile, ctx: Ctx): Promise<Session> {
  const startedAt = ctx.now().getTime();
  const { headers } = await send(
    {
      method: 'POST',
      upload: true,
      path: '/videos',
      query: { uploadType: 'resumable', part: 'snippet,status' },
      accessToken: ctx.credentials.accessToken,
      headers: { 'x-upload-content-length': String(blob.size), 'x-upload-content-type': type },
      body: { ...draft },
    },
    ctx,
  );
  return { uri: googleAddress(headers.get('location')), startedAt };
}

/** The access token goes along with every piece, and must not go to anybody else. */
function googleAddress(given: string | null): string {
  const { protocol, hostname } = URL.parse(given ?? '') ?? { protocol: '', hostname: '' };
  if (given && protocol === 'https:' && /(^|\.)googleapis\.com$/.test(hostname)) return given;
  throw new PlatformError('unavailable', 'YouTube did not say where the video is to be uploaded.', {
    ...(hostname && { reason: hostname }),
  });
}

/** Where an upload stands, without sending anything. */
export const askSession = (session: Session, file: VideoFile, ctx: Ctx) =>
  put(session, { 'content-range': `bytes */${file.blob.size}` }, null, ctx);

/** All but the last piece have to be a multiple of 256 KiB. */
const chunkBytes = 32 * 262_144;

export function sendChunk(session: Session, file: VideoFile, start: number, ctx: Ctx): Promise<Standing> {
  const { blob, type } = file;
  // YouTube has it all, and has not made a video of it yet.
  if (start >= blob.size) return askSession(session, file, ctx);
  const end = Math.min(start + chunkBytes, blob.size);
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${blob.size}`, 'content-type': type };
  return put(session, headers, blob.slice(start, end), ctx);
}

const Inserted = z.object({ id: Id });
/** Which here is no redirect, and leads nowhere. */
const resumeIncomplete = 308;
const sessionGone = [404, 410];

async function put({ uri }: Session, headers: Record<string, string>, body: Blob | null, ctx: Ctx): Promise<Standing> {
  const { accessToken } = ctx.credentials;
  const init = { method: 'PUT', redirect: 'manual' as const, headers, body };
  const response = await signedFetch(uri, accessToken, init, ctx, [resumeIncomplete, ...sessionGone]);
  if (response.ok) return { videoId: (await parseAnswer(Inserted, response)).id };
  await response.body?.cancel();
  return response.status === resumeIncomplete ? { nextByte: byteAfter(response.headers.get('range')) } : 'gone';
}

/** YouTube may keep less of a piece than was sent; of nothing it says nothing. */
const byteAfter = (range: string | null) => {
  const last = /^bytes=0-(\d+)$/.exec(range ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
};
