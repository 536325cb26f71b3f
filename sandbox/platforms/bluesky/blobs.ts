import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import { sniff } from '../../media/sniff.ts';
import type { Call, Sandbox } from '../../platform.ts';
import type { StoredFile } from '../../store/files.ts';
import { invalid, refusePlainly } from './errors.ts';
import { blobLimit } from './hosts.ts';
import { type BlobRef, cidOfBlob } from './repo/cid.ts';
import { authenticate, refuseTakenDown } from './sign-in/authenticate.ts';

/** The server deletes a blob that no record uses after some hours. */
const temporaryMs = 6 * 3600_000;

export interface Blob {
  readonly did: string;
  readonly cid: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  /** In the future while a video is still being processed. */
  readonly uploadedAt: number;
  /** The URIs of the records that use the blob. */
  readonly records: readonly string[];
}

/** Accepts nearly any file. The server checks it against a post only when a record uses it. */
export async function uploadBlob(call: Call): Promise<HttpResponse> {
  const account = authenticate(call);
  if (account.suspended) refuseTakenDown();
  const { stored } = call.body;
  const claimed = call.headers['content-type'];
  if (claimed === undefined) invalid('Request encoding (Content-Type) required but not provided');
  if (!stored || stored.bytes === 0) invalid('A request body is expected but none was provided');
  if (stored.bytes > blobLimit(String(account.data.pds))) refusePlainly(413);
  // The server trusts the bytes more than the declared type.
  const found = sniff(await call.sandbox.store.files.head(stored.sha256));
  const mimeType = found?.type ?? claimed.split(';', 1)[0]?.trim() ?? claimed;
  const blob = saveBlob(call.sandbox, account.id, stored, mimeType, call.sandbox.now());
  return json({ blob: presentBlob({ ...blob, mimeType }) });
}

export function saveBlob(
  sandbox: Sandbox,
  did: string,
  stored: StoredFile,
  mimeType: string,
  uploadedAt: number,
): Blob {
  const cid = cidOfBlob(stored.sha256);
  const existing = findBlob(sandbox, did, cid);
  if (existing && existing.records.length > 0) return existing;
  return save(sandbox, { did, cid, mimeType, size: stored.bytes, sha256: stored.sha256, uploadedAt, records: [] });
}

export function findBlob(sandbox: Sandbox, did: string, cid: string): Blob | undefined {
  const found = sandbox.store.records.find('bluesky', 'blob', `${did} ${cid}`);
  if (!found) return undefined;
  const blob = found.data as JsonObject & Blob;
  const age = sandbox.now() - blob.uploadedAt;
  return blob.records.length > 0 || (age >= 0 && age < temporaryMs) ? blob : undefined;
}

/**
 * Returns the blob that a record refers to. While no other record uses the blob, the reference must match its type and
 * size.
 */
export function requireBlob(sandbox: Sandbox, did: string, ref: BlobRef): Blob {
  const blob = findBlob(sandbox, did, ref.cid);
  if (!blob) invalid(`Could not find blob: ${ref.cid}`, 'BlobNotFound');
  if (blob.records.length > 0) return blob;
  const mismatch = 'does not match stored blob. Expected';
  if (blob.mimeType !== ref.mimeType) {
    invalid(`Referenced Mimetype ${mismatch}: ${blob.mimeType}, Got: ${ref.mimeType}`, 'InvalidMimeType');
  }
  if (blob.size !== ref.size) invalid(`Referenced Size ${mismatch}: ${blob.size}, Got: ${ref.size}`, 'InvalidSize');
  return blob;
}

export function attachBlob(sandbox: Sandbox, blob: Blob, uri: string): void {
  if (!blob.records.includes(uri)) save(sandbox, { ...blob, records: [...blob.records, uri] });
}

/** Deletes the blob when no record uses it any more. */
export function detachBlob(sandbox: Sandbox, did: string, cid: string, uri: string): void {
  const blob = findBlob(sandbox, did, cid);
  if (!blob) return;
  const records = blob.records.filter((other) => other !== uri);
  if (records.length > 0) save(sandbox, { ...blob, records });
  else sandbox.store.records.remove('bluesky', 'blob', `${did} ${cid}`);
}

export function presentBlob({ cid, mimeType, size }: Pick<Blob, 'cid' | 'mimeType' | 'size'>) {
  return { $type: 'blob', ref: { $link: cid }, mimeType, size };
}

function save({ store }: Sandbox, blob: Blob): Blob {
  store.records.put('bluesky', 'blob', `${blob.did} ${blob.cid}`, { ...blob, records: [...blob.records] }, blob.did);
  return blob;
}
