import { empty, type HttpResponse } from '../../http-response.ts';
import type { Call } from '../../platform.ts';
import { actAs, authenticate } from './authenticate.ts';
import { requireComment } from './comment-read.ts';
import { engagementAction } from './engagement.ts';
import { denied } from './errors.ts';
import { removeWithReplies } from './post-delete.ts';
import { findPost } from './posts.ts';
import { activityUrn, urnOf } from './urn.ts';

/** The author of the comment and the author of the post may delete it. */
export function deleteComment(call: Call): HttpResponse {
  const caller = authenticate(call);
  const action = { ...engagementAction(call, 'SocialActions.DELETE'), field: 'actor' };
  const actor = actAs(call, caller, call.query.get('actor') ?? urnOf(caller.member), action);
  const comment = requireComment(call);
  const post = findPost(call, activityUrn(String(comment.data.activityId)));
  if (comment.accountId !== actor.id && post?.accountId !== actor.id) denied(call, action.resource);
  removeWithReplies(call, comment);
  return empty();
}
