import { commonLimits, type Limits } from '../kit/index.ts';

export const limits = {
  ...commonLimits,
  text: { max: 4096, premium: null, unit: 'utf16', captionMax: 1024 },
  images: {
    max: 10,
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp'],
    maxBytes: 10_485_760,
    // https://core.telegram.org/bots/api#sendphoto, read 2026-11-16.
    maxSides: 10_000,
    maxRatio: 20,
    rendition: { types: ['image/jpeg', 'image/png', 'image/gif'] },
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime', 'video/x-msvideo', 'video/x-matroska', 'video/webm'],
    maxBytes: 52_428_800,
    minSeconds: null,
    maxSeconds: 86_400,
    aspect: null,
  },
} as const satisfies Limits;
