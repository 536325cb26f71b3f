import { commonLimits, type Limits } from '../kit/index.ts';

export const limits = {
  ...commonLimits,
  text: { max: 800, premium: null, unit: 'utf16' },
  images: { max: 1, types: ['image/jpeg', 'image/png'], maxBytes: 20_971_520 },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: 2_147_483_648,
    minSeconds: 4,
    maxSeconds: 900,
    aspect: null,
  },
  altText: { max: 500, kinds: ['image', 'video'] },
  mediaRequired: true,
} as const satisfies Limits;
