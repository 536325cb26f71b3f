import { createHash } from 'node:crypto';
import { asText } from '../../../http/coerce.ts';
import { empty, type HttpResponse } from '../../../http/http-response.ts';
import { isObject, type JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Post } from '../../../store/posts.ts';
import { invalidField, refuse } from '../errors.ts';
import { isPage } from '../members.ts';
import { checkFields } from '../rest-li/rest-li.ts';
import { actAs, authenticate } from '../sign-in/authenticate.ts';
import { publishing } from '../sign-in/scopes.ts';
import { type Attachment, readContent } from './content.ts';
import { visibleText } from './little-text.ts';
import { readReshare } from './reshare.ts';

const required = ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState'];
const optional = [
  'content',
  'isReshareDisabledByAuthor',
  'reshareContext',
  'contentCallToActionLabel',
  'contentLandingPage',
];
const maxCharacters = 3000;
/** The vendor refuses duplicates "within a short time" and does not say how long that is. */
const duplicateMs = 60 * 60_000;
/** The vendor's ids start with the milliseconds of their creation, followed by this many other bits. */
const timeShift = 22n;

export function createPost(call: Call): HttpResponse {
  const caller = authenticate(call);
  const body = call.body.fields;
  checkFields(body, required, optional);
  const action = { gate: publishing, resource: 'posts.CREATE', field: 'author' };
  const author = actAs(call, caller, asText(body.author), action);
  checkValues(body, author);
  const commentary = asText(body.commentary);
  const text = readCommentary(commentary);
  const attachments = readContent(call, author, body.content);
  const parent = readReshare(call, author, body);
  if (text.trim() === '' && body.content === undefined && !parent) {
    invalidField('INVALID_VALUE_FOR_FIELD', 'commentary', 'A post without content must have a commentary');
  }
  const key = fingerprint(text, body);
  refuseDuplicate(call, author, key);

  const { ids } = call.sandbox.store;
  const isVideo = attachments.some(({ media }) => media.kind === 'video');
  const urn = `urn:li:${isVideo ? 'ugcPost' : 'share'}:${ids.snowflake(timeShift)}`;
  // The API accepts a post whose file fails in processing, but the post never appears.
  if (attachments.every(({ media }) => !media.fails)) {
    const data = {
      commentary,
      body: { ...body },
      activityId: ids.snowflake(timeShift),
      visibility: asText(body.visibility).toLowerCase(),
      parent: parent?.id ?? null,
    };
    savePost(call, author, { urn, text, key, data }, attachments, parent);
  }
  return empty(201, { 'x-restli-id': urn, 'x-linkedin-id': urn, location: `/posts/${encodeURIComponent(urn)}` });
}

/** The limit applies to the visible text, without escapes. */
export function readCommentary(commentary: string): string {
  const text = visibleText(commentary);
  if (text.length <= maxCharacters) return text;
  const message = `Field length too long: ${text.length} characters, the maximum is ${maxCharacters}`;
  invalidField('FIELD_LENGTH_TOO_LONG', 'commentary', message);
}

function savePost(
  call: Call,
  author: Account,
  post: { urn: string; text: string; key: string; data: JsonObject & { activityId: string } },
  attachments: readonly Attachment[],
  parent: Post | undefined,
): void {
  const { posts, media: store, records, reactions } = call.sandbox.store;
  const { urn, text, key, data } = post;
  posts.add(call, {
    id: urn,
    accountId: author.id,
    text,
    media: attachments.map(({ media }) => media.id),
    inReplyTo: null,
    url: `https://www.linkedin.com/feed/update/${urn}/`,
    createdAt: call.sandbox.now(),
    idempotencyKey: key,
    data,
  });
  records.put('linkedin', 'activity', data.activityId, { post: urn });
  for (const { media, altText } of attachments) store.change(media, { postId: urn, description: altText });
  // Reshares are stored like reactions, one per resharing post.
  if (parent) reactions.add(parent, urn, 'RESHARE');
}

function checkValues(body: JsonObject, author: Account): void {
  const visibilities = isPage(author) ? ['PUBLIC', 'LOGGED_IN', 'CONTAINER'] : ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'];
  requireOneOf(body, 'visibility', visibilities);
  requireOneOf(body, 'lifecycleState', ['PUBLISHED']);
  const { distribution } = body;
  if (!isObject(distribution))
    invalidField('INVALID_VALUE_FOR_FIELD', 'distribution', 'distribution must be an object');
  requireOneOf(distribution, 'feedDistribution', ['MAIN_FEED', 'NONE']);
}

function requireOneOf(body: JsonObject, field: string, allowed: readonly string[]): void {
  if (allowed.includes(asText(body[field]))) return;
  invalidField('INVALID_VALUE_FOR_FIELD', field, `${field} must be one of: ${allowed.join(', ')}`);
}

/** The text alone identifies a duplicate. Without text, the content does. */
function fingerprint(text: string, { content = null, reshareContext = null }: JsonObject): string {
  const subject = text === '' ? [content, reshareContext] : [text, reshareContext];
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex');
}

function refuseDuplicate(call: Call, author: Account, key: string): void {
  const since = call.sandbox.now() - duplicateMs;
  const earlier = call.sandbox.store.posts.findByKey('linkedin', author.id, key, since);
  if (earlier) refuse(422, 'DUPLICATE_POST', `Content is a duplicate of ${earlier.id}`);
}
