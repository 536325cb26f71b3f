import { z } from 'zod';
import type { ProblemKey } from '../errors.ts';
import { isId } from '../lib/ids.ts';

/** The wire shapes of a post's files. */

const type = z.enum(['image', 'video', 'document'], { error: 'upload_media_type_invalid' }).nullish();
const filled = (problem: ProblemKey) => z.string({ error: problem }).trim().min(1, problem);

export const GetUploadUrl = z.object({
  fileName: filled('upload_fields_missing').max(255),
  contentType: filled('upload_fields_missing').meta({ description: 'image/…, video/… or application/pdf.' }),
  postGroupId: filled('upload_fields_missing').refine(isId, 'upload_group_id_invalid'),
  type: type.meta({ description: 'Default: what contentType says.' }),
});

const demoted = {
  postGroupDemoted: z.literal(true).optional().describe('The post was scheduled and is a draft now.'),
  message: z.string().optional(),
};

export const UploadUrl = z.object({
  success: z.literal(true),
  uploadUrl: z.string().describe('PUT the file here within an hour, with the same Content-Type.'),
  fileUrl: z.string().describe('Where it will be.'),
  mediaId: z.string(),
  ...demoted,
});

/** The dashboard's own. */
export const GenerateUploadUrl = z.object({
  fileName: filled('upload_name_and_type_missing').max(255),
  contentType: filled('upload_name_and_type_missing'),
  postGroupId: filled('upload_group_id_missing').refine(isId, 'upload_group_id_invalid'),
  metadata: z.record(z.string(), z.unknown()).optional(),
  type,
});

export const GeneratedUploadUrl = z.object({
  uploadUrl: z.string(),
  key: z.string(),
  mediaId: z.string(),
  ...demoted,
});

export const MediaPath = z.object({ mediaId: z.string().refine(isId, 'media_id_invalid') });

export const MediaRemoved = z.object({
  success: z.literal(true),
  ...demoted,
  mediaWasOrphan: z.boolean().optional(),
  thumbnailCleared: z.boolean().optional(),
  coverCleared: z.boolean().optional(),
});

const postGroupId = z.string().refine(isId, 'post_group_id_invalid');
export const ReferencePath = z.object({ postGroupId, mediaId: z.string().refine(isId, 'media_id_invalid') });
export const PostPath = z.object({ postGroupId });

export const ReferencePruned = z.object({ success: z.literal(true), ...demoted });

export const MediaOrder = z.object({ mediaIds: z.array(z.string(), { error: 'media_order_invalid' }) });
export const MediaReordered = z.object({ success: z.literal(true), mediaIds: z.array(z.string()), ...demoted });
