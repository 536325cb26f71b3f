import { asText } from '../../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Media } from '../../../store/media.ts';
import { invalidField, refuse } from '../errors.ts';
import { statusOf } from '../media/assets.ts';
import { findUpload, isAsset } from '../media/uploads.ts';
import { checkPoll } from './poll.ts';

export interface Attachment {
  readonly media: Media;
  readonly altText: string | null;
}

type Reader = (call: Call, author: Account, content: JsonObject) => Attachment[];

const maxAltText = 4086;
const images = { min: 2, max: 20 };

const readers: Record<string, Reader> = {
  media: readMedia,
  multiImage: readImages,
  article: readArticle,
  poll: (_call, _author, poll) => checkPoll(poll),
};

/** Returns the files of the post. A post has at most one kind of content. */
export function readContent(call: Call, author: Account, content: Json | undefined): Attachment[] {
  if (content === undefined || content === null) return [];
  const entries = isObject(content) ? Object.entries(content) : [];
  const [kind, inner] = entries[0] ?? [];
  const read = kind === undefined ? undefined : readers[kind];
  if (entries.length !== 1 || !read || !isObject(inner)) {
    invalid('content', `The content must be exactly one of: ${Object.keys(readers).join(', ')}`);
  }
  return read(call, author, inner);
}

/** Images and documents may still be in processing, but a video may not. */
export function readAsset(call: Call, author: Account, { id, altText }: JsonObject, field: string): Attachment {
  const urn = asText(id);
  const upload = findUpload(call, urn);
  if (!upload) invalidField('INVALID_URN_ID', `${field}/id`, 'This URN Id is invalid');
  if (upload.ownerId !== author.id) invalid(`${field}/id`, `${urn} is not owned by the author`);
  const media = call.sandbox.store.media.find('linkedin', urn);
  const status = statusOf(call, media);
  const isTooEarly = status === 'PROCESSING' && media?.kind === 'video';
  if (!media || isTooEarly) refuse(400, 'MEDIA_ASSET_WAITING_UPLOAD', 'Media asset is waiting upload');
  if (status === 'PROCESSING_FAILED' && media.kind === 'video') {
    refuse(400, 'MEDIA_ASSET_PROCESSING_FAILED', 'Media asset failed processing');
  }
  const description = asText(altText);
  if (description.length > maxAltText) {
    invalidField('FIELD_LENGTH_TOO_LONG', `${field}/altText`, `The maximum is ${maxAltText} characters`);
  }
  return { media, altText: description === '' ? null : description };
}

function readMedia(call: Call, author: Account, content: JsonObject): Attachment[] {
  const urn = asText(content.id);
  if (isAsset(urn, 'document') && asText(content.title).trim() === '') {
    invalid('content/media/title', 'A document must have a title');
  }
  return [readAsset(call, author, content, 'content/media')];
}

function readImages(call: Call, author: Account, content: JsonObject): Attachment[] {
  const list = Array.isArray(content.images) ? content.images : [];
  const field = 'content/multiImage/images';
  if (list.length < images.min || list.length > images.max) {
    invalid(field, `There must be ${images.min} to ${images.max} images`);
  }
  return list.map((image) => {
    if (!isObject(image) || !isAsset(asText(image.id), 'image')) invalid(field, 'Each must have the id of an image');
    return readAsset(call, author, image, field);
  });
}

/** The vendor reads nothing from the address, so the card contains only what the client sends. */
function readArticle(call: Call, author: Account, content: JsonObject): Attachment[] {
  const source = URL.parse(asText(content.source));
  if (!source || !/^https?:$/.test(source.protocol)) invalid('content/article/source', 'The source must be an address');
  const { thumbnail } = content;
  if (thumbnail === undefined || thumbnail === null) return [];
  if (!isAsset(asText(thumbnail), 'image')) invalid('content/article/thumbnail', 'The thumbnail must be an image');
  return [readAsset(call, author, { id: thumbnail }, 'content/article/thumbnail')];
}

function invalid(field: string, description: string): never {
  invalidField('INVALID_VALUE_FOR_FIELD', field, description);
}
