import type { HttpResponse } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { isPrivate, maxSeconds, privacyOptions } from './accounts.ts';
import { failure, success } from './errors.ts';
import { checkPostingCaps } from './publishing/posting-caps.ts';
import { authenticate } from './sign-in/authenticate.ts';

/** Returns the options for the next post. A reached cap is reported with status 200, as the vendor does. */
export function creatorInfo(call: Call): HttpResponse {
  const { account } = authenticate(call, 'video.publish');
  const refusalCode = checkPostingCaps(call, account);
  if (refusalCode) return failure(refusalCode, 200);
  return success({
    creator_avatar_url: account.avatarUrl,
    creator_username: account.handle,
    creator_nickname: account.displayName,
    privacy_level_options: privacyOptions(account),
    comment_disabled: false,
    // Others cannot duet or stitch a post that they cannot see.
    duet_disabled: isPrivate(account),
    stitch_disabled: isPrivate(account),
    max_video_post_duration_sec: maxSeconds(account),
  });
}
