import { createHash } from 'node:crypto';
import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import { isObject, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Media } from '../../../store/media.ts';
import type { Post } from '../../../store/posts.ts';
import { invalid, refuse } from '../errors.ts';
import { select } from '../field-selection.ts';
import { isPublished, listOf, readInput } from '../input.ts';
import { authenticateAsPage } from '../sign-in/authenticate.ts';
import { defaultPostFields, postAddress, postNode } from './posts.ts';

const maxMessage = 63_206;
const repeatMs = 60 * 60_000;
const unusedPhotoMs = 24 * 60 * 60_000;

export function createFeedPost(call: Call): HttpResponse {
  const page = authenticateAsPage(call, call.params.id ?? '', 'pages_manage_posts', 'pages_read_engagement');
  const input = readInput(call);
  const message = readMessage(input.message);
  const link = readLink(input);
  const photos = listOf(input.attached_media, 'attached_media').map((item) => readPhoto(call, page, item));
  if (message === '' && link === null && photos.length === 0) invalid('Missing message or attachment');
  if (!isPublished(input)) invalid('The sandbox does not simulate drafts and scheduled posts');
  if (input.scheduled_publish_time !== undefined) {
    invalid('You cannot specify a scheduled publish time on a published post');
  }

  const key = repeatKey([message, link ?? '', ...photos.map(({ id }) => id)]);
  if (call.sandbox.store.posts.findByKey('facebook', page.id, key, call.sandbox.now() - repeatMs)) {
    refuse('(#506) Duplicate status message', {
      code: 506,
      userMessage: ['Duplicate status message', 'This status update is identical to the last one you posted.'],
    });
  }
  const statusType = photos.length > 0 ? 'added_photos' : link === null ? 'mobile_status_update' : 'shared_story';
  const post = addPost(call, page, { text: message, media: photos, key, data: { link, statusType } });
  const fields = asText(input.fields);
  return json(fields === '' ? { id: post.id } : select('Post', postNode(call, post), fields, defaultPostFields));
}

interface Content {
  readonly text: string;
  readonly media: readonly Pick<Media, 'id'>[];
  readonly data: JsonObject;
  readonly key?: string;
  /** The web path of the post, when it differs from the default. */
  readonly path?: string;
}

export function addPost(call: Call, page: Account, { text, media, data, key, path }: Content): Post {
  const { store } = call.sandbox;
  const number = store.ids.snowflake();
  const post = store.posts.add(call, {
    id: `${page.id}_${number}`,
    accountId: page.id,
    text,
    media: media.map(({ id }) => id),
    inReplyTo: null,
    url: path === undefined ? postAddress(page, number) : `https://www.facebook.com${path}`,
    createdAt: call.sandbox.now(),
    idempotencyKey: key ?? null,
    data: { kind: 'post', ...data },
  });
  for (const { id } of media) {
    const found = store.media.find('facebook', id);
    if (found) store.media.change(found, { postId: post.id });
  }
  return post;
}

export function readMessage(value: JsonObject[string] | undefined): string {
  const message = asText(value);
  if (message.length > maxMessage) invalid(`Param message must be at most ${maxMessage} characters long.`);
  return message;
}

function readLink(input: JsonObject): string | null {
  const link = asText(input.link);
  if (link === '') return null;
  const url = URL.parse(link);
  if (!url || !/^https?:$/.test(url.protocol)) invalid('The url you supplied is invalid', 1609005);
  if (/(^|\.)facebook\.com$/.test(url.hostname)) invalid("Facebook.com links can't be posted", 1609008);
  return link;
}

/** The photo must be unpublished and recent. */
function readPhoto(call: Call, page: Account, item: JsonObject[string]): Media {
  const id = isObject(item) ? asText(item.media_fbid) : '';
  const { store, now } = call.sandbox;
  const media = store.media.find('facebook', id);
  if (!media || media.accountId !== page.id || media.createdAt < now() - unusedPhotoMs) {
    invalid(`Param attached_media: the object with ID ${id || '(none)'} does not exist`);
  }
  if (media.postId !== null) {
    refuse('(#100) Invalid parameter', {
      code: 100,
      subcode: 1366051,
      userMessage: ['Already posted', 'These photos were already posted.'],
    });
  }
  return media;
}

function repeatKey(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
