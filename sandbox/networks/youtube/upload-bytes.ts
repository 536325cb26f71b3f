import { type Answer, empty, json } from '../../answer.ts';
import { bearerToken } from '../../bearer.ts';
import { joinChunks } from '../../join-chunks.ts';
import { type Call, type Operation, Refusal } from '../../network.ts';
import type { StoredFile } from '../../store/files.ts';
import { refuse, text } from './errors.ts';
import { addVideo, judge } from './finish.ts';
import { keepSession, openSession, type Session } from './sessions.ts';
import { presentVideo } from './video-present.ts';
import { findVideo } from './videos.ts';

/** All chunks but the last are a multiple of this. */
const chunkUnit = 262_144;

/** What a request brings: bytes from `first` to `last`, of a file of `total`; null where that is not known yet. */
interface Piece {
  readonly first: number;
  readonly last: number;
  readonly total: number | null;
}

/** The request that brings the last byte publishes, one that brings none only asks, all others upload. */
export function operationOf(call: Call): Operation {
  const header = call.headers['content-range'];
  if (header === undefined) return 'publish';
  const piece = readRange(header);
  if (piece === 'probe') return 'status';
  return typeof piece === 'object' && isLast(piece) ? 'publish' : 'upload';
}

/** Asked again after the end, in any way, it answers with the same video. */
export async function receiveBytes(call: Call): Promise<Answer> {
  checkToken(call);
  const session = openSession(call);
  if (session.videoId !== null) return showVideo(call, session);
  const { stored } = call.body;
  const header = call.headers['content-range'];
  const piece = header === undefined ? wholeFile(stored) : readRange(header);
  if (piece === 'probe') return progress(session);
  if (!piece || !stored) return text(400, 'Failed to parse Content-Range header.');
  checkPiece(session, piece, stored);
  if (header !== undefined && piece.first < session.receivedBytes) return progress(session);
  const chunks = header === undefined ? [stored] : [...session.chunks, stored];
  const received = { ...session, receivedBytes: piece.last + 1, chunks };
  return isLast(piece) ? complete(call, received) : progress(keepSession(call.sandbox, received));
}

/** The session's address alone lets in; a token that is sent all the same must be alive. */
function checkToken(call: Call): void {
  if (call.headers.authorization === undefined) return;
  const token = bearerToken(call);
  if (token?.kind !== 'access' || !call.sandbox.store.tokens.isAlive(token)) {
    refuse('authError', { location: 'Authorization' });
  }
}

function checkPiece(session: Session, piece: Piece, stored: StoredFile): void {
  const refuseBytes = (problem: string): never => {
    throw new Refusal(text(400, problem));
  };
  if (stored.bytes === 0) refuse('mediaBodyRequired');
  if (stored.bytes !== piece.last - piece.first + 1) refuseBytes('Content-Range does not match the size of the body.');
  if (session.totalBytes !== null && piece.total !== null && piece.total !== session.totalBytes) {
    refuseBytes('The total size does not match the X-Upload-Content-Length of the session.');
  }
  if (piece.first > session.receivedBytes) refuseBytes('The first byte does not follow the last one received.');
  if (!isLast(piece) && stored.bytes % chunkUnit !== 0) {
    refuseBytes(
      `Invalid request.  The number of bytes uploaded is required to be equal or greater than ${chunkUnit}, except for the final request (it's recommended to be the exact multiple of ${chunkUnit}).  The received request contained ${stored.bytes} bytes, which does not meet this requirement.`,
    );
  }
}

/** The same bytes may have come twice at once: while the file was read, the other may have been faster. */
async function complete(call: Call, received: Session): Promise<Answer> {
  const file = await joinChunks(call.sandbox.store.files, received.chunks);
  const judgement = await judge(call, received, file);
  const current = openSession(call);
  if (current.videoId !== null) return showVideo(call, current);
  const video = addVideo(call, received, file, judgement);
  keepSession(call.sandbox, { ...received, videoId: video.id });
  return json(presentVideo(call.sandbox, video, received.parts));
}

function showVideo(call: Call, session: Session): Answer {
  const video = findVideo(call.sandbox, session.videoId ?? '');
  return video ? json(presentVideo(call.sandbox, video, session.parts)) : text(404, 'Not Found');
}

/** Without a `Location`, so that no client takes it for a redirect; without a `Range` while there is nothing. */
function progress({ receivedBytes, id }: Session): Answer {
  const headers = { 'x-guploader-uploadid': id };
  return empty(308, receivedBytes === 0 ? headers : { ...headers, range: `bytes=0-${receivedBytes - 1}` });
}

function wholeFile(stored: StoredFile | undefined): Piece | undefined {
  return stored && { first: 0, last: stored.bytes - 1, total: stored.bytes };
}

function readRange(header: string): Piece | 'probe' | undefined {
  if (/^bytes \*\/(\d+|\*)$/.test(header)) return 'probe';
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
  if (first === undefined || last === undefined) return undefined;
  return { first: Number(first), last: Number(last), total: total === '*' ? null : Number(total) };
}

function isLast({ last, total }: Piece): boolean {
  return total !== null && last === total - 1;
}
