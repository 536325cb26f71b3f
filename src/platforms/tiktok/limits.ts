import { commonLimits, type Limits } from '../kit/index.ts';

/** The actual maximum length of a video varies by account; the adapter asks TikTok for it when it publishes. */
export const limits = {
  ...commonLimits,
  text: { max: 2200, premium: null, unit: 'utf16' },
  images: {
    max: 35,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 20_971_520,
    rendition: { types: ['image/jpeg', 'image/webp'], maxSide: 1080 },
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime', 'video/webm'],
    maxBytes: 4_294_967_296,
    minSeconds: 3,
    maxSeconds: 600,
    aspect: null,
    framesPerSecond: { min: 23, max: 60 },
  },
  mediaRequired: true,
} as const satisfies Limits;
