/**
 * Every error the API can answer, in one table: key -> status, text, code. A zod schema names a key as its message,
 * a use-case throws `new Problem(key)`, and the OpenAPI document lists them. Texts and codes are the contract's.
 */
export const problems = {
  // Common (contract section 5)
  api_key_required: { status: 401, error: 'API key is required' },
  invalid_api_key: { status: 401, error: 'Invalid API key' },
  invalid_api_key_owner: { status: 401, error: 'Invalid API key owner' },
  api_access_disabled: { status: 403, error: 'API access is not enabled for this account' },
  mcp_access_disabled: { status: 403, error: 'MCP access is not enabled for this account' },
  invalid_service_user_id: { status: 400, error: 'Invalid x-service-user-id' },
  user_not_managed: { status: 403, error: 'User is not managed by key' },
  workspace_disabled: { status: 403, error: 'Workspace access is not enabled for this key' },
  internal: { status: 500, error: 'Internal server error' },

  // Requests
  invalid_request: { status: 400, error: 'Invalid request' },
  invalid_json: { status: 400, error: 'The body is not valid JSON' },
  body_too_large: { status: 413, error: 'The body is larger than 1 MB' },
  unsupported_media_type: { status: 415, error: 'Send the body as application/json' },
  too_many_requests: { status: 429, error: 'Too many attempts. Wait a little, then try again.' },

  // Idempotency (contract sections 4.1, 7)
  idempotency_key_invalid: { status: 400, error: 'Idempotency-Key must have at most 255 characters' },
  idempotency_in_flight: {
    status: 409,
    error: 'A request with this idempotency key is still in flight',
    code: 'IDEMPOTENCY_IN_FLIGHT',
  },
  idempotency_superseded: {
    status: 409,
    error: 'Idempotency claim was superseded by another request',
    code: 'IDEMPOTENCY_IN_FLIGHT',
  },
  idempotency_conflict: {
    status: 422,
    error: 'Idempotency key was already used with a different request body',
    code: 'IDEMPOTENCY_KEY_CONFLICT',
  },
  idempotency_too_complex: {
    status: 400,
    error: 'Idempotency-Key request body is too deeply nested',
    code: 'IDEMPOTENCY_BODY_TOO_COMPLEX',
  },

  // Dashboard session and API keys (contract 4.12)
  session_required: { status: 401, error: 'Sign in to continue' },
  account_on_hold: {
    status: 403,
    error: 'Account on hold',
    message: 'Your account is temporarily on hold. Please contact support.',
  },
  origin_not_allowed: { status: 403, error: 'Requests from this origin are not allowed' },
  invalid_credentials: { status: 401, error: 'Invalid email or password' },
  email_taken: { status: 409, error: 'An account with this email already exists' },
  invalid_email: { status: 400, error: 'Invalid email' },
  invalid_password: { status: 400, error: 'Password must have 8 to 128 characters' },
  password_required: { status: 400, error: 'Password is required' },
  invalid_user_name: { status: 400, error: 'Name must be a string with maximum 100 characters' },
  plan_without_api: { status: 403, error: 'Your current plan does not include API access' },
  user_not_found: { status: 404, error: 'User not found' },
  api_key_limit: { status: 400, error: 'Maximum of 10 active API keys allowed' },
  api_key_not_found: { status: 404, error: 'API key not found' },
  api_key_id_invalid: { status: 400, error: 'Invalid key ID format' },
  api_key_name_invalid: { status: 400, error: 'Name must be a string with maximum 100 characters' },
  api_key_name_required: { status: 400, error: 'Name is required' },
  api_key_name_too_long: { status: 400, error: 'Name must be maximum 100 characters' },

  // Workspace
  display_name_invalid: { status: 400, error: 'Display name must be a string with maximum 100 characters' },
  workspace_email_required: { status: 400, error: 'Email is required' },
  workspace_email_invalid: { status: 400, error: 'Invalid email', code: 'invalid_email' },
  email_exists: { status: 409, error: 'User with this email already exists', code: 'email_exists' },
  attach_identifier_missing: { status: 400, error: 'Email or userId is required', code: 'missing_identifier' },
  attach_user_id_invalid: { status: 400, error: 'Invalid userId', code: 'invalid_user_id' },
  attach_identifier_mismatch: {
    status: 400,
    error: 'Email and userId refer to different users',
    code: 'identifier_mismatch',
  },
  attach_self: { status: 400, error: 'Cannot attach your own account', code: 'cannot_attach_self' },
  attach_consent_required: {
    status: 403,
    error: 'Target user consent token is required',
    code: 'attach_consent_required',
  },
  attach_consent_invalid: {
    status: 403,
    error: 'Target user consent token is invalid',
    code: 'invalid_attach_consent',
  },
  attach_consent_mismatch: {
    status: 403,
    error: 'Consent token belongs to another user',
    code: 'attach_consent_mismatch',
  },
  attach_user_not_found: { status: 404, error: 'User not found', code: 'user_not_found' },
  attach_user_inactive: { status: 409, error: 'User is inactive', code: 'user_inactive' },
  attach_workspace_owner: { status: 409, error: 'User is a workspace owner', code: 'user_is_workspace_owner' },
  attach_other_workspace: {
    status: 409,
    error: 'User belongs to another workspace',
    code: 'user_in_another_workspace',
  },
  attach_active_subscription: {
    status: 409,
    error: 'Cannot attach a user with an active subscription',
    code: 'user_has_active_subscription',
  },
  managed_user_id_invalid: { status: 400, error: 'Invalid userId' },
  managed_user_not_found: { status: 404, error: 'User not found or not managed by this key' },
  owner_without_api: { status: 403, error: 'API access is not enabled for this workspace owner' },
  link_days_invalid: { status: 400, error: 'expiresInDays must be a positive number' },
  link_rotate_invalid: { status: 400, error: 'rotate must be true or false' },

  // Posts (contract 4.1, 4.3, 4.4)
  content_required: { status: 400, error: 'Content is required' },
  content_over_cap: { status: 400, error: 'Content must have at most 300000 characters' },
  content_not_string: { status: 400, error: 'Content must be a string', code: 'INVALID_CONTENT', field: 'content' },
  platforms_missing: { status: 400, error: 'Platforms are required' },
  platforms_not_array: { status: 400, error: 'Platforms must be an array' },
  platforms_not_json: { status: 400, error: 'Invalid platforms JSON format' },
  platforms_empty: { status: 400, error: 'At least one platform is required' },
  platforms_duplicate: { status: 400, error: 'Platforms must not contain duplicates' },
  platform_id_invalid: { status: 400, error: 'Invalid platform ID format' },
  platform_connection_invalid: {
    status: 400,
    error: 'Invalid platform connection(s)',
    code: 'INVALID_PLATFORM_CONNECTION',
  },
  scheduled_time_invalid: { status: 400, error: 'Invalid scheduled time format' },
  scheduled_time_past: { status: 400, error: 'Scheduled time is in the past', code: 'SCHEDULED_TIME_IN_PAST' },
  publish_now_invalid: { status: 400, error: 'publishNow must be true or false', code: 'INVALID_PUBLISH_NOW' },
  publish_now_conflict: {
    status: 400,
    error: 'publishNow cannot be combined with a future scheduledTime or with status draft',
    code: 'PUBLISH_NOW_CONFLICT',
  },
  status_invalid: { status: 400, error: "Status must be either 'draft' or 'scheduled'" },
  platform_setting_unknown: {
    status: 400,
    error: 'Unknown platformSettings path',
    code: 'PLATFORM_SETTING_UNKNOWN',
  },
  media_urls_not_array: { status: 400, error: 'mediaUrls must be an array of public https URLs' },
  media_urls_empty: { status: 400, error: 'mediaUrls must contain at least one URL when provided' },
  media_urls_entry_invalid: { status: 400, error: 'Every mediaUrls entry must be a non-empty string' },
  media_urls_too_many: { status: 400, error: 'mediaUrls supports at most 10 URLs per request' },
  media_ingestion_failed: { status: 400, error: 'Media ingestion failed' },
  media_url_rate_limited: {
    status: 429,
    error:
      'Media URL ingestion rate limit reached (60 URLs/hour). Retry later or use the presigned get-upload-url flow.',
    code: 'MEDIA_URL_RATE_LIMITED',
  },
  text_invalid: { status: 400, error: 'Text must be valid Unicode without null characters' },
  update_empty: {
    status: 400,
    error: 'At least one of status, scheduledTime, content, platforms, platformSettings, or mediaUrls must be provided',
  },
  update_platforms_not_array: {
    status: 400,
    error: 'Platforms must be an array',
    code: 'INVALID_PLATFORMS',
    field: 'platforms',
  },
  update_platforms_not_json: {
    status: 400,
    error: 'Invalid platforms JSON format',
    code: 'INVALID_PLATFORMS',
    field: 'platforms',
  },
  update_platform_id_invalid: {
    status: 400,
    error: 'Invalid platform ID format',
    code: 'INVALID_PLATFORMS',
    field: 'platforms',
  },
  update_platforms_duplicate: {
    status: 400,
    error: 'Platforms must not contain duplicates',
    code: 'INVALID_PLATFORMS',
    field: 'platforms',
  },
  platforms_required: {
    status: 400,
    error: 'PLATFORMS_REQUIRED',
    code: 'PLATFORMS_REQUIRED',
    message: 'At least one platform is required to schedule a post. Add a platform or keep the post as a draft.',
  },
  post_not_editable: {
    status: 400,
    error: 'Cannot update post: post is currently in published status',
    code: 'POST_NOT_EDITABLE',
  },
  post_publish_started: {
    status: 409,
    error: 'Post publishing has already started; the post can no longer be edited.',
    code: 'POST_PUBLISH_IN_PROGRESS',
  },
  post_publish_in_progress: {
    status: 409,
    error: 'A target is being published right now; retrying this edit could publish stale or duplicate content.',
    code: 'POST_PUBLISH_IN_PROGRESS',
  },
  post_group_version_conflict: {
    status: 409,
    error: 'Post group state changed concurrently; please retry.',
    code: 'POST_GROUP_VERSION_CONFLICT',
  },
  validation_failed: { status: 400, error: 'Validation failed' },
  thread_permission_unavailable: {
    status: 503,
    error: 'Unable to check Threads permissions. Please try scheduling again shortly.',
    code: 'THREADS_PERMISSIONS_UNAVAILABLE',
  },
  list_status_invalid: {
    status: 400,
    error: 'Invalid status. Must be one of: draft, scheduled, published, failed, partially_published',
  },
  list_sort_invalid: {
    status: 400,
    error: 'Invalid sortBy. Must be one of: createdAt, updatedAt, scheduledTime',
  },
  from_date_invalid: { status: 400, error: 'Invalid fromDate format' },
  to_date_invalid: { status: 400, error: 'Invalid toDate format' },
  list_failed: { status: 500, error: 'Failed to list posts' },
  post_logs_failed: { status: 500, error: 'Failed to get post logs' },
  post_update_failed: { status: 500, error: 'Failed to update post' },
  validate_failed: { status: 500, error: 'Failed to validate post' },
  post_create_failed: { status: 500, error: 'Failed to create post group' },
  post_delete_failed: { status: 500, error: 'Failed to delete post group' },
  post_group_not_found: { status: 404, error: 'Post group not found' },
  post_group_id_invalid: { status: 400, error: 'Invalid post group ID' },
  post_group_unreadable: { status: 500, error: 'Failed to fetch post group' },

  // Plans and quotas (contract 4.9, 7; further fields: accounts/quotas.ts)
  post_limit_reached: { status: 403, error: 'Post limit reached', code: 'POST_LIMIT_REACHED' },
  scheduled_post_limit_reached: {
    status: 403,
    error: 'Scheduled post limit reached',
    code: 'SCHEDULED_POST_LIMIT_REACHED',
  },
  schedule_horizon_reached: { status: 403, error: 'Schedule horizon reached', code: 'SCHEDULE_HORIZON_REACHED' },
  platform_not_available: { status: 403, error: 'Platform not available', code: 'PLATFORM_NOT_AVAILABLE' },
  connections_over_limit: { status: 403, error: 'Account over channel limit', code: 'CONNECTIONS_OVER_LIMIT' },
  channel_limit_reached: { status: 403, error: 'Channel limit reached', code: 'CHANNEL_LIMIT_REACHED' },
  quota_time_invalid: {
    status: 400,
    error: 'scheduledTime must be a valid ISO date-time',
    code: 'INVALID_SCHEDULED_TIME',
  },
  account_context_unreadable: { status: 500, error: 'Failed to read account context' },

  // First comments (contract 2.2, 7)
  first_comments_both: {
    status: 400,
    error: 'Send either firstComment or firstComments, not both',
    code: 'FIRST_COMMENT_INVALID',
  },
  first_comments_too_many: {
    status: 400,
    error: 'firstComments supports at most 3 comments',
    code: 'FIRST_COMMENT_INVALID',
  },
  first_comment_invalid: {
    status: 400,
    error: 'firstComment must be an object { text, platforms? }',
    code: 'FIRST_COMMENT_INVALID',
  },
  first_comment_platform_unknown: {
    status: 400,
    error: 'Unknown first comment platform',
    code: 'FIRST_COMMENT_PLATFORM_UNKNOWN',
  },
  first_comment_too_long: { status: 400, error: 'First comment is too long', code: 'FIRST_COMMENT_TOO_LONG' },

  // Media files (contract 4.6, 7)
  media_file_id_invalid: { status: 400, error: 'Invalid media file ID', code: 'INVALID_MEDIA_FILE_ID' },
  media_file_not_found: { status: 404, error: 'Media file not found', code: 'MEDIA_FILE_NOT_FOUND' },
  media_type_indeterminate: {
    status: 400,
    error: 'The file is no image, video or PDF that we know.',
    code: 'MEDIA_FILE_INDETERMINATE_TYPE',
  },
  probe_failed: { status: 400, error: 'The file is damaged or cannot be read.', code: 'PROBE_FAILED' },
  probe_timeout: { status: 400, error: 'Checking the file took too long.', code: 'PROBE_TIMEOUT' },
  media_validation_failed: {
    status: 400,
    error: 'This file was refused. Delete it and upload another.',
    code: 'MEDIA_VALIDATION_FAILED',
  },
  media_upload_missing: {
    status: 400,
    error: 'Uploaded media is missing from storage. The upload did not complete; remove it and upload the file again.',
    code: 'MEDIA_UPLOAD_MISSING',
  },
  media_file_missing_url: {
    status: 500,
    error: 'The media record names no stored file',
    code: 'MEDIA_FILE_MISSING_URL',
  },
  media_upload_pending: {
    status: 503,
    error: 'The upload has not arrived yet. Finish the PUT to the upload address, then try again.',
    code: 'MEDIA_UPLOAD_PENDING',
  },
  probe_busy: { status: 503, error: 'Too many files are being checked. Try again shortly.', code: 'PROBE_BUSY' },
  probe_download_failed: {
    status: 503,
    error: 'The stored file could not be read just now. Try again shortly.',
    code: 'PROBE_DOWNLOAD_FAILED',
  },
  probe_version_changed: {
    status: 503,
    error: 'The file was replaced while it was being checked. Try again shortly.',
    code: 'PROBE_VERSION_CHANGED',
  },
  probe_version_unverified: {
    status: 503,
    error: 'Whether the file is still the one that was checked could not be verified. Try again shortly.',
    code: 'PROBE_VERSION_UNVERIFIED',
  },
  media_state_persist_failed: {
    status: 503,
    error: 'The file was checked, but the result could not be stored. Try again shortly.',
    code: 'MEDIA_STATE_PERSIST_FAILED',
  },
  media_file_race: {
    status: 409,
    error: 'Another request settled this file at the same time. Read the post and go on from there.',
    code: 'MEDIA_FILE_RACE',
  },
  media_complete_failed: { status: 500, error: 'Failed to complete media upload' },

  // Media when a post is scheduled (further fields: media/readiness.ts)
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

  // Media of a post (contract 4.6)
  upload_fields_missing: { status: 400, error: 'fileName, contentType, and postGroupId are required' },
  upload_type_refused: { status: 400, error: 'Only video, image, and PDF files are allowed' },
  upload_media_type_invalid: { status: 400, error: 'type must be one of: image, video, document' },
  upload_group_id_invalid: { status: 400, error: 'Invalid postGroupId' },
  upload_group_id_missing: { status: 400, error: 'postGroupId is required' },
  upload_name_and_type_missing: { status: 400, error: 'fileName and contentType are required' },
  upload_url_failed: { status: 500, error: 'Failed to create upload URL' },
  media_id_invalid: { status: 400, error: 'Invalid mediaId' },
  media_not_found: { status: 404, error: 'Media file not found' },
  media_delete_failed: { status: 500, error: 'Failed to delete media' },
  media_not_editable: {
    status: 400,
    error: 'Cannot change media: post is currently in published status',
    code: 'POST_NOT_EDITABLE',
  },
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

  // Files in forms (contract 4.6)
  form_required: { status: 415, error: 'Send the body as multipart/form-data' },
  form_invalid: { status: 400, error: 'The body is not valid multipart/form-data' },
  upload_broken_off: { status: 400, error: 'The upload broke off before its end. Send it again.' },
  no_room: { status: 507, error: 'There is no room left for this file' },
  storage_unavailable: { status: 503, error: 'The file could not be stored just now. Try again shortly.' },
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
  video_too_large: { status: 413, error: 'Video must be 512 MB or smaller' },
  video_session_invalid: { status: 400, error: 'sessionId must be a UUID' },
  video_process_failed: { status: 500, error: 'Failed to process video' },
  progress_failed: { status: 500, error: 'Failed to read processing progress' },

  // Files by reference (contract 4.6, attach-media)
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
    error: 'file.file_id must be a non-empty string of at most 512 characters',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_mime_type_invalid: { status: 400, error: 'file.mime_type must be a string', code: 'INVALID_MEDIA_FILE' },
  attach_file_name_invalid: { status: 400, error: 'file.file_name must be a string', code: 'INVALID_MEDIA_FILE' },
  attach_name_invalid: {
    status: 400,
    error: 'fileName must be a non-empty string of at most 255 characters',
    code: 'INVALID_MEDIA_FILE',
  },
  attach_name_unusable: {
    status: 400,
    error: 'fileName must contain a valid file name',
    code: 'INVALID_MEDIA_FILE',
  },

  // Connections (contract 4.7, 4.8) and connecting
  connections_unreadable: { status: 500, error: 'Failed to fetch platform connections' },
  platform_id_unreadable: { status: 400, error: 'Invalid platformId format' },
  connection_not_found: { status: 404, error: 'Connection not found' },
  connection_test_failed: { status: 500, error: 'Failed to test connection' },
  connect_platform_unknown: { status: 404, error: 'Unknown platform' },
  connect_fields_invalid: { status: 400, error: 'Check the fields of the form', code: 'CONNECT_FIELDS_INVALID' },
  connect_not_set_up: {
    status: 503,
    error: 'This service has no application for that platform. Ask its operator to set one up.',
    code: 'CONNECT_NOT_SET_UP',
  },
  connect_refused: { status: 400, error: 'The network did not let us in', code: 'CONNECT_REFUSED' },
  connect_unavailable: {
    status: 503,
    error: 'The network could not be reached. Try again in a few minutes.',
    code: 'CONNECT_UNAVAILABLE',
  },
  connect_cancelled: {
    status: 400,
    error: 'The connection was cancelled on the consent page. Nothing was connected.',
    code: 'CONNECT_CANCELLED',
  },
  connect_state_invalid: {
    status: 400,
    error: 'This way back was used before, is too old, or belongs to another session. Start connecting again.',
    code: 'CONNECT_STATE_INVALID',
  },
  connect_nothing_found: {
    status: 400,
    error: 'There is no account behind this sign-in that can be posted to.',
    code: 'CONNECT_NOTHING_FOUND',
  },
  connect_choice_not_found: {
    status: 404,
    error: 'There is no such choice, or it is too old. Start connecting again.',
    code: 'CONNECT_CHOICE_NOT_FOUND',
  },
  connect_choice_invalid: {
    status: 400,
    error: 'Choose one or more of the accounts offered',
    code: 'CONNECT_CHOICE_INVALID',
  },
  connect_failed: { status: 500, error: 'Failed to connect the account' },
  disconnect_failed: { status: 500, error: 'Failed to disconnect the account' },

  // Webhooks
  webhook_fields_missing: { status: 400, error: 'Name, URL, and at least one event are required' },
  webhook_url_invalid: { status: 400, error: 'Invalid URL format' },
  webhook_events_invalid: { status: 400, error: 'Invalid events' },
  webhook_url_not_https: { status: 400, error: 'URL must use HTTPS' },
  webhook_url_localhost: { status: 400, error: 'Localhost URLs are not allowed' },
  webhook_url_private: { status: 400, error: 'Private IP addresses are not allowed' },
  webhook_url_link_local: { status: 400, error: 'Link-local addresses are not allowed' },
  webhook_url_metadata: { status: 400, error: 'Cloud metadata endpoints are not allowed' },
  webhook_limit: { status: 400, error: 'Maximum of 10 webhooks per user' },
  webhook_not_found: { status: 404, error: 'Webhook not found' },
  webhook_inactive: { status: 409, error: 'The webhook is switched off. Switch it on first.' },
  delivery_not_found: { status: 404, error: 'Delivery not found' },
  webhook_list_failed: { status: 500, error: 'Failed to list webhooks' },
  webhook_create_failed: { status: 500, error: 'Failed to create webhook' },
  webhook_update_failed: { status: 500, error: 'Failed to update webhook' },
  webhook_delete_failed: { status: 500, error: 'Failed to delete webhook' },
  webhook_secret_failed: { status: 500, error: 'Failed to regenerate secret' },
  webhook_deliveries_failed: { status: 500, error: 'Failed to list deliveries' },
  webhook_test_failed: { status: 500, error: 'Failed to send' },

  // Statistics of Mastodon and Bluesky (contract, part 2: 4.11, 4.12)
  statistics_posts_required: { status: 400, error: 'posts array is required' },
  statistics_posts_too_many: { status: 400, error: 'Maximum 50 posts per request' },
  statistics_post_invalid: { status: 400, error: 'Each post must have string platform, platformId and postedId' },
  statistics_account_required: { status: 400, error: 'platform and platformId are required' },
  statistics_text_too_long: {
    status: 400,
    error: 'platform, platformId and postedId must be at most 512 characters long',
  },
  statistics_platform_unsupported: { status: 400, error: 'Unsupported platform' },
  statistics_connection_not_found: { status: 404, error: 'Connection not found' },
  analytics_plan_required: {
    status: 403,
    error: 'Analytics requires a Pro or Premium plan',
    code: 'ANALYTICS_PLAN_REQUIRED',
  },
  analytics_timeout: { status: 504, error: 'Analytics request timed out', code: 'ANALYTICS_REQUEST_TIMEOUT' },
  post_statistics_failed: { status: 500, error: 'Failed to fetch post statistics' },
  profile_statistics_failed: { status: 500, error: 'Failed to fetch profile statistics' },

  // LinkedIn: interactions (contract 4.2 to 4.6) and statistics (4.7 to 4.10)
  linkedin_platform_id_not_string: { status: 400, error: 'platformId must be a string' },
  linkedin_platform_id_invalid: { status: 400, error: 'Invalid platformId' },
  linkedin_connection_not_found: { status: 404, error: 'LinkedIn connection not found' },
  linkedin_post_urn_invalid: { status: 400, error: 'postedId must be a valid LinkedIn URN' },
  linkedin_mention_unrenderable: {
    status: 400,
    error:
      'LinkedIn cannot render mentions that use web-profile ids (urn:li:person:ACoAA…). Use the native member id LinkedIn returns to Service, such as those of GET /linkedin-mentionables.',
  },
  linkedin_token_expired: {
    status: 401,
    error: 'LINKEDIN_TOKEN_EXPIRED',
    message: 'LinkedIn no longer accepts the credentials of this connection. Connect the account again.',
  },
  linkedin_rate_limited: {
    status: 429,
    error: 'LINKEDIN_RATE_LIMITED',
    message: 'The quota for this at LinkedIn is used up. Try again after `retryAfter` seconds.',
  },
  linkedin_request_timeout: {
    status: 504,
    error: 'LINKEDIN_REQUEST_TIMEOUT',
    message: 'LinkedIn did not answer in time. It may have done what was asked: look before you ask again.',
  },
  linkedin_comment_fields_missing: { status: 400, error: 'postedId, message, and platformId are required' },
  linkedin_message_not_string: { status: 400, error: 'message must be a string' },
  linkedin_image_url_not_string: { status: 400, error: 'imageUrl must be a string' },
  linkedin_message_empty: { status: 400, error: 'message cannot be empty without imageUrl' },
  linkedin_message_too_long: { status: 400, error: 'comment text cannot exceed 10000 characters' },
  linkedin_comment_too_long: {
    status: 400,
    error: 'comment text cannot exceed 1250 characters after mention processing',
  },
  linkedin_parent_comment_invalid: { status: 400, error: 'parentComment must be a valid LinkedIn URN' },
  linkedin_image_url_refused: { status: 400, error: 'imageUrl must be a public https URL' },
  linkedin_image_not_fetched: { status: 400, error: 'imageUrl could not be fetched' },
  linkedin_image_type_refused: { status: 400, error: 'imageUrl must lead to a JPEG, PNG or GIF image' },
  linkedin_image_too_large: { status: 400, error: 'The image at imageUrl must be 10 MB or smaller' },
  linkedin_image_too_many_pixels: {
    status: 400,
    error: 'The image at imageUrl must have fewer than 36152320 pixels',
  },
  linkedin_image_too_many_frames: { status: 400, error: 'A GIF at imageUrl can have at most 250 frames' },
  linkedin_comment_failed: { status: 500, error: 'Failed to create LinkedIn comment' },
  linkedin_comment_delete_fields_missing: { status: 400, error: 'postedId, commentId, and platformId are required' },
  linkedin_comment_id_invalid: { status: 400, error: 'commentId must be a valid LinkedIn URN or numeric ID' },
  linkedin_comment_delete_failed: { status: 500, error: 'Failed to delete LinkedIn comment' },
  linkedin_reaction_fields_missing: { status: 400, error: 'postedId, reactionType, and platformId are required' },
  linkedin_reaction_type_invalid: {
    status: 400,
    error: 'reactionType must be one of: LIKE, PRAISE, EMPATHY, INTEREST, APPRECIATION, ENTERTAINMENT',
  },
  linkedin_reaction_exists: {
    status: 409,
    error: 'REACTION_ALREADY_EXISTS',
    message: 'This account has reacted to the post already. Delete that reaction to choose another.',
  },
  linkedin_reaction_failed: { status: 500, error: 'Failed to create LinkedIn reaction' },
  linkedin_reaction_delete_fields_missing: { status: 400, error: 'postedId and platformId are required' },
  linkedin_reaction_delete_failed: { status: 500, error: 'Failed to delete LinkedIn reaction' },
  linkedin_reshare_fields_missing: { status: 400, error: 'platformId and parent are required' },
  linkedin_platform_id_empty: { status: 400, error: 'platformId cannot be empty' },
  linkedin_parent_not_string: { status: 400, error: 'parent must be a string' },
  linkedin_parent_empty: { status: 400, error: 'parent cannot be empty' },
  linkedin_parent_invalid: {
    status: 400,
    error: 'parent must be a valid LinkedIn post URN (urn:li:share:<id> or urn:li:ugcPost:<id>)',
  },
  linkedin_commentary_not_string: { status: 400, error: 'commentary must be a string' },
  linkedin_commentary_too_long: { status: 400, error: 'commentary cannot exceed 3000 characters' },
  linkedin_commentary_too_long_formatted: {
    status: 400,
    error: 'commentary exceeds 3000 characters after mention/text formatting — shorten the text',
  },
  linkedin_visibility_not_string: { status: 400, error: 'visibility must be a string' },
  linkedin_visibility_invalid: { status: 400, error: 'visibility must be one of: PUBLIC, CONNECTIONS' },
  linkedin_visibility_of_page: {
    status: 400,
    error: 'LinkedIn organization reposts cannot use CONNECTIONS visibility; choose PUBLIC',
  },
  linkedin_organization_missing: {
    status: 400,
    error: 'LinkedIn company connection is missing organizationId. Please reconnect the LinkedIn page.',
  },
  linkedin_reshare_failed: { status: 500, error: 'Failed to create LinkedIn reshare' },
  linkedin_platform_id_missing: { status: 400, error: 'platformId is required' },
  linkedin_period_not_string: { status: 400, error: 'period must be a string' },
  linkedin_period_invalid: { status: 400, error: 'Invalid period. Must be one of: lifetime, daily' },
  linkedin_date_range_missing: { status: 400, error: 'dateRange is required for daily period' },
  linkedin_date_range_not_object: { status: 400, error: 'dateRange must be an object' },
  linkedin_date_range_incomplete: { status: 400, error: "dateRange must have both 'start' and 'end' objects" },
  linkedin_date_invalid: { status: 400, error: 'dateRange.start and dateRange.end must have: year, month, day' },
  linkedin_date_range_reversed: { status: 400, error: 'dateRange.start must be before dateRange.end' },
  linkedin_followers_failed: { status: 500, error: 'Failed to fetch LinkedIn followers statistics' },
  linkedin_profile_failed: { status: 500, error: 'Failed to fetch LinkedIn profile summary' },
  linkedin_profile_unreachable: { status: 502, error: 'Failed to fetch LinkedIn profile data' },
  linkedin_post_statistics_fields_missing: { status: 400, error: 'postedId and platformId are required' },
  linkedin_post_statistics_fields_not_strings: { status: 400, error: 'postedId and platformId must be strings' },
  linkedin_query_type_missing: { status: 400, error: 'queryType or queryTypes is required' },
  linkedin_query_type_twice: { status: 400, error: 'Use either queryType or queryTypes, not both' },
  linkedin_query_type_invalid: {
    status: 400,
    error: 'Invalid queryType. Must be one of: IMPRESSION, MEMBERS_REACHED, RESHARE, REACTION, COMMENT',
  },
  linkedin_query_types_invalid: { status: 400, error: 'Invalid queryTypes' },
  linkedin_aggregation_not_string: { status: 400, error: 'aggregation must be a string' },
  linkedin_aggregation_invalid: { status: 400, error: 'Invalid aggregation. Must be one of: DAILY, TOTAL' },
  linkedin_daily_reach: {
    status: 400,
    error: 'MEMBERS_REACHED with DAILY aggregation is not supported by LinkedIn API',
  },
  linkedin_metric_failed: { status: 500, error: 'Failed to fetch metric from LinkedIn' },
  linkedin_post_statistics_failed: { status: 500, error: 'Failed to fetch LinkedIn post statistics' },
  linkedin_account_statistics_failed: { status: 500, error: 'Failed to fetch LinkedIn account statistics' },
  linkedin_mentionables_unavailable: {
    status: 403,
    error: 'The mentionable-people directory is available on paid plans — upgrade to access it',
    code: 'UPGRADE_REQUIRED',
  },
  linkedin_mentionables_failed: { status: 500, error: 'Failed to list mentionable people' },

  // Platform settings (contract 2.4; platform_setting_unknown is above)
  platform_settings_not_json: { status: 400, error: 'Invalid platformSettings JSON' },
  platform_settings_not_object: { status: 400, error: 'platformSettings must be an object' },
  platform_setting_invalid: { status: 400, error: 'Invalid platformSettings value' },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemKey = keyof typeof problems;
export interface ProblemEntry {
  readonly status: number;
  readonly error: string;
  readonly code?: string;
  readonly message?: string;
  readonly field?: string;
}

/**
 * An answer other than success. `details` are further fields of the body; `error` among them replaces the table's text.
 * `ownStatus` is given where a network's own takes the place of the table's.
 */
export class Problem extends Error {
  override name = 'Problem';
  readonly key: ProblemKey;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(key: ProblemKey, details: Readonly<Record<string, unknown>> = {}, ownStatus?: number) {
    const { status, ...body }: ProblemEntry = problems[key];
    super(body.error);
    this.key = key;
    this.status = ownStatus ?? status;
    this.body = { ...body, ...details };
  }
}

export const isProblemKey = (key: string): key is ProblemKey => Object.hasOwn(problems, key);
