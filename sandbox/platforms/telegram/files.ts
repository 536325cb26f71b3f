import { asText } from '../../coerce.ts';
import { fetchFile } from '../../fetch-file.ts';
import type { Json, JsonObject } from '../../json.ts';
import { startProcessing } from '../../media-processing.ts';
import type { Call } from '../../platform.ts';
import { sniff } from '../../sniff.ts';
import type { Account } from '../../store/accounts.ts';
import type { StoredFile } from '../../store/files.ts';
import type { Media } from '../../store/media.ts';
import { badRequest, refuse } from './errors.ts';

const megabyte = 1024 * 1024;
export const maxUploadBytes = 50 * megabyte;
const maxPhotoBytes = 10 * megabyte;
const maxPhotoBytesByUrl = 5 * megabyte;
const maxBytesByUrl = 20 * megabyte;
const maxPhotoSides = 10_000;
const maxPhotoRatio = 20;

const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/bmp'];
const documentTypesByUrl = ['image/gif', 'application/pdf', 'application/zip'];
const fileIdMark = 'BAACAgQ';

export const mediaKinds = ['photo', 'video', 'animation', 'document', 'audio'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** The detected type of a file. Telegram accepts any file and shows unknown ones as documents. */
type Found = Pick<Media, 'kind' | 'type'> & { readonly width: number | null; readonly height: number | null };

/** A file that will be part of a message. */
export interface Incoming extends StoredFile {
  readonly found: Found;
  readonly name: string;
}

/**
 * Reads a field that names an uploaded part, `attach://part`, an address, or the id of a file that the bot sent
 * earlier. Undefined when the field is empty.
 */
export async function readFile(
  call: Call,
  bot: Account,
  kind: MediaKind,
  value: Json | undefined,
  part?: string,
): Promise<Incoming | undefined> {
  const source = asText(value);
  if (source === '' || source.startsWith('attach://')) {
    const upload = call.body.uploads[source === '' ? (part ?? '') : source.slice('attach://'.length)];
    if (!upload) return undefined;
    if (upload.bytes.length === 0) badRequest('File must be non-empty');
    if (upload.bytes.length > maxUploadBytes) refuse(413, 'Request Entity Too Large');
    const found = checkFile(kind, typeOf(upload.bytes), upload.bytes.length);
    return { ...call.sandbox.store.files.save(upload.bytes), found, name: upload.name };
  }
  return /^https?:\/\//i.test(source) ? readAddress(call, kind, source) : readSent(call, bot, source);
}

/** Stores the file for a new post. Telegram finishes processing before it responds. */
export function saveFile(call: Call, bot: Account, kind: MediaKind, incoming: Incoming): Media {
  const { found, name, sha256, bytes } = incoming;
  const { store } = call.sandbox;
  const processing = startProcessing(call, 0);
  if (processing.fails) badRequest(found.kind === 'video' ? 'VIDEO_FILE_INVALID' : 'IMAGE_PROCESS_FAILED');
  return store.media.add({
    platform: 'telegram',
    id: store.ids.snowflake(),
    accountId: bot.id,
    kind: found.kind,
    type: found.type,
    sha256,
    bytes,
    description: null,
    ...processing,
    data: { shownAs: shownAs(kind, found), width: found.width, height: found.height, name },
  });
}

export function presentFile(media: Media): JsonObject {
  return { file_id: fileIdOf(media), file_unique_id: media.sha256.slice(0, 16), file_size: media.bytes };
}

function fileIdOf(media: Media): string {
  return fileIdMark + Buffer.from(media.id).toString('base64url');
}

async function readAddress(call: Call, kind: MediaKind, address: string): Promise<Incoming> {
  if (!URL.canParse(address)) badRequest('Wrong HTTP URL specified');
  const { files } = call.sandbox.store;
  const stored = await fetchFile(files, address, kind === 'photo' ? maxPhotoBytesByUrl : maxBytesByUrl);
  if (typeof stored === 'string' || stored.bytes === 0) badRequest('Failed to get HTTP URL content');
  const found = typeOf(await files.head(stored.sha256));
  if (!isTakenByUrl(kind, found)) badRequest('Wrong type of the web page content');
  return {
    ...stored,
    found: checkFile(kind, found, stored.bytes),
    name: new URL(address).pathname.replace(/.*\//, ''),
  };
}

function isTakenByUrl(kind: MediaKind, found: Found): boolean {
  if (kind === 'photo') return photoTypes.includes(found.type);
  return kind === 'document' ? documentTypesByUrl.includes(found.type) : shownAs(kind, found) === kind;
}

function readSent(call: Call, bot: Account, fileId: string): Incoming {
  const { kind, type, sha256, bytes, data } = findSent(call, bot, fileId);
  const [width, height] = [data.width, data.height].map((side) => (typeof side === 'number' ? side : null));
  return {
    sha256,
    bytes,
    name: asText(data.name),
    found: { kind, type, width: width ?? null, height: height ?? null },
  };
}

/** A file id is valid only for the bot that received it. */
function findSent(call: Call, bot: Account, fileId: string): Media {
  if (fileId === '') badRequest('file_id not specified');
  if (!/^[\w-]+$/.test(fileId)) badRequest('Wrong remote file identifier specified: Wrong character in the string');
  const id = fileId.startsWith(fileIdMark) ? Buffer.from(fileId.slice(fileIdMark.length), 'base64url').toString() : '';
  const media = call.sandbox.store.media.find('telegram', id);
  if (media?.accountId !== bot.id) badRequest('Wrong remote file identifier specified: Wrong string length');
  return media;
}

function typeOf(bytes: Buffer): Found {
  const known = sniff(bytes);
  if (known) return known;
  const mark = bytes.toString('latin1', 0, 4);
  const type =
    mark === '%PDF' ? 'application/pdf' : mark === 'PK\x03\x04' ? 'application/zip' : 'application/octet-stream';
  return { kind: 'document', type, width: null, height: null };
}

function checkFile(kind: MediaKind, found: Found, bytes: number): Found {
  if (kind === 'photo') {
    if (bytes > maxPhotoBytes) {
      badRequest(`File of size ${bytes} bytes is too big for a photo; the maximum size is ${maxPhotoBytes} bytes`);
    }
    if (!photoTypes.includes(found.type)) badRequest('IMAGE_PROCESS_FAILED');
    const [width, height] = [found.width ?? 1, found.height ?? 1];
    const ratio = Math.max(width / height, height / width);
    if (width + height > maxPhotoSides || ratio > maxPhotoRatio) badRequest('PHOTO_INVALID_DIMENSIONS');
  }
  return found;
}

/** A file that Telegram cannot play becomes a document. An animated GIF always plays. */
function shownAs(kind: MediaKind, found: Found): MediaKind {
  const isMp4 = found.type === 'video/mp4' || found.type === 'video/quicktime';
  if (kind === 'video') return isMp4 ? 'video' : 'document';
  if (kind === 'animation') return isMp4 || found.type === 'image/gif' ? 'animation' : 'document';
  if (kind === 'document') return found.kind === 'gif' ? 'animation' : 'document';
  if (kind === 'audio') return found.kind === 'audio' ? 'audio' : 'document';
  return kind;
}
