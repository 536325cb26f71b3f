import type { output } from 'zod';
import { type Context, type Media, PlatformError, type PostContent } from '../kit/index.ts';
import { api, CreatorInfo, type Credentials, call } from './api.ts';
import { withDoubt } from './failure.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;
type Settings = Post['settings'];

/** The account's current options. TikTok requires this call before each post. */
export async function readCreatorInfo(ctx: Context<Credentials>): Promise<CreatorInfo> {
  const { accessToken } = ctx.credentials;
  try {
    return await call(CreatorInfo, { url: `${api}/post/publish/creator_info/query/`, accessToken, body: {} }, ctx);
  } catch (error) {
    // This call publishes nothing.
    throw withDoubt(error, false);
  }
}

/** Shared by videos and photos. TikTok requires that options the creator has switched off are sent as off. */
export function commonInfo({ settings, media }: Post, creator: CreatorInfo) {
  checkViewers(settings, creator);
  for (const one of media) checkDuration(one, creator);
  const { viewerSetting, allowComments, commercialContent, brandOrganic, brandedContent } = settings;
  return {
    privacy_level: viewerSetting,
    disable_comment: !allowComments || creator.comment_disabled,
    brand_organic_toggle: commercialContent && brandOrganic,
    brand_content_toggle: commercialContent && brandedContent,
  };
}

/** Only videos have duets and stitches. */
export const videoInfo = (post: Post, creator: CreatorInfo) => ({
  ...commonInfo(post, creator),
  disable_duet: !post.settings.allowDuet || creator.duet_disabled,
  disable_stitch: !post.settings.allowStitch || creator.stitch_disabled,
});

function checkViewers({ viewerSetting, commercialContent, brandedContent }: Settings, creator: CreatorInfo): void {
  const { privacy_level_options: options } = creator;
  if (!options.includes(viewerSetting)) {
    throw new PlatformError(
      'rejected',
      `The account does not allow the viewerSetting "${viewerSetting}" at the moment. Choose one of: ${options.join(', ')}.`,
    );
  }
  if (viewerSetting === 'SELF_ONLY' && commercialContent && brandedContent) {
    const message =
      'TikTok does not accept branded content that only the account itself can see. Choose another viewerSetting.';
    throw new PlatformError('rejected', message);
  }
}

function checkDuration({ seconds }: Media, { max_video_post_duration_sec: max }: CreatorInfo): void {
  if (seconds === null || max === undefined || Math.floor(seconds) <= max) return;
  throw new PlatformError(
    'too_large',
    `The video is ${Math.floor(seconds)} seconds long. TikTok accepts up to ${max} seconds from this account. Shorten it.`,
  );
}
