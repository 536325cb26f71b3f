import type { Operation } from '../../../faults.ts';
import { empty, type HttpResponse, json } from '../../../http/http-response.ts';
import { joinChunks } from '../../../media/join-chunks.ts';
import { bearerToken } from '../../../oauth/bearer-token.ts';
import { type Call, Refusal } from '../../../platform.ts';
import type { StoredFile } from '../../../store/files.ts';
import { refuse, text } from '../errors.ts';
import { presentVideo } from '../videos/present.ts';
import { addVideo, inspectVideo } from '../videos/processing.ts';
import { findVideo } from '../videos/videos.ts';
import { openSession, type Session, saveSession } from './sessions.ts';

/** The size of every chunk except the last is a multiple of this. */
const chunkUnit = 262_144;

/** The bytes of a request, from `first` to `last`. `total` is null while the size of the file is unknown. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
  readonly total: number | null;
}

/** A request with the last byte publishes, an empty request reads the status, and all others upload. */
export function operationOf(call: Call): Operation {
  const header = call.headers['content-range'];
  if (header === undefined) return 'publish';
  const range = readRange(header);
  if (range === 'probe') return 'status';
  return typeof range === 'object' && isLast(range) ? 'publish' : 'upload';
}

/** Any request after the end returns the same video. */
export async function receiveBytes(call: Call): Promise<HttpResponse> {
  checkToken(call);
  const session = openSession(call);
  if (session.videoId !== null) return showVideo(call, session);
  const { stored } = call.body;
  const header = call.headers['content-range'];
  const range = header === undefined ? wholeFile(stored) : readRange(header);
  if (range === 'probe') return progress(session);
  if (!range || !stored) return text(400, 'Failed to parse Content-Range header.');
  checkChunk(session, range, stored);
  if (header !== undefined && range.first < session.receivedBytes) return progress(session);
  const chunks = header === undefined ? [stored] : [...session.chunks, stored];
  const received = { ...session, receivedBytes: range.last + 1, chunks };
  return isLast(range) ? complete(call, received) : progress(saveSession(call.sandbox, received));
}

/** The address of the session is sufficient. A token is optional but must be valid. */
function checkToken(call: Call): void {
  if (call.headers.authorization === undefined) return;
  const token = bearerToken(call);
  if (token?.kind !== 'access' || !call.sandbox.store.tokens.isAlive(token)) {
    refuse('authError', { location: 'Authorization' });
  }
}

function checkChunk(session: Session, range: ByteRange, stored: StoredFile): void {
  const refuseBytes = (message: string): never => {
    throw new Refusal(text(400, message));
  };
  if (stored.bytes === 0) refuse('mediaBodyRequired');
  if (stored.bytes !== range.last - range.first + 1) refuseBytes('Content-Range does not match the size of the body.');
  if (session.totalBytes !== null && range.total !== null && range.total !== session.totalBytes) {
    refuseBytes('The total size does not match the X-Upload-Content-Length of the session.');
  }
  if (range.first > session.receivedBytes) refuseBytes('The first byte does not follow the last one received.');
  if (!isLast(range) && stored.bytes % chunkUnit !== 0) {
    refuseBytes(
      `Invalid request.  The number of bytes uploaded is required to be equal or greater than ${chunkUnit}, except for the final request (it's recommended to be the exact multiple of ${chunkUnit}).  The received request contained ${stored.bytes} bytes, which does not meet this requirement.`,
    );
  }
}

/** The same bytes may arrive twice at the same time, so the session is read again after the file is joined. */
async function complete(call: Call, received: Session): Promise<HttpResponse> {
  const file = await joinChunks(call.sandbox.store.files, received.chunks);
  const inspection = await inspectVideo(call, received, file);
  const current = openSession(call);
  if (current.videoId !== null) return showVideo(call, current);
  const video = addVideo(call, received, file, inspection);
  saveSession(call.sandbox, { ...received, videoId: video.id });
  return json(presentVideo(call.sandbox, video, received.parts));
}

function showVideo(call: Call, session: Session): HttpResponse {
  const video = findVideo(call.sandbox, session.videoId ?? '');
  return video ? json(presentVideo(call.sandbox, video, session.parts)) : text(404, 'Not Found');
}

/** There is no `Location`, so that no client follows a redirect, and no `Range` while nothing is stored. */
function progress({ receivedBytes, id }: Session): HttpResponse {
  const headers = { 'x-guploader-uploadid': id };
  return empty(308, receivedBytes === 0 ? headers : { ...headers, range: `bytes=0-${receivedBytes - 1}` });
}

function wholeFile(stored: StoredFile | undefined): ByteRange | undefined {
  return stored && { first: 0, last: stored.bytes - 1, total: stored.bytes };
}

function readRange(header: string): ByteRange | 'probe' | undefined {
  if (/^bytes \*\/(\d+|\*)$/.test(header)) return 'probe';
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
  if (first === undefined || last === undefined) return undefined;
  return { first: Number(first), last: Number(last), total: total === '*' ? null : Number(total) };
}

function isLast({ last, total }: ByteRange): boolean {
  return total !== null && last === total - 1;
}
