import { asText } from '../../../http/coerce.ts';
import { file, type HttpResponse, html, json } from '../../../http/http-response.ts';
import type { JsonObject } from '../../../http/json.ts';
import { fetchFile } from '../../../media/fetch-file.ts';
import { startProcessing } from '../../../media/media-processing.ts';
import { type Sniffed, sniff } from '../../../media/sniff.ts';
import { messagePage } from '../../../pages/layout.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import type { Media } from '../../../store/media.ts';
import { invalid, refuse } from '../errors.ts';
import { type Node, select } from '../field-selection.ts';
import { isPublished, readInput } from '../input.ts';
import { authenticateAsPage } from '../sign-in/authenticate.ts';
import { formatTime } from '../time-format.ts';
import { addPost, readMessage } from './create.ts';

/** The limit that Facebook's own error message states. */
const maxBytes = 4 * 1000 * 1000;
const types = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/bmp',
  'image/tiff',
  'image/webp',
  'image/heic',
  'image/heif',
  'image/avif',
];

/** Publishes the photo as a post, or stores it for `attached_media`. */
export async function createPhoto(call: Call): Promise<HttpResponse> {
  const page = authenticateAsPage(call, call.params.id ?? '', 'pages_manage_posts', 'pages_read_engagement');
  const input = readInput(call);
  const text = readMessage(input.message ?? input.caption);
  const { stored, found } = await readImage(call, input);
  const media = savePhoto(call, page, input, stored, found);
  if (!isPublished(input)) return json(withFields(input, media, { id: media.id }));
  const post = addPost(call, page, { text, media: [media], data: { statusType: 'added_photos' } });
  return json(withFields(input, media, { id: media.id, post_id: post.id }));
}

export function photoNode(media: Media): Node {
  return {
    id: media.id,
    created_time: formatTime(media.createdAt),
    link: `https://www.facebook.com/photo/${media.id}`,
    page_story_id: media.postId ?? undefined,
    post_id: media.postId ?? undefined,
    alt_text: media.description ?? undefined,
    width: Number(media.data.width ?? 0),
    height: Number(media.data.height ?? 0),
    images: [{ source: `https://www.facebook.com/photo/${media.id}` }],
  };
}

export function photoFile(call: Call): HttpResponse {
  const { store } = call.sandbox;
  const media = store.media.find('facebook', call.params.id ?? '');
  return media
    ? file(store.files.path(media.sha256), media.type)
    : html(messagePage('Not found', 'This photo does not exist.'), 404);
}

async function readImage(call: Call, input: JsonObject): Promise<{ stored: StoredFile; found: Sniffed }> {
  const { files } = call.sandbox.store;
  const [upload] = Object.values(call.body.uploads);
  const address = asText(input.url);
  if (!upload && address === '') refuse('(#324) Requires upload file', { code: 324 });
  const stored = upload ? files.save(upload.bytes) : await fetchImage(call, address);
  const found = sniff(await files.head(stored.sha256));
  if (!found || !types.includes(found.type)) badImage();
  if (stored.bytes > maxBytes) tooLarge();
  return { stored, found };
}

async function fetchImage(call: Call, address: string): Promise<StoredFile> {
  if (!URL.canParse(address)) invalid('url should represent a valid URL');
  const stored = await fetchFile(call.sandbox.store.files, address, maxBytes);
  if (stored === 'too_large') tooLarge();
  return stored === 'unreachable' ? badImage() : stored;
}

function savePhoto(call: Call, page: Account, input: JsonObject, stored: StoredFile, found: Sniffed): Media {
  const { store } = call.sandbox;
  const processing = startProcessing(call, 0);
  if (processing.fails) badImage();
  return store.media.add({
    platform: 'facebook',
    id: store.ids.snowflake(),
    accountId: page.id,
    kind: found.kind,
    type: found.type,
    ...stored,
    description: readAltText(input),
    ...processing,
    data: { width: found.width, height: found.height },
  });
}

/** Meta documents no limit for photos; its other networks use this one. */
const maxAltText = 1000;

function readAltText(input: JsonObject): string | null {
  const altText = asText(input.alt_text_custom);
  if ([...altText].length > maxAltText)
    invalid(`(#100) Param alt_text_custom must be at most ${maxAltText} characters`);
  return altText || null;
}

function withFields(input: JsonObject, media: Media, response: JsonObject): JsonObject {
  const fields = asText(input.fields);
  return fields === '' ? response : { ...response, ...select('Photo', photoNode(media), fields, 'id') };
}

function badImage(): never {
  refuse('(#324) Missing or invalid image file', {
    code: 324,
    subcode: 2069019,
    userMessage: ['Missing or invalid image file', 'The image file is missing or its format is not supported.'],
  });
}

function tooLarge(): never {
  refuse('(#100) Invalid parameter', {
    code: 100,
    subcode: 1366046,
    userMessage: [
      "Can't read files",
      "Your photos couldn't be uploaded. Photos should be less than 4 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files.",
    ],
  });
}
