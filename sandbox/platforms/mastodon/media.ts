import { createHash } from 'node:crypto';
import { asText } from '../../http/coerce.ts';
import { file, type HttpResponse, json } from '../../http/http-response.ts';
import type { Json } from '../../http/json.ts';
import { startProcessing } from '../../media/media-processing.ts';
import { readMp4Metadata } from '../../media/mp4-metadata.ts';
import { type Sniffed, sniff } from '../../media/sniff.ts';
import type { Call } from '../../platform.ts';
import type { Media } from '../../store/media.ts';
import { error, invalid, notFound, refuse } from './errors.ts';
import { isSmall } from './hosts.ts';
import { presentMedia } from './present.ts';
import { authenticate } from './sign-in/authenticate.ts';

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/heic', 'image/heif', 'image/webp', 'image/avif'];
const videoTypes = ['video/webm', 'video/mp4', 'video/quicktime', 'video/ogg'];
const audioTypes = ['audio/mpeg', 'audio/ogg', 'audio/wav', 'audio/flac', 'audio/aac', 'audio/mp4', 'audio/3gpp'];

export const mediaLimits = {
  description_limit: 10_000,
  image_size_limit: 16_777_216,
  image_matrix_limit: 33_177_600,
  video_size_limit: 103_809_024,
  video_matrix_limit: 8_294_400,
  video_frame_rate_limit: 120,
  supported_mime_types: [...imageTypes, ...videoTypes, ...audioTypes],
};

/** For one status. */
export const maxAttachments = 4;

const unreadable = 'Error processing thumbnail for uploaded media';
const unusedForMs = 24 * 60 * 60_000;

/** Images are ready immediately (200). Video, animated GIF and audio are processed first (202). */
export function uploadMedia(call: Call): HttpResponse {
  const account = authenticate(call, 'write:media');
  const upload = call.body.uploads.file;
  if (!upload || upload.bytes.length === 0) invalid("File can't be blank");
  const found = sniff(upload.bytes);
  checkFile(found, upload.bytes.length);
  const stored = call.sandbox.store.files.save(upload.bytes);
  if (['video/mp4', 'video/quicktime'].includes(found.type)) checkVideo(call.sandbox.store.files.path(stored.sha256));
  const isImage = found.kind === 'image';
  const media = call.sandbox.store.media.add({
    platform: 'mastodon',
    id: isSmall(call.host) ? idByName(call, account.id, upload.name) : call.sandbox.store.ids.snowflake(),
    accountId: account.id,
    kind: found.kind,
    type: found.type,
    ...stored,
    description: readDescription(call),
    ...startProcessing(call, isImage ? 0 : undefined),
    data: { width: found.width, height: found.height, focus: readFocus(call) },
  });
  // The vendor returns 500 here but 422 when a client asks later.
  if (isImage && media.fails) return error(500, unreadable);
  return json(presentMedia(call, media), isImage ? 200 : 202);
}

/** A new file replaces an earlier one of the same name, even in existing posts. */
function idByName(call: Call, accountId: string, name: string): string {
  const { media } = call.sandbox.store;
  const id = createHash('md5').update(`${accountId} ${name}`).digest('hex') + name.replace(/^.*(?=\.)/, '');
  const before = media.find('mastodon', id);
  if (before) media.remove(before);
  return id;
}

export function showMedia(call: Call): HttpResponse {
  const media = findOwn(call, 'write:media');
  // An attached file is not found here, although it exists. Clients must not treat it as lost.
  if (media.postId !== null) notFound();
  const state = call.sandbox.store.media.state(media);
  if (state === 'failed') return error(422, unreadable);
  return json(presentMedia(call, media), state === 'processing' ? 206 : 200);
}

export function changeMedia(call: Call): HttpResponse {
  const media = findOwn(call, 'write:media');
  if (media.postId !== null) notFound();
  const { fields } = call.body;
  const description = fields.description === undefined ? media.description : readDescription(call);
  const focus = fields.focus === undefined ? media.data.focus : readFocus(call);
  const data = { ...media.data, focus: focus ?? null };
  return json(presentMedia(call, call.sandbox.store.media.change(media, { description, data })));
}

export function mediaFile(call: Call): HttpResponse {
  const media = findMedia(call, call.params.id ?? '');
  return media ? file(call.sandbox.store.files.path(media.sha256), media.type) : notFound();
}

/** The server deletes a file that no status uses after a day. */
export function findMedia(call: Call, id: string): Media | undefined {
  const media = call.sandbox.store.media.find('mastodon', id);
  const isForgotten = media?.postId === null && media.createdAt + unusedForMs < call.sandbox.now();
  return isForgotten ? undefined : media;
}

function findOwn(call: Call, scope: string): Media {
  const account = authenticate(call, scope);
  const media = findMedia(call, call.params.id ?? '');
  return media && media.accountId === account.id ? media : notFound();
}

function checkFile(found: Sniffed | undefined, bytes: number): asserts found is Sniffed {
  if (!found || !mediaLimits.supported_mime_types.includes(found.type)) {
    invalid('File content type is invalid', 'File is invalid');
  }
  const isImage = found.kind === 'image' || found.kind === 'gif';
  const maxBytes = isImage ? mediaLimits.image_size_limit : mediaLimits.video_size_limit;
  if (bytes > maxBytes) invalid(`File file size must be less than ${maxBytes / 1_048_576} MB`);
  const { width, height } = found;
  if (isImage && width && height && width * height > mediaLimits.image_matrix_limit) {
    refuse(422, `${width}x${height} images are not supported`);
  }
}

/** Videos that do not state these values pass. */
function checkVideo(path: string) {
  const { width, height, framesPerSecond } = readMp4Metadata(path);
  if (width && height && width * height > mediaLimits.video_matrix_limit)
    refuse(422, `${width}x${height} videos are not supported`);
  const rate = Math.floor(framesPerSecond ?? 0);
  if (rate > mediaLimits.video_frame_rate_limit) refuse(422, `${rate}fps videos are not supported`);
}

function readDescription(call: Call): string | null {
  const description = asText(call.body.fields.description);
  if ([...description].length > mediaLimits.description_limit)
    invalid(`Description is too long (maximum is ${mediaLimits.description_limit} characters)`);
  return description === '' ? null : description;
}

function readFocus(call: Call): Json {
  const [x, y] = asText(call.body.fields.focus).split(',').map(Number);
  return x !== undefined && y !== undefined && Math.abs(x) <= 1 && Math.abs(y) <= 1 ? { x, y } : null;
}
