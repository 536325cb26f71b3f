import { type Answer, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import { isObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Media } from '../../store/media.ts';
import { invalid } from './errors.ts';
import { checkSize, keepMedia } from './media-keep.ts';
import { mediaCategories } from './media-kinds.ts';
import { isExpired, presentUpload, processingInfo } from './media-present.ts';
import { anything, id, object, readJsonBody, text } from './schema.ts';
import { mediaScopes, signIn } from './sign-in.ts';

const maxAltCharacters = 1000;
const metadata = object(
  {
    id,
    metadata: object({
      alt_text: object({ text: text(maxAltCharacters) }, ['text']),
      allow_download_status: anything,
      domain_restrictions: anything,
      found_media_origin: anything,
      preview_image: anything,
      sensitive_media_warning: anything,
      shared_info: anything,
      sticker_info: anything,
      upload_source: anything,
    }),
  },
  ['id'],
);

/** The whole file in one request. */
export function uploadMedia(call: Call): Answer {
  const account = signIn(call, mediaScopes);
  // The commands that INIT, APPEND and FINALIZE once were; each has an address of its own now.
  if (call.body.fields.command !== undefined) invalid('Request body is not valid JSON.');
  const bytes = readBytes(call);
  const category = asText(call.body.fields.media_category);
  if (category === '') invalid('$.media_category: is missing but it is required');
  if (!mediaCategories.includes(category)) {
    invalid(`$.media_category: does not have a value in the enumeration [${mediaCategories.join(', ')}]`);
  }
  checkSize(category, bytes.length);
  const { store } = call.sandbox;
  const stored = store.files.save(bytes);
  const media = keepMedia(call, account, { id: store.ids.snowflake(), category, stored, head: bytes });
  return json({ data: presentUpload(call, media) });
}

export function uploadStatus(call: Call): Answer {
  const account = signIn(call, mediaScopes);
  if (call.query.get('command') !== 'STATUS') {
    invalid('The `command` query parameter value is not one of [STATUS]', { command: [call.query.get('command')] });
  }
  const media = findOwnMedia(call, account, call.query.get('media_id') ?? '');
  // An image has no such state, and is not found here.
  if (!media || !processingInfo(call, media))
    invalid('BadRequest: Not found', { media_id: [call.query.get('media_id')] });
  return json({ data: presentUpload(call, media) });
}

export function describeMedia(call: Call): Answer {
  const account = signIn(call, mediaScopes);
  const body = readJsonBody(call, metadata);
  const media = findOwnMedia(call, account, asText(body.id));
  if (!media) invalid('Your media IDs are invalid.', { id: [asText(body.id)] });
  const given = isObject(body.metadata) ? body.metadata : {};
  if (isObject(given.alt_text)) {
    call.sandbox.store.media.change(media, { description: asText(given.alt_text.text) || null });
  }
  return json({ data: { id: media.id, associated_metadata: given } });
}

/** From a multipart part, or base64 in JSON. */
export function readBytes(call: Call): Buffer {
  const upload = call.body.uploads.media;
  const bytes = upload?.bytes ?? Buffer.from(asText(call.body.fields.media), 'base64');
  if (bytes.length === 0) invalid('$.media: is missing but it is required');
  return bytes;
}

function findOwnMedia(call: Call, account: Account, mediaId: string): Media | undefined {
  const media = call.sandbox.store.media.find('twitter', mediaId);
  return media?.accountId === account.id && !isExpired(media, call.sandbox.now()) ? media : undefined;
}
