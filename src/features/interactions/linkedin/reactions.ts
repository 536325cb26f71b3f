import { Problem } from '../../../foundation/errors/index.ts';
import { PlatformError } from '../../../platforms/kit/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actAsLinkedIn, actions, type Details, linkedinConnection } from '../../insights/linkedin/act-as-linkedin.ts';
import { type Input, isEmpty, isMissing, readAccountId, readPostUrn } from '../../insights/linkedin/input.ts';
import { collectMentionables } from './collect-mentionables.ts';

/** LinkedIn's own response and status. */
const details: Details = (error) => ({ details: actions.answerIn(error), status: error.status });

/** contract.md#linkedin-reactions */
export async function createReaction(app: ActingApp, who: Who, { postedId, reactionType, platformId }: Input) {
  if (isEmpty(postedId) || isEmpty(reactionType) || isMissing(platformId)) {
    throw new Problem('linkedin_reaction_fields_missing');
  }
  const accountId = readAccountId(platformId);
  const on = readPostUrn(postedId);
  const type = readType(reactionType);
  const connection = await linkedinConnection(app, who.userId, accountId);
  const failure = 'linkedin_reaction_failed';
  const { target, answer } = await actAsLinkedIn(app, connection, { failure, details }, (ctx) =>
    actions.react({ on, type }, ctx).catch((error: unknown) => {
      if (!(error instanceof PlatformError && actions.hasReacted(error))) throw error;
      throw new Problem('linkedin_reaction_exists', { requestedReactionType: type });
    }),
  );
  collectMentionables(app, who, connection, on);
  return { success: true as const, reaction: answer, ...translated(on, target) };
}

/** contract.md#linkedin-reactions.delete */
export async function deleteReaction(app: ActingApp, who: Who, { postedId, platformId }: Input) {
  if (isEmpty(postedId) || isMissing(platformId)) throw new Problem('linkedin_reaction_delete_fields_missing');
  const accountId = readAccountId(platformId);
  const on = readPostUrn(postedId);
  const connection = await linkedinConnection(app, who.userId, accountId);
  const failure = 'linkedin_reaction_delete_failed';
  const { target, answer } = await actAsLinkedIn(app, connection, { failure, details }, (ctx) =>
    actions.removeReaction(on, ctx),
  );
  return { success: true as const, reaction: answer, ...translated(on, target) };
}

function readType(reactionType: unknown) {
  const wanted = typeof reactionType === 'string' ? reactionType.toUpperCase() : '';
  const type = actions.reactionTypes.find((known) => known === wanted);
  if (!type) throw new Problem('linkedin_reaction_type_invalid');
  return type;
}

const translated = (from: string, to: string) => (from === to ? {} : { urnTranslated: { from, to } });
