import { z } from 'zod';
import { countingUnits } from '../../foundation/text/length.ts';
import { platformIds } from '../../platforms/index.ts';

/** The wire shapes of GET /platform-limits (contract.md#platform-limits). */

const platform = z.string().meta({ examples: platformIds.slice(0, 1) });
const bytes = z.number().meta({ description: 'In bytes.' });
const seconds = z.number().meta({ description: 'In seconds.' });
const formats = z.array(z.string()).meta({ description: 'MIME types.' });
const aspectRatioRange = z
  .object({ min: z.number(), max: z.number() })
  .meta({ description: 'Width divided by height.' });

const Media = z.object({ supported: z.boolean(), maxSizeBytes: bytes, maxCount: z.number(), formats });

const Durations = z.object({ maxDurationSeconds: seconds, minDurationSeconds: seconds.nullable() });

const Videos = Media.extend({
  ...Durations.shape,
  aspectRatioRange: aspectRatioRange.nullable(),
  variants: z
    .record(z.string(), Durations.extend({ maxSizeBytes: bytes }))
    .optional()
    .meta({ description: 'Different limits for one kind of video, such as one of several items in a post.' }),
}).meta({ id: 'VideoLimits' });

const Thumbnails = z
  .object({
    supported: z.literal(true),
    maxSizeBytes: bytes,
    minWidth: z.number().optional(),
    minHeight: z.number().optional(),
    recommendedWidth: z.number().optional(),
    recommendedHeight: z.number().optional(),
    formats,
  })
  .meta({ id: 'ThumbnailLimits' });

/** How a platform counts a text, so that a client can count while someone types. */
export const TextCounting = z
  .object({
    unit: z
      .enum(countingUnits)
      .describe(
        '`weighted`: most characters of Latin, Cyrillic and similar scripts count 1, all others and emoji 2. `fediverse`: graphemes, but a mention counts without its server.',
      ),
    linkLength: z.number().optional().describe('What every link counts as. Absent: links count as written.'),
    networkLinkLength: z
      .number()
      .optional()
      .describe('What the network itself counts for a link, if that differs. For display only.'),
  })
  .meta({ id: 'TextCounting', description: 'How a platform counts a text.' });
export type TextCounting = z.output<typeof TextCounting>;

const PlatformLimit = z
  .object({
    platform,
    displayName: z.string(),
    characters: z.object({
      standard: z.number(),
      premium: z.number().nullable().meta({ description: 'For accounts that pay the network for longer texts.' }),
    }),
    counting: TextCounting,
    images: Media.extend({ aspectRatioRange: aspectRatioRange.optional() }),
    videos: Videos,
    requirements: z.object({
      requiresMedia: z.boolean(),
      requiresVideo: z.boolean(),
      supportsTextOnly: z.boolean(),
      supportsThreading: z.boolean(),
    }),
    documents: Media.extend({ maxPages: z.number() }).nullable(),
    gifs: z.null().meta({ description: 'No platform has separate limits for GIFs.' }),
    thumbnails: Thumbnails.nullable(),
    altText: z
      .object({ maxCharacters: z.number(), kinds: z.array(z.enum(['image', 'video'])) })
      .nullable()
      .meta({ description: 'Null: the platform does not accept alt text, so the alt text of files is ignored.' }),
    firstComments: z
      .object({ maxCharacters: z.number() })
      .nullable()
      .meta({ description: 'Null: the platform does not accept first comments, and they are skipped.' }),
  })
  .meta({ id: 'PlatformLimits', description: 'What one platform allows.' });
export type PlatformLimit = z.output<typeof PlatformLimit>;

export const PlatformLimits = z.object({
  success: z.literal(true),
  schemaVersion: z.literal(1),
  source: z.string(),
  packageVersion: z.string(),
  limitsLastUpdated: z.iso.date(),
  supportedPlatforms: z.array(platform),
  platforms: z.record(z.string(), PlatformLimit).meta({ description: 'By platform.' }),
});
export type PlatformLimits = z.output<typeof PlatformLimits>;
