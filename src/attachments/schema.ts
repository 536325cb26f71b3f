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

/** A file by reference. Strict: what is not known here would be lost without a word. */
const problem = (key: ProblemKey) => ({ error: key });
const keyOr = (unknown: ProblemKey, invalid: ProblemKey) => ({
  error: ({ code }: { code?: string }) => (code === 'unrecognized_keys' ? unknown : invalid),
});

export const AttachMedia = z.strictObject(
  {
    file: z.strictObject(
      {
        download_url: z
          .string(problem('attach_url_missing'))
          .refine((text) => text.trim() !== '', 'attach_url_missing')
          .describe('Public, https, port 443.'),
        file_id: z
          .string(problem('attach_file_id_invalid'))
          .min(1, 'attach_file_id_invalid')
          .max(512, 'attach_file_id_invalid')
          .describe('Stable: by it and the name, a retry is known.'),
        mime_type: z.string(problem('attach_mime_type_invalid')).optional().describe('A hint; the bytes decide.'),
        file_name: z.string(problem('attach_file_name_invalid')).optional().describe('Where fileName is absent.'),
      },
      keyOr('attach_file_fields_unknown', 'attach_file_invalid'),
    ),
    fileName: z
      .string(problem('attach_name_invalid'))
      .min(1, 'attach_name_invalid')
      .max(255, 'attach_name_invalid')
      .optional()
      .describe('With extension.'),
  },
  keyOr('attach_fields_unknown', 'attach_fields_unknown'),
);
export type AttachMedia = z.output<typeof AttachMedia>;

/** Forms are read by their handlers; these describe them. */
const file = (description: string) => z.string().meta({ format: 'binary', description });
const formGroupId = z.string().describe('A draft or scheduled post.');

export const ThumbnailForm = z.object({
  thumbnail: file('JPEG or PNG, at most 2 MB, at least 640x360 pixels.'),
  postGroupId: formGroupId,
});
export const CoverForm = z.object({
  cover: file('JPEG, PNG or WebP, at most 8 MB. Stored as JPEG, on white.'),
  postGroupId: formGroupId,
});
export const VideoForm = z.object({
  postGroupId: formGroupId,
  sessionId: z.uuid().optional().describe('To listen at processing-progress from the start. Before the file.'),
  video: file('MP4, MOV, AVI, MKV or WebM, at most 512 MB.'),
});

const image = z.object({ mediaId: z.string(), url: z.string() });
export const ThumbnailUploaded = z.object({ success: z.literal(true), thumbnail: image });
export const CoverUploaded = z.object({ success: z.literal(true), cover: image, message: z.string() });
export const VideoProcessed = z.object({
  success: z.literal(true),
  sessionId: z.string(),
  mediaId: z.string(),
  url: z.string(),
  ...demoted,
});

export const isSessionId = (text: string) => z.uuid().safeParse(text).success;
export const ProgressPath = z.object({ sessionId: z.string().refine(isSessionId, 'video_session_invalid') });
export const ProgressEvents = z
  .string()
  .describe('Server-sent events: `progress {percent}`, then `done {mediaId}` or `error {code}`, which is the last.');
