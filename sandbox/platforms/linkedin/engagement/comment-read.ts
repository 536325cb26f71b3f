import { asText } from '../../../http/coerce.ts';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { notFound } from '../errors.ts';
import { activityOf, authorOf, requireEntity } from '../posts/posts.ts';
import { decoration } from '../rest-li/decoration.ts';
import { pageOf } from '../rest-li/rest-li.ts';
import { activityUrn, commentUrn, urnOf } from '../rest-li/urn.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import { requireReading } from './engagement.ts';

/** Oldest first. Replies are listed under their comment. */
export function listComments(call: Call): HttpResponse {
  const caller = authenticate(call);
  const target = requireEntity(call, call.params.urn ?? '');
  requireReading(call, caller, target, 'SocialActions.GET_ALL');
  const comments = call.sandbox.store.posts.replies(target);
  return json(
    pageOf(
      call,
      comments.map((comment) => ({
        ...presentComment(call, comment),
        ...decoration(call, authorOf(call, comment)),
      })),
    ),
  );
}

/** The path contains the thread and the number of the comment. */
export function requireComment(call: Call): Post {
  const target = requireEntity(call, call.params.urn ?? '');
  const urn = commentUrn(activityOf(target), call.params.id ?? '');
  return call.sandbox.store.posts.find('linkedin', urn) ?? notFound(`Could not find comment: ${call.params.id}`);
}

export function presentComment(call: Call, comment: Post) {
  const actor = urnOf(authorOf(call, comment));
  const thread = activityUrn(activityOf(comment));
  const isAnswer = comment.inReplyTo?.startsWith('urn:li:comment:') === true;
  return {
    id: asText(comment.data.commentId),
    commentUrn: comment.id,
    actor,
    object: thread,
    message: { text: comment.text, attributes: comment.data.attributes ?? [] },
    created: { actor, time: comment.createdAt },
    lastModified: { actor, time: comment.editedAt ?? comment.createdAt },
    ...(isAnswer && { parentComment: comment.inReplyTo }),
    ...(comment.media.length > 0 && { content: comment.media.map((image) => ({ type: 'IMAGE', entity: { image } })) }),
  };
}
