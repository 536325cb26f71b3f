import { type Answer, empty } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { requireComment } from './comment-read.ts';
import { engagementAction } from './engagement.ts';
import { denied } from './errors.ts';
import { removeWithReplies } from './post-change.ts';
import { findPost } from './posts.ts';
import { actAs, signIn } from './sign-in.ts';
import { activityUrn, urnOf } from './urn.ts';

/** Its author may delete a comment, and so may the author of the post. */
export function deleteComment(call: Call): Answer {
  const caller = signIn(call);
  const action = { ...engagementAction(call, 'SocialActions.DELETE'), field: 'actor' };
  const actor = actAs(call, caller, call.query.get('actor') ?? urnOf(caller.member), action);
  const comment = requireComment(call);
  const post = findPost(call, activityUrn(String(comment.data.activityId)));
  if (comment.accountId !== actor.id && post?.accountId !== actor.id) denied(call, action.resource);
  removeWithReplies(call, comment);
  return empty();
}
