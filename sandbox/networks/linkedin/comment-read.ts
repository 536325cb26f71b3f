import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { decoration } from './decoration.ts';
import { requireReading } from './engagement.ts';
import { notFound } from './errors.ts';
import { activityOf, authorOf, requireEntity } from './posts.ts';
import { pageOf } from './rest-li.ts';
import { signIn } from './sign-in.ts';
import { activityUrn, commentUrn, urnOf } from './urn.ts';

/** Oldest first; answers to a comment are listed under that comment. */
export function listComments(call: Call): Answer {
  const caller = signIn(call);
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

export function oneComment(call: Call): Answer {
  const caller = signIn(call);
  const comment = requireComment(call);
  requireReading(call, caller, comment, 'SocialActions.GET');
  return json(presentComment(call, comment));
}

/** By the number of the comment below the address of its thread. */
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
    id: comment.data.commentId,
    commentUrn: comment.id,
    actor,
    object: thread,
    message: { text: comment.text, attributes: [] },
    created: { actor, time: comment.createdAt },
    lastModified: { actor, time: comment.editedAt ?? comment.createdAt },
    ...(isAnswer && { parentComment: comment.inReplyTo }),
    ...(comment.media.length > 0 && { content: comment.media.map((image) => ({ type: 'IMAGE', entity: { image } })) }),
  };
}
