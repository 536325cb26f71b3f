import type { output } from 'zod';
import { type Context, type Media, PlatformError, type PostContent } from '../kit/index.ts';
import { Creator, type Credentials, call } from './api.ts';
import { withDoubt } from './failure.ts';
import type { settings } from './settings.ts';

export type Post = PostContent<output<typeof settings>>;
type Settings = Post['settings'];

/** What the account allows at this moment. TikTok wants to be asked before each post. */
export async function readCreator(ctx: Context<Credentials>): Promise<Creator> {
  const { accessToken } = ctx.credentials;
  try {
    return await call(Creator, { path: '/post/publish/creator_info/query/', accessToken, body: {} }, ctx);
  } catch (error) {
    throw withDoubt(error, false);
  }
}

/** What a video and pictures have in common. What the creator has switched off, TikTok wants to be sent as off. */
export function postInfo({ settings, media }: Post, creator: Creator) {
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

/** Pictures have neither duets nor stitches. */
export const videoInfo = (post: Post, creator: Creator) => ({
  ...postInfo(post, creator),
  disable_duet: !post.settings.allowDuet || creator.duet_disabled,
  disable_stitch: !post.settings.allowStitch || creator.stitch_disabled,
});

function checkViewers({ viewerSetting, commercialContent, brandedContent }: Settings, creator: Creator): void {
  const { privacy_level_options: options } = creator;
  if (!options.includes(viewerSetting)) {
    throw new PlatformError(
      'rejected',
      `The account cannot post with the viewerSetting "${viewerSetting}" now. Choose one of: ${options.join(', ')}.`,
    );
  }
  if (viewerSetting === 'SELF_ONLY' && commercialContent && brandedContent) {
    const message = 'TikTok takes no branded content that nobody else can see. Choose another viewerSetting.';
    throw new PlatformError('rejected', message);
  }
}

function checkDuration({ seconds }: Media, { max_video_post_duration_sec: max }: Creator): void {
  if (seconds === null || max === undefined || Math.floor(seconds) <= max) return;
  throw new PlatformError(
    'too_large',
    `The video is ${Math.floor(seconds)} seconds long. From this account, TikTok takes up to ${max}.`,
  );
}
