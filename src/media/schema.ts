import { z } from 'zod';
import { isId } from '../lib/ids.ts';

/** The wire shapes of media files. */

export const mediaStatus = z.enum(['uploading', 'ready', 'failed', 'deleting']);
const mediaType = z.enum(['image', 'video', 'document']);
const number = z.number().nullable();

export const MediaMetadata = z.object({
  size: z.number(),
  width: number,
  height: number,
  aspectRatio: number,
  format: z.string(),
  frameRate: number,
  codecName: z.string().nullable(),
  bitRate: number,
  duration: number,
});

/** `media[]` of get-post. */
export const MediaFile = z.object({
  mediaId: z.string(),
  sourceFileName: z.string().nullable(),
  fileName: z.string().nullable(),
  type: mediaType.nullable(),
  mimeType: z.string().nullable(),
  status: mediaStatus,
  failureReason: z.string().nullable(),
  url: z.string().nullable(),
});
export type MediaFile = z.output<typeof MediaFile>;

export const MediaFilePath = z.object({ mediaFileId: z.string().refine(isId, 'media_file_id_invalid') });

export const MediaCompleted = z.object({
  success: z.literal(true),
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
