import { empty, type HttpResponse } from '../../../http/http-response.ts';
import { joinChunks } from '../../../media/join-chunks.ts';
import { type Call, Refusal } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { checkVideo, finishPublication, videoTypes } from './processing.ts';
import { findPublication, type Publication, savePublication, type Upload } from './publications.ts';

const uploadLifeMs = 60 * 60_000;

/** Chunks must arrive in order. The response consists of a status and `Content-Range`. */
export async function receiveChunk(call: Call): Promise<HttpResponse> {
  const { upload } = requireUpload(call);
  const { stored } = call.body;
  const range = readRange(call.headers['content-range']);
  if (!range || !stored || !videoTypes.includes(call.headers['content-type'] ?? '')) return empty(400);
  if (Number(call.headers['content-length']) !== range.last - range.first + 1) return empty(400);
  if (range.total !== upload.size || range.first !== upload.receivedBytes) return empty(416, progress(upload));
  if (range.last !== lastByteOf(upload)) return empty(400);
  const received = { ...upload, receivedBytes: range.last + 1, chunks: [...upload.chunks, stored] };
  if (received.receivedBytes < upload.size) {
    savePublication(call.sandbox, { ...requireUpload(call).publication, upload: received });
    return empty(206, progress(received));
  }
  return complete(call, received);
}

/** The same chunk may arrive twice at the same time, so the state is read again after the files are joined. */
async function complete(call: Call, received: Upload): Promise<HttpResponse> {
  const { account } = requireUpload(call);
  const checked = await checkVideo(call, account, await joinChunks(call.sandbox.store.files, received.chunks));
  const { publication, upload } = requireUpload(call);
  if (upload.receivedBytes === upload.size) return empty(416, progress(upload));
  finishPublication(call, { ...publication, upload: received }, account, checked);
  return empty(201, progress(received));
}

function requireUpload(call: Call): { publication: Publication; upload: Upload; account: Account } {
  const { store, now } = call.sandbox;
  const record = store.records.find('tiktok', 'upload', call.query.get('upload_id') ?? '');
  const publication = record && findPublication(call.sandbox, String(record.data.publicationId));
  const account = publication && store.accounts.find('tiktok', publication.accountId);
  const upload = publication?.upload;
  if (!upload || !account || upload.token !== call.query.get('upload_token')) throw new Refusal(empty(404));
  if (publication.startedAt <= now() - uploadLifeMs) throw new Refusal(empty(403));
  return { publication, upload, account };
}

function readRange(header: string | undefined): { first: number; last: number; total: number } | undefined {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? [];
  if (first === undefined || Number(last) < Number(first)) return undefined;
  return { first: Number(first), last: Number(last), total: Number(total) };
}

/** The last chunk also contains the remainder. */
function lastByteOf({ chunks, chunkCount, chunkSize, size }: Upload): number {
  return chunks.length === chunkCount - 1 ? size - 1 : (chunks.length + 1) * chunkSize - 1;
}

function progress({ receivedBytes, size }: Upload): Record<string, string> {
  return receivedBytes === 0 ? {} : { 'content-range': `bytes 0-${receivedBytes - 1}/${size}` };
}
