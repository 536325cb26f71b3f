import { commonLimits, type Limits } from '../kit/index.ts';

/** The premium length is the limit of a text attachment. An emoji counts 2, as in UTF-16. */
export const limits = {
  ...commonLimits,
  text: { max: 500, premium: 10_000, unit: 'utf16', maxLinks: 5 },
  images: {
    max: 20,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 8_388_608,
    rendition: { types: ['image/jpeg', 'image/png'] },
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: 1_073_741_824,
    minSeconds: null,
    maxSeconds: 300,
    aspect: null,
  },
  altText: { max: 1000, kinds: ['image', 'video'] },
  mixed: true,
  threads: { cuts: ['paragraph', 'line', 'sentence', 'word'] },
  firstComment: { max: 500, unit: 'codepoint', label: 'code points' },
} as const satisfies Limits;
