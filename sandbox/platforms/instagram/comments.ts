import { authenticate } from '../../graph/authenticate.ts';
import { invalid } from '../../graph/errors.ts';
import { select } from '../../graph/field-selection.ts';
import { readInput } from '../../graph/input.ts';
import { formatTime, pageOf } from '../../graph/paging.ts';
import { asText } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { refuseSuspended } from './errors.ts';
import { scopes } from './login.ts';
import { isStory, requireComment, requireMedia } from './posts.ts';

const maxLength = 2200;
const defaultFields = 'id,timestamp,text';

/** Only on the caller's own media. Stories take no comments. */
export function createComment(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic, scopes.comments);
  const post = requireMedia(call, account);
  if (isStory(post)) invalid('Comments are not allowed on this media.');
  return addComment(call, account, post);
}

/** Comments have one level of replies. */
export function createReply(call: Call): HttpResponse {
  const account = authenticate(call, scopes.basic, scopes.comments);
  const comment = requireComment(call, account);
  const parent = call.sandbox.store.posts.find('instagram', comment.inReplyTo ?? '');
  if (parent?.inReplyTo !== null) invalid('A reply cannot be replied to.');
  return addComment(call, account, comment);
}

export function listComments(call: Call): HttpResponse {
  return listUnder(call, requireMedia(call, authenticate(call, scopes.basic, scopes.comments)));
}

export function listReplies(call: Call): HttpResponse {
  return listUnder(call, requireComment(call, authenticate(call, scopes.basic, scopes.comments)));
}

export function presentComment(call: Call, comment: Post, fields: string): JsonObject {
  const { accounts, posts, reactions } = call.sandbox.store;
  const author = accounts.find('instagram', comment.accountId);
  const parent = posts.find('instagram', comment.inReplyTo ?? '');
  const isReply = parent?.inReplyTo !== null;
  const node = {
    id: comment.id,
    from: { id: comment.accountId, username: author?.handle ?? '' },
    hidden: false,
    like_count: () => reactions.counts(comment).like ?? 0,
    media: { id: isReply ? (parent?.inReplyTo ?? '') : (comment.inReplyTo ?? '') },
    parent_id: isReply ? parent?.id : undefined,
    replies: () => ({ data: posts.replies(comment).map((reply) => presentComment(call, reply, defaultFields)) }),
    text: comment.text,
    timestamp: formatTime(comment.createdAt),
    username: author?.handle,
  };
  return select('IGComment', node, fields);
}

function addComment(call: Call, account: Account, parent: Post): HttpResponse {
  refuseSuspended(account);
  const text = asText(readInput(call).message);
  if (text.trim() === '') invalid('The parameter message is required');
  if ([...text].length > maxLength) invalid(`Param message must be at most ${maxLength} characters long.`);
  const { store, now } = call.sandbox;
  const id = store.ids.snowflake();
  store.posts.add(call, {
    id,
    accountId: account.id,
    text,
    media: [],
    inReplyTo: parent.id,
    url: `${parent.url.replace(/c\/\d+\/$/, '')}c/${id}/`,
    createdAt: now(),
    data: {},
  });
  return json({ id });
}

/** Newest first. */
function listUnder(call: Call, parent: Post): HttpResponse {
  const replies = call.sandbox.store.posts.replies(parent).reverse();
  return pageOf(call, replies, (one) => presentComment(call, one, call.query.get('fields') ?? defaultFields), {
    hasLinks: true,
  });
}
