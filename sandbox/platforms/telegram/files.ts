import { asText } from '../../http/coerce.ts';
import type { Json, JsonObject } from '../../http/json.ts';
import { startProcessing } from '../../media/media-processing.ts';
import { sniff } from '../../media/sniff.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { StoredFile } from '../../store/files.ts';
import type { Media } from '../../store/media.ts';
import { badRequest, refuse } from './errors.ts';

const megabyte = 1024 * 1024;
export const maxUploadBytes = 50 * megabyte;
const maxPhotoBytes = 10 * megabyte;
const maxPhotoSides = 10_000;
const maxPhotoRatio = 20;

const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/bmp'];
const fileIdMark = 'BAACAgQ';

export type MediaKind = 'photo' | 'video' | 'animation';

/** The detected type of a file. Telegram accepts any file and shows unknown ones as documents. */
type Found = Pick<Media, 'kind' | 'type'> & { readonly width: number | null; readonly height: number | null };

/** A file that will be part of a message. */
export interface Incoming extends StoredFile {
  readonly found: Found;
  readonly name: string;
}

/** Reads the uploaded part that a field contains, or names as `attach://part`. Undefined if there is none. */
export function readFile(call: Call, kind: MediaKind, value: Json | undefined, part = ''): Incoming | undefined {
  const source = asText(value);
  if (source !== '' && !source.startsWith('attach://')) {
    badRequest('Files by address or id are not simulated by the sandbox');
  }
  const upload = call.body.uploads[source === '' ? part : source.slice('attach://'.length)];
  if (!upload) return undefined;
  if (upload.bytes.length === 0) badRequest('File must be non-empty');
  if (upload.bytes.length > maxUploadBytes) refuse(413, 'Request Entity Too Large');
  const found = checkFile(kind, typeOf(upload.bytes), upload.bytes.length);
  return { ...call.sandbox.store.files.save(upload.bytes), found, name: upload.name };
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

function typeOf(bytes: Buffer): Found {
  return sniff(bytes) ?? { kind: 'document', type: 'application/octet-stream', width: null, height: null };
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

/** A file that Telegram cannot play becomes a document. */
function shownAs(kind: MediaKind, found: Found): MediaKind | 'document' {
  const isMp4 = found.type === 'video/mp4' || found.type === 'video/quicktime';
  if (kind === 'video') return isMp4 ? 'video' : 'document';
  if (kind === 'animation') return isMp4 || found.type === 'image/gif' ? 'animation' : 'document';
  return kind;
}
