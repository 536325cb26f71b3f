import { labelLimits } from './labels.ts';
import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const mediaLimits = {
  fileNameLength: 255,
  fileIdLength: 512,
  altTextLength: 2000,
  /** More than any network accepts. Each change of a post's files reads all of them. */
  filesPerPost: 100,
  /** In all lists of a post's `platformMedia` together. Each edit of the post reads and validates them. */
  listedFiles: 10_000,
  /** Per user. Each upload counts them. */
  filesInLibrary: 10_000,
  /** Of a search for files. */
  searchLength: 200,
  /** For a video uploaded in a single request. */
  videoBytes: 512 * 1_048_576,
  avatarBytes: 2 * 1_048_576,
} as const;

export const mediaProblems = {
  // Checking a file (contract.md#complete-media)
  media_file_id_invalid: { status: 400, error: 'Invalid media file ID', code: 'INVALID_MEDIA_FILE_ID' },
  media_file_not_found: { status: 404, error: 'Media file not found', code: 'MEDIA_FILE_NOT_FOUND' },
  media_type_indeterminate: {
    status: 400,
    error: 'The file is not an image, a video or a PDF in a supported format. Upload another file.',
    code: 'MEDIA_FILE_INDETERMINATE_TYPE',
  },
  probe_failed: {
    status: 400,
    error: 'The file is damaged or cannot be read. Upload another file.',
    code: 'PROBE_FAILED',
  },
  probe_timeout: { status: 400, error: 'Checking the file took too long. Use another file.', code: 'PROBE_TIMEOUT' },
  media_validation_failed: {
    status: 400,
    error: 'The file failed an earlier check. Delete it and upload another file.',
    code: 'MEDIA_VALIDATION_FAILED',
  },
  media_upload_missing: {
    status: 400,
    error: 'Uploaded media is missing from storage. The upload did not complete; remove it and upload the file again.',
    code: 'MEDIA_UPLOAD_MISSING',
  },
  media_file_missing_url: {
    status: 500,
    error: 'The service has no address for the stored file. Delete the media and upload the file again.',
    code: 'MEDIA_FILE_MISSING_URL',
  },
  media_upload_pending: {
    status: 503,
    error: 'The file has not been uploaded yet. Finish the PUT to the upload URL, then try again.',
    code: 'MEDIA_UPLOAD_PENDING',
  },
  probe_busy: {
    status: 503,
    error: 'Too many of your files are being checked at the same time. Try again in a few seconds.',
    code: 'PROBE_BUSY',
  },
  probe_download_failed: {
    status: 503,
    error: 'The service could not read the stored file. Try again in a few seconds.',
    code: 'PROBE_DOWNLOAD_FAILED',
  },
  probe_version_changed: {
    status: 503,
    error: 'The file was replaced while it was being checked. Try again in a few seconds.',
    code: 'PROBE_VERSION_CHANGED',
  },
  probe_version_unverified: {
    status: 503,
    error: 'The service could not verify that the stored file is the one that was checked. Try again in a few seconds.',
    code: 'PROBE_VERSION_UNVERIFIED',
  },
  media_state_persist_failed: {
    status: 503,
    error: 'The file was checked, but the service could not store the result. Try again in a few seconds.',
    code: 'MEDIA_STATE_PERSIST_FAILED',
  },
  media_file_race: {
    status: 409,
    error: 'Another request checked this file at the same time. Read the post to see the result.',
    code: 'MEDIA_FILE_RACE',
  },
  media_complete_failed: { status: 500, error: 'Failed to complete media upload' },

  // Scheduling a post with files (media/readiness.ts adds fields)
  schedule_media_missing: {
    status: 400,
    error: 'Uploaded media is missing from storage. The upload did not complete; remove it and upload the file again.',
    code: 'MEDIA_UPLOAD_MISSING',
  },
  schedule_media_invalid: { status: 400, error: 'A media file cannot be published', code: 'MEDIA_VALIDATION_FAILED' },
  schedule_media_reference: {
    status: 400,
    error: 'The post lists a media file that no longer exists.',
    code: 'MEDIA_REFERENCE_MISSING',
  },
  schedule_upload_pending: {
    status: 503,
    error: 'Media upload is still pending. The post was not scheduled; finish the upload and retry scheduling.',
    code: 'MEDIA_UPLOAD_PENDING',
  },
  schedule_media_pending: {
    status: 503,
    error: 'Media is still being checked. The post was not scheduled; retry scheduling shortly.',
    code: 'MEDIA_VALIDATION_PENDING',
  },

  // Files of a post (contract.md#get-upload-url, contract.md#delete-media)
  upload_fields_missing: { status: 400, error: 'fileName, contentType, and postGroupId are required' },
  upload_name_too_long: { status: 400, error: `fileName must be at most ${mediaLimits.fileNameLength} characters` },
  upload_type_refused: { status: 400, error: 'Only video, image, and PDF files are allowed' },
  upload_media_type_invalid: { status: 400, error: 'type must be one of: image, video, document' },
  upload_group_id_invalid: { status: 400, error: 'Invalid postGroupId' },
  upload_group_id_missing: { status: 400, error: 'postGroupId is required' },
  upload_name_and_type_missing: { status: 400, error: 'fileName and contentType are required' },
  upload_url_failed: { status: 500, error: 'Failed to create upload URL' },
  media_id_invalid: { status: 400, error: 'Invalid mediaId' },
  media_not_found: { status: 404, error: 'Media file not found' },
  alt_text_invalid: {
    status: 400,
    error: `altText must be a string of at most ${mediaLimits.altTextLength} characters, or null`,
  },
  media_shared_invalid: { status: 400, error: 'shared must be true or false', field: 'shared' },
  media_shared_without_post: {
    status: 400,
    error: 'The file belongs to no post. Send shared with the request that attaches it to one.',
    field: 'shared',
  },
  platform_media_invalid: {
    status: 400,
    error: `platformMedia must be an object with null, or a list of up to ${mediaLimits.filesPerPost} different media ids, for each connection id`,
    code: 'INVALID_PLATFORM_MEDIA',
    field: 'platformMedia',
  },
  platform_media_too_many: {
    status: 400,
    error: `The lists of a post in platformMedia can have at most ${mediaLimits.listedFiles} files together`,
    code: 'INVALID_PLATFORM_MEDIA',
    field: 'platformMedia',
  },
  platform_media_unknown: {
    status: 400,
    error: 'platformMedia names a connection that is not in platforms',
    code: 'INVALID_PLATFORM_MEDIA',
    field: 'platformMedia',
  },
  platform_media_file_unknown: {
    status: 400,
    error: 'platformMedia names a file that is not a file of this post',
    code: 'INVALID_PLATFORM_MEDIA',
    field: 'platformMedia',
  },
  media_update_failed: { status: 500, error: 'Failed to update media' },
  media_name_invalid: {
    status: 400,
    error: `fileName must be a text of 1 to ${mediaLimits.fileNameLength} characters`,
  },
  media_labels_too_many: {
    status: 400,
    error: `A file can have at most ${labelLimits.perPost} labels`,
    code: 'INVALID_LABELS',
    field: 'labels',
  },
  media_search_invalid: { status: 400, error: `q must have at most ${mediaLimits.searchLength} characters` },
  media_list_type_invalid: { status: 400, error: 'type must be one of: image, video, document' },
  media_list_failed: { status: 500, error: 'Failed to list media' },
  media_delete_failed: { status: 500, error: 'Failed to delete media' },
  media_not_editable: {
    status: 400,
    error: 'Cannot change media: post is currently in published status',
    code: 'POST_NOT_EDITABLE',
  },
  media_too_many: {
    status: 400,
    error: `A post can have at most ${mediaLimits.filesPerPost} files. Delete one of its files first.`,
    code: 'TOO_MANY_MEDIA_FILES',
  },
  library_limit_reached: {
    status: 403,
    error: `The library can have at most ${mediaLimits.filesInLibrary} files. Delete files that you no longer need.`,
    code: 'LIBRARY_LIMIT_REACHED',
  },
  media_ids_invalid: { status: 400, error: `mediaIds must list 1 to ${mediaLimits.filesPerPost} files` },
  media_not_ready: {
    status: 400,
    error: 'Only a file that was uploaded and checked can be attached. Call complete-media first.',
    code: 'MEDIA_NOT_READY',
  },
  library_attach_failed: { status: 500, error: 'Failed to attach media' },
  media_publish_started: {
    status: 409,
    error: 'Publishing has already started; media cannot be changed. Duplicate the post to recover its content.',
    code: 'POST_PUBLISH_IN_PROGRESS',
  },
  media_reference_not_found: { status: 404, error: 'Media reference not found', code: 'MEDIA_REFERENCE_NOT_FOUND' },
  media_reference_valid: {
    status: 409,
    error: 'The media file exists. Remove it with DELETE /media/{mediaId}.',
    code: 'MEDIA_REFERENCE_VALID',
  },
  media_prune_failed: { status: 500, error: 'Failed to remove the media reference' },
  media_order_invalid: { status: 400, error: 'mediaIds must list every media file of the post once' },
  media_reorder_failed: { status: 500, error: 'Failed to reorder media' },

  // Files in forms (contract.md#upload-youtube-thumbnail, contract.md#process-video)
  form_required: { status: 415, error: 'Send the body as multipart/form-data' },
  form_invalid: { status: 400, error: 'The body is not valid multipart/form-data' },
  upload_broken_off: { status: 400, error: 'The upload ended before the file was complete. Send it again.' },
  no_room: {
    status: 507,
    error: 'The service has no storage space left for this file. Contact its operator.',
    code: 'NO_ROOM',
  },
  storage_unavailable: {
    status: 503,
    error: 'The service cannot reach its file storage. Try again in a few seconds.',
    code: 'STORAGE_UNAVAILABLE',
  },
  thumbnail_missing: { status: 400, error: 'thumbnail file is required' },
  thumbnail_type_refused: { status: 400, error: 'YouTube thumbnails must be JPEG or PNG images' },
  thumbnail_too_large: { status: 400, error: 'YouTube thumbnails must be 2 MB or smaller' },
  thumbnail_too_small: { status: 400, error: 'YouTube thumbnails must be at least 640x360 pixels' },
  thumbnail_not_editable: { status: 400, error: 'Cannot upload YouTube thumbnail for a non-editable post' },
  thumbnail_publish_started: {
    status: 409,
    error: 'Post group is currently being published; cannot upload YouTube thumbnail. Retry once publishing completes.',
  },
  thumbnail_upload_failed: { status: 500, error: 'Failed to upload YouTube thumbnail' },
  cover_missing: { status: 400, error: 'cover file is required' },
  cover_type_refused: { status: 400, error: 'Instagram covers must be JPEG, PNG, or WebP images' },
  cover_too_large: { status: 400, error: 'Instagram covers must be 8 MB or smaller' },
  cover_too_large_as_jpeg: {
    status: 400,
    error: 'Instagram cover exceeds 8 MB after JPEG conversion; use a smaller image',
  },
  cover_not_editable: { status: 400, error: 'Cannot upload Instagram cover for a non-editable post' },
  cover_publish_started: {
    status: 409,
    error: 'Post group is currently being published; cannot upload Instagram cover. Retry once publishing completes.',
  },
  cover_upload_failed: { status: 500, error: 'Failed to upload Instagram cover' },
  video_missing: { status: 400, error: 'No video file uploaded' },
  video_format_refused: { status: 400, error: 'Unsupported video format. Allowed: MP4, MOV, AVI, MKV, WebM' },
  video_too_large: { status: 413, error: `Video must be ${mediaLimits.videoBytes / 1_048_576} MB or smaller` },
  video_uploads_busy: {
    status: 429,
    error: 'Two of your videos are already being uploaded. Send this one when one of them is done.',
  },
  video_session_invalid: { status: 400, error: 'sessionId must be a UUID' },
  video_process_failed: { status: 500, error: 'Failed to process video' },
  progress_failed: { status: 500, error: 'Failed to read processing progress' },

  // Files by reference (contract.md#attach-media)
  attach_fields_unknown: {
    status: 400,
    error: 'Only file and fileName are accepted; attaching media leaves the post in draft',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_file_invalid: {
    status: 400,
    error: 'file must be a file object with download_url and file_id, not a local path or base64 string',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_file_fields_unknown: {
    status: 400,
    error: 'file only accepts download_url, file_id, mime_type and file_name',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_url_missing: {
    status: 400,
    error: 'file.download_url must be a non-empty string',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_url_refused: {
    status: 400,
    error: 'file.download_url must be a public https URL',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_file_id_invalid: {
    status: 400,
    error: `file.file_id must be a non-empty string of at most ${mediaLimits.fileIdLength} characters`,
    code: 'INVALID_MEDIA_FILE',
  },
  attach_mime_type_invalid: { status: 400, error: 'file.mime_type must be a string', code: 'INVALID_MEDIA_FILE' },
  attach_file_name_invalid: { status: 400, error: 'file.file_name must be a string', code: 'INVALID_MEDIA_FILE' },
  attach_name_invalid: {
    status: 400,
    error: `fileName must be a non-empty string of at most ${mediaLimits.fileNameLength} characters`,
    code: 'INVALID_MEDIA_FILE',
  },
  attach_name_unusable: {
    status: 400,
    error: 'fileName must contain a valid file name',
    code: 'INVALID_MEDIA_FILE',
  },
} as const satisfies ProblemEntries;
