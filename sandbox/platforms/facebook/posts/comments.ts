import { asCount, asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { invalid, noObject } from '../errors.ts';
import { select } from '../field-selection.ts';
import { readInput } from '../input.ts';
import { listResponse } from '../paging.ts';
import { authenticateAsPage, requireToken } from '../sign-in/authenticate.ts';
import { findPost, isComment, postNode } from './posts.ts';

const maxComment = 8000;
const defaultFields = 'created_time,from,message,id';

/** The target is a post, a comment, or a video by its own id. */
export function createComment(call: Call): HttpResponse {
  requireToken(call);
  const parent = findTarget(call);
  const page = authenticateAsPage(call, parent.accountId, 'pages_manage_engagement');
  const input = readInput(call);
  const message = asText(input.message);
  if (message === '' && !input.attachment_url && !input.attachment_id)
    invalid('Param message or an attachment is required');
  if (message.length > maxComment) invalid(`Param message must be at most ${maxComment} characters long.`);
  const { store } = call.sandbox;
  const [first = '', second = ''] = parent.id.split('_');
  // The ids of all comments and replies under a post start with the post's number.
  const number = isComment(parent) ? first : second;
  const id = `${number}_${store.ids.snowflake()}`;
  const top = asText(parent.data.topUrl ?? undefined) || parent.url;
  const comment = store.posts.add(call, {
    id,
    accountId: page.id,
    text: message,
    media: [],
    inReplyTo: parent.id,
    url: `${top}?comment_id=${id.split('_')[1]}`,
    createdAt: call.sandbox.now(),
    data: { kind: 'comment', topUrl: top },
  });
  const fields = asText(input.fields);
  return json(fields === '' ? { id } : select('Comment', postNode(call, comment), fields, defaultFields));
}

/** Oldest first, unless `order` asks for the reverse. */
export function listComments(call: Call): HttpResponse {
  requireToken(call);
  const post = findTarget(call);
  authenticateAsPage(call, post.accountId, 'pages_read_engagement');
  const input = readInput(call);
  const all = call.sandbox.store.posts.replies(post);
  const ordered = asText(input.order) === 'reverse_chronological' ? all.toReversed() : all;
  const present = (comment: Post) => select('Comment', postNode(call, comment), asText(input.fields), defaultFields);
  const summary = { order: asText(input.order) || 'chronological', total_count: all.length, can_comment: true };
  const limit = asCount(input.limit, 25, 100);
  return listResponse(call, ordered, limit, present, asText(input.summary) === '' ? undefined : summary);
}

function findTarget(call: Call): Post {
  const id = call.params.id ?? '';
  return findPost(call, id) ?? noObject(call, id);
}
