import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { isObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Media } from '../../../store/media.ts';
import { anything, id, object, readJsonBody, text } from '../body-schema.ts';
import { invalid } from '../errors.ts';
import { authenticate, mediaScopes } from '../sign-in/authenticate.ts';
import { mediaCategories } from './kinds.ts';
import { isExpired, presentUpload, processingInfo } from './present.ts';
import { checkSize, saveMedia } from './store.ts';

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

/** Accepts the whole file in one request. */
export function uploadMedia(call: Call): HttpResponse {
  const account = authenticate(call, mediaScopes);
  // The former commands INIT, APPEND and FINALIZE have their own paths now.
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
  const media = saveMedia(call, account, { id: store.ids.snowflake(), category, stored, head: bytes });
  return json({ data: presentUpload(call, media) });
}

export function uploadStatus(call: Call): HttpResponse {
  const account = authenticate(call, mediaScopes);
  if (call.query.get('command') !== 'STATUS') {
    invalid('The `command` query parameter value is not one of [STATUS]', { command: [call.query.get('command')] });
  }
  const media = findOwnMedia(call, account, call.query.get('media_id') ?? '');
  // Images have no processing state and are not found here.
  if (!media || !processingInfo(call, media))
    invalid('BadRequest: Not found', { media_id: [call.query.get('media_id')] });
  return json({ data: presentUpload(call, media) });
}

export function describeMedia(call: Call): HttpResponse {
  const account = authenticate(call, mediaScopes);
  const body = readJsonBody(call, metadata);
  const media = findOwnMedia(call, account, asText(body.id));
  if (!media) invalid('Your media IDs are invalid.', { id: [asText(body.id)] });
  const given = isObject(body.metadata) ? body.metadata : {};
  if (isObject(given.alt_text)) {
    call.sandbox.store.media.change(media, { description: asText(given.alt_text.text) || null });
  }
  return json({ data: { id: media.id, associated_metadata: given } });
}

/** The file is a multipart part, or base64 in JSON. */
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
