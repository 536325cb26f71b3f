import { empty, type HttpResponse } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import { denied } from '../errors.ts';
import { removeWithReplies } from '../posts/delete.ts';
import { findPost } from '../posts/posts.ts';
import { activityUrn, urnOf } from '../rest-li/urn.ts';
import { actAs, authenticate } from '../sign-in/authenticate.ts';
import { requireComment } from './comment-read.ts';
import { engagementAction } from './engagement.ts';

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
