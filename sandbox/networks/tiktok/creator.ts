import type { Answer } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { isPrivate } from './accounts.ts';
import { failure, success } from './errors.ts';
import { whyNoPost } from './posting-caps.ts';
import { signIn } from './sign-in.ts';

/** What may be chosen for the next post. What is over a cap comes as a 200, by the vendor's intention. */
export function creatorInfo(call: Call): Answer {
  const { account } = signIn(call, 'video.publish');
  const obstacle = whyNoPost(call, account);
  if (obstacle) return failure(obstacle, 200);
  return success({
    creator_avatar_url: account.avatarUrl,
    creator_username: account.handle,
    creator_nickname: account.displayName,
    privacy_level_options: privacyOptions(account),
    comment_disabled: false,
    // Strangers cannot take what they cannot see.
    duet_disabled: isPrivate(account),
    stitch_disabled: isPrivate(account),
    max_video_post_duration_sec: maxSeconds(account),
  });
}

export function privacyOptions(account: Account): string[] {
  return [isPrivate(account) ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
}

/** Not everybody has the ten minutes: private accounts here have the three that all have. */
export function maxSeconds(account: Account): number {
  return isPrivate(account) ? 180 : 600;
}
