import { z } from 'zod';
import { labelLimits } from '../../foundation/errors/labels.ts';
import { mediaLimits } from '../../foundation/errors/media.ts';
import { shownAs } from '../../foundation/http/openapi/schemas.ts';
import { Pagination } from '../../foundation/http/pages.ts';
import { success, timestamp } from '../../foundation/http/shapes.ts';
import { isId } from '../../foundation/lib/ids.ts';

/** The wire shapes of media files. */

/** More than most networks accept. `validate-post` reports those that accept less. */
const altText = z
  .string({ error: 'alt_text_invalid' })
  .trim()
  .refine((text) => [...text].length <= mediaLimits.altTextLength, 'alt_text_invalid')
  .meta({ maxLength: mediaLimits.altTextLength })
  .nullable()
  .describe('What the file shows, for people who cannot see it.');
/** In a request. An empty text counts as none. */
export const AltText = altText.optional().transform((text) => text || null);
/** In a change of a file. Undefined if it stays. */
export const ChangedAltText = altText.optional().transform((text) => (text === undefined ? undefined : text || null));
/** In a request. */
export const Shared = z
  .boolean({ error: 'media_shared_invalid' })
  .default(true)
  .describe('False: the file goes only to connections that list it in `platformMedia`.');
/** In a change of a file. Undefined if it stays. */
export const ChangedShared = Shared.removeDefault().optional();
const shownAltText = z.string().nullable().describe('Null if there is none.');

const mediaStatus = z
  .enum(['uploading', 'ready', 'failed', 'deleting'])
  .describe('`uploading` until the stored bytes have been checked.');
const mediaType = z.enum(['image', 'video', 'document']);
const number = z.number().nullable();

const MediaMetadata = z
  .object({
    size: z.number().describe('In bytes.'),
    width: number,
    height: number,
    aspectRatio: number,
    format: z.string(),
    frameRate: number,
    codecName: z.string().nullable(),
    bitRate: number,
    duration: number.describe('In seconds.'),
  })
  .meta({ id: 'MediaMetadata', description: 'Properties read from the bytes of the file. Null if not applicable.' });

/** `media[]` of get-post. */
export const MediaFile = z
  .object({
    mediaId: z.string(),
    sourceFileName: z.string().nullable().describe('The file name from the client, cleaned.'),
    fileName: z.string().nullable().describe('The storage key.'),
    type: mediaType.nullable(),
    mimeType: z.string().nullable(),
    status: mediaStatus,
    failureReason: z.string().nullable(),
    url: z.string().nullable(),
    altText: shownAltText,
    shared: z.boolean().describe('False: the file goes only to connections whose own list of files names it.'),
  })
  .meta({ id: 'Media', description: 'A file of a post group.' });
export type MediaFile = z.output<typeof MediaFile>;

export const MediaFilePath = z.object({
  mediaFileId: z.string().refine(isId, 'media_file_id_invalid').describe('The `mediaId` of the file.'),
});

export const MediaCompleted = z.object({
  success,
  mediaFile: z.object({
    _id: z.string(),
    type: mediaType.nullable(),
    mimeType: z.string().nullable(),
    fileName: z.string().nullable(),
    url: z.string().nullable(),
    status: mediaStatus.nullable(),
    altText: shownAltText,
    metadata: MediaMetadata.nullable(),
  }),
});

const page = z.string().max(400).optional().catch(undefined);
/** As in list-posts, an invalid page or limit is never an error. */
export const ListMedia = z.object({
  page: shownAs(page.describe('The page to read, from 1.'), z.int().min(1).default(1)),
  limit: shownAs(page.describe('Files per page.'), z.int().min(1).max(100).default(20)),
  type: shownAs(
    z
      .enum([...mediaType.options, ''], { error: 'media_list_type_invalid' })
      .optional()
      .describe('Only files of this type.'),
    mediaType,
  ),
  q: z
    .string({ error: 'media_search_invalid' })
    .max(mediaLimits.searchLength, 'media_search_invalid')
    .optional()
    .describe('Only files with this text in the file name, the alt text or a label.'),
  label: z
    .string({ error: 'list_label_invalid' })
    .max(labelLimits.length, 'list_label_invalid')
    .optional()
    .describe('Only files with exactly this label.'),
});
export type ListMedia = z.output<typeof ListMedia>;

const ListedMediaFile = z
  .object({
    _id: z.string(),
    fileName: z.string().describe('The file name from the client, cleaned.'),
    url: z.string().nullable(),
    type: mediaType,
    contentType: z.string(),
    bytes: z.number(),
    width: number,
    height: number,
    durationSeconds: number,
    altText: shownAltText,
    labels: z.array(z.string()),
    status: mediaStatus,
    createdAt: timestamp,
    inLibrary: z.boolean().describe('False: the file belongs to its post and is deleted with it.'),
    postCount: z.number().describe('How many posts use the file, up to 1,000.'),
    posts: z
      .array(
        z.object({
          postGroupId: z.string(),
          status: z.enum(['draft', 'scheduled', 'published', 'failed', 'partially_published']),
          excerpt: z.string().describe('The first 100 characters of its text.'),
        }),
      )
      .describe('The last 10 posts that use the file.'),
  })
  .meta({ id: 'ListedMedia', description: 'A file in a list. Unknown values are null.' });
export type ListedMediaFile = z.output<typeof ListedMediaFile>;

export const MediaList = z.object({ success, media: z.array(ListedMediaFile), pagination: Pagination });
