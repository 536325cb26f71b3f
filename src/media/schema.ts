import { z } from 'zod';
import { success } from '../http/shapes.ts';
import { isId } from '../lib/ids.ts';

/** The wire shapes of media files. */

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
  .meta({ id: 'MediaMetadata', description: 'What the bytes of a file say. Null where it does not apply.' });

/** `media[]` of get-post. */
export const MediaFile = z
  .object({
    mediaId: z.string(),
    sourceFileName: z.string().nullable().describe("The client's name of the file, cleaned."),
    fileName: z.string().nullable().describe('The key in the storage.'),
    type: mediaType.nullable(),
    mimeType: z.string().nullable(),
    status: mediaStatus,
    failureReason: z.string().nullable(),
    url: z.string().nullable(),
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
    metadata: MediaMetadata.nullable(),
  }),
});
