import { commonLimits, type Limits } from '../kit/index.ts';

export const limits = {
  ...commonLimits,
  text: { max: 63_206, premium: null, unit: 'utf16' },
  images: {
    max: 10,
    types: [
      'image/jpeg',
      'image/png',
      'image/gif',
      'image/bmp',
      'image/tiff',
      'image/webp',
      'image/avif',
      'image/heif',
      'image/heic',
    ],
    maxBytes: 10_485_760,
    rendition: {
      types: ['image/jpeg', 'image/png', 'image/gif', 'image/bmp', 'image/tiff'],
      // "Photos should be less than 4 MB": Facebook's error 1366046, and the advice of
      // https://developers.facebook.com/docs/graph-api/photo-uploads (read 2026-11-16).
      maxBytes: 4_000_000,
    },
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: 2_147_483_648,
    minSeconds: null,
    maxSeconds: 2700,
    aspect: null,
    variants: { reels: { minSeconds: 3, maxSeconds: 90, maxBytes: 1_073_741_824 } },
  },
  /** Facebook documents no limit; this is that of Meta's other networks. */
  altText: { max: 1000, kinds: ['image'] },
} as const satisfies Limits;
