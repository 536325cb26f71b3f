import { type Answer, json } from '../../answer.ts';
import { asFlag, asText } from '../../fields.ts';
import { invalid } from '../../graph/errors.ts';
import { readInput } from '../../graph/input.ts';
import { graphTime, pageOf } from '../../graph/paging.ts';
import { select } from '../../graph/selection.ts';
import { signIn } from '../../graph/sign-in.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { checkStanding } from './errors.ts';
import { scopes } from './login.ts';
import { isStory, requireComment, requireMedia } from './posts.ts';

const maxLength = 2200;
const usualFields = 'id,timestamp,text';

/** Under one's own media; a story takes none. */
export function createComment(call: Call): Answer {
  const account = signIn(call, scopes.basic, scopes.comments);
  const post = requireMedia(call, account);
  if (isStory(post) || post.data.isCommentEnabled !== true) invalid('Comments are not allowed on this media.');
  return addComment(call, account, post);
}

/** Under a comment there is one level of replies. */
export function createReply(call: Call): Answer {
  const account = signIn(call, scopes.basic, scopes.comments);
  const comment = requireComment(call, account);
  const parent = call.sandbox.store.posts.find('instagram', comment.inReplyTo ?? '');
  if (parent?.inReplyTo !== null) invalid('A reply cannot be replied to.');
  return addComment(call, account, comment);
}

export function listComments(call: Call): Answer {
  return listUnder(call, requireMedia(call, signIn(call, scopes.basic, scopes.comments)));
}

export function listReplies(call: Call): Answer {
  return listUnder(call, requireComment(call, signIn(call, scopes.basic, scopes.comments)));
}

/** `hide` on a comment, `comment_enabled` on media. */
export function changeNode(call: Call): Answer {
  const account = signIn(call, scopes.basic, scopes.comments);
  const { posts } = call.sandbox.store;
  const input = readInput(call);
  if (input.comment_enabled !== undefined) {
    const post = requireMedia(call, account);
    posts.change(post, { data: { ...post.data, isCommentEnabled: asFlag(input.comment_enabled) } });
  } else {
    const comment = requireComment(call, account);
    if (input.hide === undefined) invalid('The parameter hide is required');
    posts.change(comment, { data: { ...comment.data, isHidden: asFlag(input.hide) } });
  }
  return json({ success: true });
}

/** Of comments alone: with Instagram Login no app can delete media. */
export function deleteComment(call: Call): Answer {
  const comment = requireComment(call, signIn(call, scopes.basic, scopes.comments));
  const { posts } = call.sandbox.store;
  for (const reply of posts.replies(comment)) posts.remove(reply);
  posts.remove(comment);
  return json({ success: true });
}

export function presentComment(call: Call, comment: Post, fields: string): JsonObject {
  const { accounts, posts, reactions } = call.sandbox.store;
  const author = accounts.find('instagram', comment.accountId);
  const parent = posts.find('instagram', comment.inReplyTo ?? '');
  const isReply = parent?.inReplyTo !== null;
  const node = {
    id: comment.id,
    from: { id: comment.accountId, username: author?.handle ?? '' },
    hidden: comment.data.isHidden === true,
    like_count: () => reactions.counts(comment).like ?? 0,
    media: { id: isReply ? (parent?.inReplyTo ?? '') : (comment.inReplyTo ?? '') },
    parent_id: isReply ? parent?.id : undefined,
    replies: () => ({ data: posts.replies(comment).map((reply) => presentComment(call, reply, usualFields)) }),
    text: comment.text,
    timestamp: graphTime(comment.createdAt),
    username: author?.handle,
  };
  return select('IGComment', node, fields);
}

function addComment(call: Call, account: Account, parent: Post): Answer {
  checkStanding(account);
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
function listUnder(call: Call, parent: Post): Answer {
  const replies = call.sandbox.store.posts.replies(parent).reverse();
  return pageOf(call, replies, (one) => presentComment(call, one, call.query.get('fields') ?? usualFields), {
    hasLinks: true,
  });
}
