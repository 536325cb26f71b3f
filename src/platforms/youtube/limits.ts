import { commonLimits, type Limits } from '../kit/index.ts';

/** The text is the video's description, which YouTube counts in bytes. */
export const limits = {
  ...commonLimits,
  text: { max: 5000, premium: null, unit: 'utf16', maxBytes: 5000 },
  images: null,
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime', 'video/x-msvideo', 'video/webm'],
    maxBytes: 274_877_906_944,
    minSeconds: null,
    maxSeconds: 43_200,
    aspect: null,
  },
  thumbnails: {
    types: ['image/jpeg', 'image/png'],
    // The size is from contract.md#plans.limit-thumbnail. YouTube itself has accepted 50 MB since 2026-09-14:
    // https://developers.google.com/youtube/v3/revision_history (read 2026-11-16).
    maxBytes: 2_097_152,
    minWidth: 640,
    minHeight: 360,
    recommendedWidth: 1280,
    recommendedHeight: 720,
  },
  mediaRequired: true,
  videoRequired: true,
} as const satisfies Limits;
