import { asText } from '../../../http/coerce.ts';
import type { HttpResponse } from '../../../http/http-response.ts';
import { isObject, type Json } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import { invalidField } from '../errors.ts';
import { type Attachment, readAsset } from '../posts/content.ts';
import { activityOf, findEntity, requireEntity } from '../posts/posts.ts';
import { checkFields, created } from '../rest-li/rest-li.ts';
import { activityUrn, commentUrn, idIn } from '../rest-li/urn.ts';
import { actAs, authenticate } from '../sign-in/authenticate.ts';
import { presentComment } from './comment-read.ts';
import { engagementAction } from './engagement.ts';

const required = ['actor', 'message'];
const optional = ['object', 'parentComment', 'content'];
const maxCharacters = 1250;

/** Adds a comment to a post or a reply to a comment. */
export function createComment(call: Call): HttpResponse {
  const caller = authenticate(call);
  const body = call.body.fields;
  checkFields(body, required, optional);
  const action = { ...engagementAction(call, 'SocialActions.CREATE'), field: 'actor' };
  const actor = actAs(call, caller, asText(body.actor), action);
  const target = requireEntity(call, call.params.urn ?? '');
  const parent = readParent(call, target, body.parentComment);
  checkObject(call, target, body.object);
  const image = readImage(call, actor, body.content);
  const message = readMessage(body.message, image !== undefined);
  const comment = saveComment(call, { actor, parent, message, image });
  return created(actor, asText(comment.data.commentId), presentComment(call, comment));
}

function saveComment(
  call: Call,
  { actor, parent, message, image }: { actor: Account; parent: Post; message: Message; image: Attachment | undefined },
): Post {
  const { posts, media, ids } = call.sandbox.store;
  const activityId = activityOf(parent);
  const commentId = ids.snowflake();
  const urn = commentUrn(activityId, commentId);
  if (image) media.change(image.media, { postId: urn, description: image.altText });
  return posts.add(call, {
    id: urn,
    accountId: actor.id,
    text: message.text,
    media: image ? [image.media.id] : [],
    inReplyTo: parent.id,
    url: `https://www.linkedin.com/feed/update/${activityUrn(activityId)}/?commentUrn=${encodeURIComponent(urn)}`,
    createdAt: call.sandbox.now(),
    data: { activityId, commentId, attributes: message.attributes },
  });
}

function readParent(call: Call, target: Post, parentComment: Json | undefined): Post {
  if (parentComment === undefined || parentComment === null) return target;
  const parent = findEntity(call, asText(parentComment));
  if (!parent || activityOf(parent) !== activityOf(target)) {
    invalidField('INVALID_URN_ID', 'parentComment', 'This URN Id is invalid');
  }
  return parent;
}

/** The body may repeat the entity of the path. The two must agree. */
function checkObject(call: Call, target: Post, object: Json | undefined): void {
  if (object === undefined || object === null) return;
  const found = findEntity(call, asText(object));
  if (!found || activityOf(found) !== activityOf(target)) {
    invalidField('INVALID_VALUE_FOR_FIELD', 'object', 'object must be the entity that is commented on');
  }
}

type Message = { text: string; attributes: Json[] };

/** Plain text: readers see every character, including backslashes. */
function readMessage(message: Json | undefined, hasImage: boolean): Message {
  const { text: given, attributes = [] } = isObject(message) ? message : {};
  const text = asText(given);
  if (text.trim() === '' && !hasImage) {
    invalidField('INVALID_VALUE_FOR_FIELD', 'message/text', 'A comment must have a text or an image');
  }
  if (text.length > maxCharacters) {
    invalidField('FIELD_LENGTH_TOO_LONG', 'message/text', `The maximum is ${maxCharacters} characters`);
  }
  if (!Array.isArray(attributes) || !attributes.every((attribute) => isMention(attribute, text.length))) {
    invalidField('INVALID_VALUE_FOR_FIELD', 'message/attributes', 'An attribute is a mention in the text');
  }
  return { text, attributes };
}

const mentioned: Record<string, [field: string, kind: string]> = {
  'com.linkedin.common.MemberAttributedEntity': ['member', 'person'],
  'com.linkedin.common.CompanyAttributedEntity': ['company', 'organization'],
};

/** Start and length count UTF-16 units. */
function isMention(attribute: Json, textLength: number): boolean {
  if (!isObject(attribute) || !isObject(attribute.value)) return false;
  const { start, length, value } = attribute;
  const isRange = typeof start === 'number' && typeof length === 'number' && start >= 0 && length > 0;
  if (!isRange || start + length > textLength) return false;
  const [[name, entity] = ['', null], ...others] = Object.entries(value);
  const [field, kind] = mentioned[name] ?? [];
  if (!field || !kind || others.length > 0 || !isObject(entity)) return false;
  return idIn(asText(entity[field]), kind) !== undefined;
}

/** The content has the form `[{"entity":{"image":"urn:li:image:…"}}]`. */
function readImage(call: Call, actor: Account, content: Json | undefined): Attachment | undefined {
  if (content === undefined || content === null) return undefined;
  const [first, ...others] = Array.isArray(content) ? content : [];
  const entity = isObject(first) && isObject(first.entity) ? first.entity : {};
  if (others.length > 0 || typeof entity.image !== 'string') {
    invalidField('INVALID_VALUE_FOR_FIELD', 'content', 'The content of a comment is one image');
  }
  return readAsset(call, actor, { id: entity.image }, 'content/entity/image');
}
