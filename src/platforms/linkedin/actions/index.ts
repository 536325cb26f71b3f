import { answerIn } from '../failure.ts';
import { littleText, mentionIssues, plainMessage } from '../text.ts';
import { comment, removeComment, uploadImage } from './comments.ts';
import { followers, followersByDay } from './followers.ts';
import { metrics } from './metrics.ts';
import { peopleAround } from './people.ts';
import { hasReacted, react, reactionTypes, removeReaction } from './reactions.ts';
import { isPageWithoutId, reshare } from './reshare.ts';
import { accountCounts, accountCountsByDay, postCounts } from './statistics.ts';

/** Actions that only LinkedIn has. */
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
  /** Text formatting for posts and for comments. */
  littleText,
  plainMessage,
  hasWebProfileMention: (text: string) => mentionIssues(text).length > 0,
  answerIn,
} as const;
