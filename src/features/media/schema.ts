import { z } from 'zod';
import type { ProblemKey } from '../../foundation/errors/index.ts';
import { labelLimits } from '../../foundation/errors/labels.ts';
import { mediaLimits } from '../../foundation/errors/media.ts';
import { shownAs } from '../../foundation/http/openapi/schemas.ts';
import { success } from '../../foundation/http/shapes.ts';
import { isId } from '../../foundation/lib/ids.ts';
import { cleanFileName } from '../../foundation/storage/storage-key.ts';
import { AltText, ChangedAltText, ChangedShared, MediaFile, Shared } from '../files/schema.ts';
import { LabelText } from '../posts/labels/schema.ts';

/** The wire shapes of a post's files. */

const type = z
  .enum(['image', 'video', 'document'], { error: 'upload_media_type_invalid' })
  .nullish()
  .describe('Default: derived from `contentType`.');
const filled = (problem: ProblemKey) => z.string({ error: problem }).trim().min(1, problem);
const longName: ProblemKey = 'upload_name_too_long';
const fileNameMeta = { description: 'Including the extension.' };
const contentTypeMeta = {
  description: '`image/…`, `video/…` or `application/pdf`. The upload must have the same type.',
};
const editable = { description: 'A draft or scheduled post group.' };

export const GetUploadUrl = z.object(
  {
    fileName: filled('upload_fields_missing').max(mediaLimits.fileNameLength, longName).meta(fileNameMeta),
    contentType: filled('upload_fields_missing').meta(contentTypeMeta),
    postGroupId: filled('upload_fields_missing').refine(isId, 'upload_group_id_invalid').meta(editable),
    type,
    altText: AltText,
    shared: Shared,
  },
  { error: 'upload_fields_missing' },
);

const demoted = {
  postGroupDemoted: success.optional().describe('Present if the post was scheduled and is now a draft.'),
  message: z.string().optional(),
};

const uploadUrl = z.string().describe('PUT the file here within one hour, with the same `Content-Type`.');

export const UploadUrl = z.object({
  success,
  uploadUrl,
  fileUrl: z.string().describe('The public URL of the file, once it is uploaded.'),
  mediaId: z.string(),
  ...demoted,
});

const labels = shownAs(
  z
    .array(LabelText, { error: 'labels_invalid' })
    .max(labelLimits.perPost, 'media_labels_too_many')
    .transform((names) => [...new Set(names)]),
  z.array(z.string().min(1).max(labelLimits.length)).max(labelLimits.perPost),
)
  .optional()
  .describe('Your own tags to find the file by.');

export const UploadToLibrary = z.object(
  {
    fileName: filled('upload_name_and_type_missing').max(mediaLimits.fileNameLength, longName).meta(fileNameMeta),
    contentType: filled('upload_name_and_type_missing').meta(contentTypeMeta),
    altText: AltText,
    labels,
  },
  { error: 'upload_name_and_type_missing' },
);

export const LibraryUploadUrl = UploadUrl.omit({ postGroupDemoted: true, message: true });

/** The dashboard's counterpart of get-upload-url. */
export const GenerateUploadUrl = z.object(
  {
    fileName: filled('upload_name_and_type_missing').max(mediaLimits.fileNameLength, longName).meta(fileNameMeta),
    contentType: filled('upload_name_and_type_missing').meta(contentTypeMeta),
    postGroupId: filled('upload_group_id_missing').refine(isId, 'upload_group_id_invalid').meta(editable),
    metadata: z.record(z.string(), z.unknown()).optional().describe('Accepted but not used.'),
    type,
    altText: AltText,
    shared: Shared,
  },
  { error: 'upload_name_and_type_missing' },
);

export const GeneratedUploadUrl = z.object({
  uploadUrl,
  key: z.string().describe('The storage key of the file.'),
  mediaId: z.string(),
  ...demoted,
});

const mediaId = z.string().refine(isId, 'media_id_invalid').describe('The id of the file: 24 hex digits.');
export const MediaPath = z.object({ mediaId });

