import { type Answer, empty, json } from '../../answer.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Post } from '../../store/posts.ts';
import { engagementAction, engagementOf, reactionCounts, requireReading } from './engagement.ts';
import { denied, invalidField, invalidParameter } from './errors.ts';
import { activityOf, requireEntity, threadUrn } from './posts.ts';
import { checkFields, readPatch } from './rest-li.ts';
import { actAs, signIn } from './sign-in.ts';

export function showMetadata(call: Call): Answer {
  const caller = signIn(call);
  const entity = requireEntity(call, call.params.urn ?? '');
  requireReading(call, caller, entity, 'SocialMetadata.GET');
  const counts = Object.entries(reactionCounts(call, entity));
  return json({
    entity: threadUrn(entity),
    reactionSummaries: Object.fromEntries(
      counts.map(([reactionType, count]) => [reactionType, { reactionType, count }]),
    ),
    commentSummary: {
      count: engagementOf(call, entity).comments,
      topLevelCount: call.sandbox.store.posts.replyCount(entity),
    },
    commentsState: areCommentsClosed(call, entity) ? 'CLOSED' : 'OPEN',
  });
}

/** The older form of the same. */
export function showSummary(call: Call): Answer {
  const caller = signIn(call);
  const entity = requireEntity(call, call.params.urn ?? '');
  requireReading(call, caller, entity, 'SocialActions.GET');
  const { reactions, comments } = engagementOf(call, entity);
  return json({
    target: threadUrn(entity),
    likesSummary: { totalLikes: reactions, aggregatedTotalLikes: reactions },
    commentsSummary: {
      totalFirstLevelComments: call.sandbox.store.posts.replyCount(entity),
      aggregatedTotalComments: comments,
    },
  });
}

export function changeMetadata(call: Call): Answer {
  const caller = signIn(call);
  const patch = readPatch(call);
  checkFields(patch, ['commentsState'], []);
  const action = { ...engagementAction(call, 'SocialMetadata.PARTIAL_UPDATE'), field: 'actor' };
  const actor = actAs(call, caller, call.query.get('actor') ?? invalidParameter('actor'), action);
  const entity = requireEntity(call, call.params.urn ?? '');
  if (entity.accountId !== actor.id) denied(call, action.resource);
  const state = asText(patch.commentsState);
  if (!['OPEN', 'CLOSED'].includes(state)) {
    invalidField('INVALID_VALUE_FOR_FIELD', 'commentsState', 'commentsState must be one of: OPEN, CLOSED');
  }
  call.sandbox.store.records.put('linkedin', 'comments-state', activityOf(entity), { state });
  return empty();
}

export function areCommentsClosed(call: Call, entity: Post): boolean {
  const state = call.sandbox.store.records.find('linkedin', 'comments-state', activityOf(entity));
  return state?.data.state === 'CLOSED';
}
