import { z } from 'zod';
import { type AttachedImage, choice, flag, type SettingRules, text } from '../kit/index.ts';

export const settings = z.strictObject({
  videoType: choice('REELS', 'STORIES')
    .default('REELS')
    .meta({ title: 'Video as', description: 'Whether a video is published as a Reel or as a Story.' }),
  coverUrl: text()
    .trim()
    .transform((url) => url || undefined)
    .optional()
    .meta({
      title: 'Cover',
      description: 'Public URL of a JPEG for a Reel. An empty string removes it. Ignored for Stories and images.',
    }),
  shareToFeed: flag()
    .optional()
    .meta({ title: 'Share to feed', description: 'Turn off to keep a Reel out of the main feed.' }),
});

export const settingRules = {
  aliases: { cover_url: 'coverUrl' },
  lockedWhilePublishing: { coverUrl: 'cover' },
  videoKind({ videoType }, { mediaCount }) {
    if (mediaCount > 1) return 'carousel';
    return videoType === 'STORIES' ? 'stories' : 'reels';
  },
} as const satisfies SettingRules<z.output<typeof settings>>;

export const attachedImage = {
  setting: 'coverUrl',
  reference: 'url',
  purpose: 'instagram_cover',
  field: 'cover',
  uploadPath: '/upload-instagram-cover',
  asJpeg: true,
} as const satisfies AttachedImage<keyof z.output<typeof settings>>;