/** Without any field, `altText` counts as missing. */
export const UpdateMedia = z
  .object({
    altText: ChangedAltText,
    shared: ChangedShared,
    fileName: z
      .string({ error: 'media_name_invalid' })
      .trim()
      .min(1, 'media_name_invalid')
      .max(mediaLimits.fileNameLength, 'media_name_invalid')
      .transform((name) => cleanFileName(name) || 'file')
      .meta({ minLength: 1, maxLength: mediaLimits.fileNameLength })
      .optional(),
    labels: labels.describe('Replaces all labels.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'alt_text_invalid');

export const MediaUpdated = z.object({ success, media: MediaFile, ...demoted });

export const MediaRemoved = z.object({
  success,
  ...demoted,
  mediaWasOrphan: z.boolean().optional().describe('True: the file belonged to no post.'),
  thumbnailCleared: z.boolean().optional().describe('True: the file was the YouTube thumbnail.'),
  coverCleared: z.boolean().optional().describe('True: the file was the Instagram cover.'),
});

const postGroupId = z
  .string()
  .refine(isId, 'post_group_id_invalid')
  .describe('The id of the post group: 24 hex digits.');
export const ReferencePath = z.object({ postGroupId, mediaId });
export const PostPath = z.object({ postGroupId });

export const AttachFromLibrary = z.object({
  mediaIds: z
    .array(z.string().refine(isId, 'media_id_invalid'), { error: 'media_ids_invalid' })
    .min(1, 'media_ids_invalid')
    .max(mediaLimits.filesPerPost, 'media_ids_invalid')
    .describe('Files from `GET /media`, in the order in which they are published.'),
  shared: Shared,
});
export const AttachedFromLibrary = z.object({
  success,
  mediaIds: z.array(z.string()).describe('The ids of the files in the post, in the same order.'),
  ...demoted,
});

export const ReferencePruned = z.object({ success, ...demoted });

export const MediaOrder = z.object({
  mediaIds: z
    .array(z.string(), { error: 'media_order_invalid' })
    .max(1000, 'media_order_invalid')
    .describe('Every file of the post once, in the new order.'),
});
export const MediaReordered = z.object({ success, mediaIds: z.array(z.string()), ...demoted });

const problem = (key: ProblemKey) => ({ error: key });
const keyOr = (unknown: ProblemKey, invalid: ProblemKey) => ({
  error: ({ code }: { code?: string }) => (code === 'unrecognized_keys' ? unknown : invalid),
});

/** A file by reference. Strict: an unknown field would otherwise be ignored silently. */
export const AttachMedia = z.strictObject(
  {
    file: z.strictObject(
      {
        download_url: z
          .string(problem('attach_url_missing'))
          .refine((text) => text.trim() !== '', 'attach_url_missing')
          .describe('A public https URL, on port 443 and without credentials.'),
        file_id: z
          .string(problem('attach_file_id_invalid'))
          .min(1, 'attach_file_id_invalid')
          .max(mediaLimits.fileIdLength, 'attach_file_id_invalid')
          .describe('A stable id, which identifies a retry together with the file name.'),
        mime_type: z
          .string(problem('attach_mime_type_invalid'))
          .optional()
          .describe('A hint. The type is detected from the bytes.'),
        file_name: z.string(problem('attach_file_name_invalid')).optional().describe('Used if `fileName` is omitted.'),
      },
      keyOr('attach_file_fields_unknown', 'attach_file_invalid'),
    ),
    fileName: z
      .string(problem('attach_name_invalid'))
      .min(1, 'attach_name_invalid')
      .max(mediaLimits.fileNameLength, 'attach_name_invalid')
      .optional()
      .describe('Including the extension.'),
    altText: AltText,
    shared: Shared,
  },
  keyOr('attach_fields_unknown', 'attach_fields_unknown'),
);
export type AttachMedia = z.output<typeof AttachMedia>;

/** The handlers parse the forms themselves. These schemas only document them. */
const file = (description: string) => z.string().meta({ format: 'binary', description });
const formGroupId = z.string().meta(editable);

export const ThumbnailForm = z.object({
  thumbnail: file('JPEG or PNG, at most 2 MB and at least 640x360 pixels.'),
  postGroupId: formGroupId,
});
export const CoverForm = z.object({
  cover: file('JPEG, PNG or WebP, at most 8 MB. Stored as JPEG; transparent parts become white.'),
  postGroupId: formGroupId,
});
export const VideoForm = z.object({
  postGroupId: formGroupId,
  sessionId: z
    .uuid()
    .optional()
    .describe(
      'An id that you choose, to follow the upload with `processing-progress` from the start. Send it before the file.',
    ),
  video: file('MP4, MOV, AVI, MKV or WebM, at most 512 MB.'),
});

const image = z
  .object({ mediaId: z.string(), url: z.string() })
  .meta({ id: 'UploadedImage', description: 'An image to use in `platformSettings` with `update-post`.' });
export const ThumbnailUploaded = z.object({ success, thumbnail: image });
export const CoverUploaded = z.object({ success, cover: image, message: z.string() });
export const VideoProcessed = z.object({
  success,
  sessionId: z.string(),
  mediaId: z.string(),
  url: z.string(),
  ...demoted,
});

export const isSessionId = (text: string) => z.uuid().safeParse(text).success;
export const ProgressPath = z.object({
  sessionId: z.string().refine(isSessionId, 'video_session_invalid').describe('The `sessionId` of the upload: a UUID.'),
});
export const ProgressEvents = z
  .string()
  .describe('Server-sent events: `progress {percent}`, and finally `done {mediaId}` or `error {code}`.');
