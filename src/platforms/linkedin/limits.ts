import { commonLimits, type Limits } from '../kit/index.ts';

export const limits = {
  ...commonLimits,
  text: { max: 3000, premium: null, unit: 'utf16' },
  images: {
    max: 10,
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    maxBytes: 52_428_800,
    maxPixels: 36_152_320,
    rendition: { types: ['image/jpeg', 'image/png', 'image/gif'] },
  },
  video: { max: 1, types: ['video/mp4'], maxBytes: 524_288_000, minSeconds: 3, maxSeconds: 1800, aspect: null },
  documents: { max: 1, types: ['application/pdf'], maxBytes: 104_857_600, maxPages: 300 },
  altText: { max: 4086, kinds: ['image'] },
  firstComment: { max: 1250, unit: 'utf16', label: 'characters' },
} as const satisfies Limits;
