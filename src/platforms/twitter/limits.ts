import { commonLimits, type Limits } from '../kit/index.ts';

export const limits = {
  ...commonLimits,
  /**
   * X shortens every link to 23 characters. `shownUrlLength` is only for display: the contract counts links as written
   * (https://docs.x.com/fundamentals/counting-characters, read 2026-11-16).
   */
  text: { max: 280, premium: 25_000, unit: 'weighted', shownUrlLength: 23 },
  images: {
    max: 4,
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
    maxBytes: 5_242_880,
    // "Animated GIF size: <= 15 MB": https://docs.x.com/x-api/media/quickstart/best-practices (read 2026-11-16).
    animation: { type: 'image/gif', maxBytes: 15_000_000 },
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: 536_870_912,
    minSeconds: 0.5,
    maxSeconds: 140,
    aspect: { min: 1 / 3, max: 3 },
  },
  /** X documents alt text for images and GIFs. A video has captions instead. */
  altText: { max: 1000, kinds: ['image'] },
  threads: { cuts: ['paragraph', 'sentence', 'word'] },
  firstComment: { max: 280, premium: 25_000, unit: 'weighted', label: 'weighted characters' },
} as const satisfies Limits;
