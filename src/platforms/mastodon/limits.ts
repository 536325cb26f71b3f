import { type output, z } from 'zod';
import { type Account, commonLimits, type Limits } from '../kit/index.ts';
import type { Instance } from './api.ts';

/** The limits of an unmodified server. */
export const limits = {
  ...commonLimits,
  text: { max: 500, premium: null, unit: 'fediverse', urlLength: 23 },
  images: {
    max: 4,
    types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heif', 'image/heic', 'image/avif'],
    maxBytes: 16_777_216,
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime', 'video/webm'],
    maxBytes: 103_809_024,
    minSeconds: null,
    maxSeconds: 86_400,
    aspect: null,
  },
  /**
   * Version 4.6 and later accept 10,000. All servers are treated like the older ones, so that a post fits every server.
   */
  altText: { max: 1500, kinds: ['image', 'video'] },
  firstComment: { max: 500, unit: 'fediverse', urlLength: 23, label: 'characters' },
} as const satisfies Limits;

/** Larger than any file we store. */
const largestFile = 10_000_000_000;

/**
 * The server chooses this number, so it is bounded on reading and, because older versions stored any number, on use.
 */
const upTo = (max: number, standard: number) =>
  z
    .number()
    .transform((number) => Math.min(Math.max(Math.trunc(number), 0), max))
    .catch(standard);

/** The limits of the account's own server. Forks differ widely (5000 characters, 256 for a link). */
const Traits = z.object({
  maxCharacters: upTo(1_000_000, limits.text.max),
  charactersPerUrl: upTo(10_000, limits.text.urlLength),
  maxMedia: upTo(100, limits.images.max),
  maxImageBytes: upTo(largestFile, limits.images.maxBytes),
  maxVideoBytes: upTo(largestFile, limits.video.maxBytes),
  maxAltText: upTo(limits.altText.max, limits.altText.max),
});

export function traitsOf({ configuration }: output<typeof Instance>): Account['traits'] {
  const { statuses, media_attachments: media } = configuration;
  return Traits.parse({
    maxCharacters: statuses.max_characters,
    charactersPerUrl: statuses.characters_reserved_per_url,
    maxMedia: statuses.max_media_attachments,
    maxImageBytes: media.image_size_limit,
    maxVideoBytes: media.video_size_limit,
    maxAltText: media.description_limit,
  });
}

export function limitsFor(traits: Account['traits']): Limits {
  const { maxCharacters, charactersPerUrl, maxMedia, maxImageBytes, maxVideoBytes, maxAltText } = Traits.parse(traits);
  return {
    ...limits,
    text: { ...limits.text, max: maxCharacters, urlLength: charactersPerUrl },
    images: { ...limits.images, max: maxMedia, maxBytes: maxImageBytes },
    video: { ...limits.video, maxBytes: maxVideoBytes },
    altText: { ...limits.altText, max: maxAltText },
  };
}
