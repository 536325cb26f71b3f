import { commonLimits, type Limits } from '../kit/index.ts';

export const limits = {
  ...commonLimits,
  text: { max: 300, premium: null, unit: 'grapheme', maxBytes: 3000 },
  images: { max: 4, types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: 2_000_000 },
  // The size is from contract.md#platform-limits.bluesky. Bluesky itself has accepted 300,000,000 bytes since
  // 2026-08-11: https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/video.json (read
  // 2026-11-16).
  video: { max: 1, types: ['video/mp4'], maxBytes: 104_857_600, minSeconds: null, maxSeconds: 180, aspect: null },
  /** The limit of Bluesky's own app; its servers have none. */
  altText: { max: 2000, kinds: ['image', 'video'] },
  firstComment: { max: 300, unit: 'grapheme', label: 'graphemes', maxBytes: 3000 },
} as const satisfies Limits;
