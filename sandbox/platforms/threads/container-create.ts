import type { Operation } from '../../faults.ts';
import { authenticateAs, grants, refusePermission, requireToken } from '../../graph/authenticate.ts';
import { addContainer, findContainer, type NewContainer, stateOf } from '../../graph/containers.ts';
import { noObject } from '../../graph/errors.ts';
import { namesIn, readInput } from '../../graph/input.ts';
import { asFlag, asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { readAttachments } from './attachments.ts';
import { invalidParam, mediaNotFound, refuseSuspended } from './errors.ts';
import { login, scopes } from './login.ts';
import { imageContainer, videoContainer } from './media-containers.ts';
import { rootOf } from './posts.ts';
import { publish } from './publish.ts';
import { checkText } from './text.ts';

const carouselItems = { min: 2, max: 20 };

export async function createContainer(call: Call): Promise<HttpResponse> {
  const account = authenticateAs(call, scopes.basic, scopes.publish);
  refuseSuspended(account);
  const input = readInput(call);
  checkText(asText(input.text), asText(input.link_attachment));
  const parent = readParent(call, account, asText(input.reply_to_id));
  const quoted = readQuoted(call, asText(input.quote_post_id));
  const attachments = { ...readAttachments(input), parent: parent?.id ?? null, quoted: quoted?.id ?? null };
  const created = await build(call, account, input);
  const data = { ...attachments, text: asText(input.text) };
  const id = addContainer(call, account, { ...created, data }, input);
  return json({ id: isPublishedAtOnce(input) ? publish(call, account, id) : id });
}

/** A text may be published by the call that creates its container. */
export function operationOfCreation(call: Call): Operation | readonly Operation[] {
  const input = readInput(call);
  if (isPublishedAtOnce(input)) return asText(input.reply_to_id) === '' ? 'publish' : ['comment', 'publish'];
  return ['IMAGE', 'VIDEO'].includes(asText(input.media_type)) ? 'upload' : 'other';
}

function isPublishedAtOnce(input: JsonObject): boolean {
  return asText(input.media_type) === 'TEXT' && asFlag(input.auto_publish_text);
}

function build(
  call: Call,
  account: Account,
  input: JsonObject,
): Omit<NewContainer, 'data'> | Promise<Omit<NewContainer, 'data'>> {
  switch (asText(input.media_type)) {
    case 'TEXT':
      if (asText(input.text).trim() === '') invalidParam('Param text is required for media_type TEXT.');
      return { ...readyNow(call), type: 'TEXT' };
    case 'IMAGE':
      return imageContainer(call, account, input);
    case 'VIDEO':
      return videoContainer(call, account, input);
    case 'CAROUSEL':
      return { ...readyNow(call), type: 'CAROUSEL', children: readItems(call, account, input) };
    default:
      return invalidParam('Param media_type must be one of {TEXT, IMAGE, VIDEO, CAROUSEL}');
  }
}

function readyNow(call: Call) {
  return { isItem: false, media: null, children: [], readyAt: call.sandbox.now(), failure: null };
}

/** The items must be the caller's own and ready. */
function readItems(call: Call, account: Account, input: JsonObject): string[] {
  const ids = namesIn(input.children, 'children');
  if (ids.length < carouselItems.min || ids.length > carouselItems.max) {
    invalidParam(`Param children must have ${carouselItems.min} to ${carouselItems.max} items.`);
  }
  for (const id of ids) {
    const item = findContainer(call, id);
    if (item?.accountId !== account.id || stateOf(call, item) !== 'FINISHED') mediaNotFound(id);
    if (!item.isItem) invalidParam(`Param children: ${id} is not a carousel item.`);
  }
  return ids;
}

/**
 * In the caller's own threads, the permission to reply is enough. In other threads, the caller also needs the
 * permission to search or to read mentions.
 */
function readParent(call: Call, account: Account, id: string): Post | null {
  if (id === '') return null;
  const token = requireToken(call);
  if (!grants(token, scopes.manageReplies)) refusePermission();
  const parent = call.sandbox.store.posts.find(login.platform, id) ?? noObject(call, id);
  const isOwn = rootOf(call, parent).accountId === account.id;
  if (!isOwn && !grants(token, scopes.search) && !grants(token, scopes.mentions)) refusePermission();
  return parent;
}

function readQuoted(call: Call, id: string): Post | null {
  return id === '' ? null : (call.sandbox.store.posts.find(login.platform, id) ?? noObject(call, id));
}
