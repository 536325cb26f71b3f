import { comment, removeComment, uploadImage } from './actions-comments.ts';
import { followers, followersByDay } from './actions-followers.ts';
import { peopleAround } from './actions-people.ts';
import { hasReacted, react, reactionTypes, removeReaction } from './actions-reactions.ts';
import { isPageWithoutId, reshare } from './actions-reshare.ts';
import { accountCounts, accountCountsByDay, postCounts } from './actions-statistics.ts';
import { answerIn } from './failure.ts';
import { metrics } from './metrics.ts';
import { littleText, mentionIssues, visibleText } from './text.ts';

/** What can be done at LinkedIn and nowhere else. */
export const actions = {
  comment,
  removeComment,
  uploadImage,
  reactionTypes,
  react,
  removeReaction,
  hasReacted,
  reshare,
  isPageWithoutId,
  followers,
  followersByDay,
  metrics,
  postCounts,
  accountCounts,
  accountCountsByDay,
  peopleAround,
  /** Text as it is sent, and as people read it. */
  littleText,
  visibleText,
  hasWebProfileMention: (text: string) => mentionIssues(text).length > 0,
  answerIn,
} as const;
