import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { asText } from '../../../http/coerce.ts';
import { empty, type HttpResponse, json } from '../../../http/http-response.ts';
import { type Call, Refusal } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import type { StoredRecord } from '../../../store/records.ts';
import { flag, id, list, object, oneOf, readJsonBody, wholeNumber } from '../body-schema.ts';
import { invalid } from '../errors.ts';
import { authenticate, mediaScopes } from '../sign-in/authenticate.ts';
import { mediaCategories, mediaKinds, mediaTypes } from './kinds.ts';
import { keyOf, lifeSeconds, presentUpload } from './present.ts';
import { checkSize, saveMedia } from './store.ts';
import { readBytes } from './upload.ts';

const maxSegments = 1000;
/** The edge limits the whole request, so a chunk of exactly 5 MB does not pass. */
const maxRequestBytes = 5 * 1024 * 1024;
const newUpload = object(
  {
    media_type: oneOf(mediaTypes),
    total_bytes: wholeNumber(1, 16 * 1024 ** 3),
    media_category: oneOf(mediaCategories),
    additional_owners: list(id, 0, 100),
    shared: flag,
  },
  ['media_type', 'total_bytes'],
);

export function initialize(call: Call): HttpResponse {
  const account = authenticate(call, mediaScopes);
  const body = readJsonBody(call, newUpload);
  const isVideo = asText(body.media_type).startsWith('video/');
  const category = asText(body.media_category) || (isVideo ? 'tweet_video' : 'tweet_image');
  const totalBytes = Number(body.total_bytes);
  checkSize(category, totalBytes);
  const { store } = call.sandbox;
  const uploadId = store.ids.snowflake();
  store.records.put('twitter', 'upload', uploadId, { category, totalBytes }, account.id);
  return json({
    data: { id: uploadId, media_key: keyOf(category, uploadId), expires_after_secs: lifeSeconds },
  });
}

/** Segments may arrive in any order. A repeated segment replaces the first one. */
export function append(call: Call): HttpResponse {
  const account = authenticate(call, mediaScopes);
  const sentBytes = Number(call.headers['content-length'] ?? call.body.uploads.media?.bytes.length ?? 0);
  if (sentBytes > maxRequestBytes) throw new Refusal(empty(413));
  const upload = findUpload(call, account);
  const index = Number(asText(call.body.fields.segment_index) || Number.NaN);
  if (!Number.isInteger(index) || index < 0 || index >= maxSegments) {
    invalid(`$.segment_index: must be a whole number from 0 to ${maxSegments - 1}`);
  }
  const { store, now } = call.sandbox;
  const { sha256, bytes } = store.files.save(readBytes(call));
  store.records.put('twitter', 'segment', segmentId(upload, index), { sha256, bytes });
  return json({ data: { expires_at: Math.floor(now() / 1000) + lifeSeconds } });
}

/** Takes no body. A repeated call returns the same response. */
export async function finalize(call: Call): Promise<HttpResponse> {
  const account = authenticate(call, mediaScopes);
  if (call.body.bytes.length > 0) invalid('Request must not have a body.');
  const upload = findUpload(call, account);
  const { files, media } = call.sandbox.store;
  const known = media.find('twitter', upload.id);
  if (known) return json({ data: presentUpload(call, known) });
  const category = String(upload.data.category);
  const stored = await join(call, upload);
  // Whether a GIF is animated shows only in the whole file.
  const head = await files.head(stored.sha256, mediaKinds.tweet_gif?.maxBytes);
  return json({ data: presentUpload(call, saveMedia(call, account, { id: upload.id, category, stored, head })) });
}

async function join(call: Call, upload: StoredRecord): Promise<StoredFile> {
  const { files, records } = call.sandbox.store;
  const segments: { sha256: string; bytes: number }[] = [];
  for (let index = 0; index < maxSegments; index += 1) {
    const found = records.find('twitter', 'segment', segmentId(upload, index));
    if (!found) break;
    segments.push({ sha256: String(found.data.sha256), bytes: Number(found.data.bytes) });
  }
  const total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total !== upload.data.totalBytes) invalid('Segments do not add up to provided total file size.');
  const name = randomUUID();
  for (const { sha256 } of segments) files.append(name, readFileSync(files.path(sha256)));
  return files.finish(name);
}

function findUpload(call: Call, account: Account): StoredRecord {
  const { store, now } = call.sandbox;
  const upload = store.records.find('twitter', 'upload', call.params.id ?? '');
  const isAlive = upload !== undefined && upload.createdAt > now() - lifeSeconds * 1000;
  if (!isAlive || upload.accountId !== account.id) {
    invalid('Your media IDs are invalid.', { id: [call.params.id ?? ''] });
  }
  return upload;
}

function segmentId(upload: StoredRecord, index: number): string {
  return `${upload.id} ${index}`;
}
