import { commonLimits, type Limits } from '../kit/index.ts';

/**
 * "Maximum 2200 characters, 30 hashtags, and 20 @ tags" in a caption:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media (read 2026-11-16).
 */
const caption = { max: 2200, premium: null, unit: 'utf16', maxHashtags: 30, maxMentions: 20 } as const;

export const limits = {
  ...commonLimits,
  text: caption,
  images: {
    max: 10,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 8_388_608,
    aspect: { min: 0.8, max: 1.91 },
    storyAspect: { min: 0.1, max: 10 },
    rendition: { types: ['image/jpeg'] },
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: 314_572_800,
    minSeconds: 3,
    maxSeconds: 900,
    aspect: null,
    variants: {
      reels: { maxSeconds: 900 },
      feed: { maxSeconds: 3600 },
      carousel: { maxSeconds: 60 },
      stories: { maxSeconds: 60, maxBytes: 104_857_600 },
    },
  },
  thumbnails: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 8_388_608 },
  altText: { max: 1000, kinds: ['image'] },
  mediaRequired: true,
} as const satisfies Limits;
