import { maxQuery } from '../text/search-words.ts';
import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const postLimits = {
  contentLength: 300_000,
  /** Of the group and of single connections together. About as much as a request can have. */
  textsLength: 1_000_000,
  /** The same, with a text counted once for each connection that gets it. It is stored and returned as often. */
  targetTextsLength: 10_000_000,
  platforms: 1000,
  /** As JSON, with the settings that the post already has. Every edit of the post reads them. */
  settingsLength: 32_768,
  mediaUrls: 10,
  mediaUrlsPerHour: 60,
  firstComments: 3,
  changedPosts: 500,
  importedPosts: 500,
  /** Of a post, for each severity. */
  listedIssues: 1000,
} as const;

export const postProblems = {
  // Fields of create-post, validate-post and update-post (contract.md#create-post, contract.md#update-post)
  content_required: { status: 400, error: 'Content is required' },
  content_over_cap: { status: 400, error: `Content must have at most ${postLimits.contentLength} characters` },
  texts_over_cap: {
    status: 400,
    error: `content and platformContent must have at most ${postLimits.textsLength} characters together`,
  },
  target_texts_over_cap: {
    status: 400,
    error: `The texts for all platforms must have at most ${postLimits.targetTextsLength} characters together. Shorten them, or send the post to fewer platforms.`,
  },
  content_not_string: { status: 400, error: 'Content must be a string', code: 'INVALID_CONTENT', field: 'content' },
  platforms_missing: { status: 400, error: 'Platforms are required' },
  platforms_not_array: { status: 400, error: 'Platforms must be an array' },
  platforms_not_json: { status: 400, error: 'Invalid platforms JSON format' },
  platforms_empty: { status: 400, error: 'At least one platform is required' },
  platforms_too_many: { status: 400, error: `Platforms must have at most ${postLimits.platforms} entries` },
  platforms_duplicate: { status: 400, error: 'Platforms must not contain duplicates' },
  platform_id_invalid: {
    status: 400,
    error: 'Invalid platform ID format',
    code: 'INVALID_PLATFORM_ID',
    field: 'platforms',
  },
  platform_connection_invalid: {
    status: 400,
    error: 'Invalid platform connection(s)',
    code: 'INVALID_PLATFORM_CONNECTION',
  },
  scheduled_time_invalid: { status: 400, error: 'Invalid scheduled time format' },
  scheduled_time_past: { status: 400, error: 'Scheduled time is in the past', code: 'SCHEDULED_TIME_IN_PAST' },
  publish_at_invalid: { status: 400, error: 'publishAt must be next-slot', field: 'publishAt' },
  publish_at_conflict: {
    status: 400,
    error: 'Send either publishAt or scheduledTime, not both',
    field: 'publishAt',
  },
  publish_now_invalid: { status: 400, error: 'publishNow must be true or false', code: 'INVALID_PUBLISH_NOW' },
  publish_now_conflict: {
    status: 400,
    error: 'publishNow cannot be combined with a future scheduledTime or with status draft',
    code: 'PUBLISH_NOW_CONFLICT',
  },
  status_invalid: { status: 400, error: "Status must be either 'draft' or 'scheduled'" },
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
  update_platforms_too_many: {
    status: 400,
    error: `Platforms must have at most ${postLimits.platforms} entries`,
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

  // State of the post group
  post_group_not_found: { status: 404, error: 'Post group not found' },
  post_group_id_invalid: { status: 400, error: 'Invalid post group ID' },
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

  // Validation
  validation_failed: { status: 400, error: 'Validation failed' },
  thread_permission_unavailable: {
    status: 503,
    error: 'Unable to check Threads permissions. Please try scheduling again shortly.',
    code: 'THREADS_PERMISSIONS_UNAVAILABLE',
  },

  // mediaUrls
  media_urls_not_array: { status: 400, error: 'mediaUrls must be an array of public https URLs' },
  media_urls_empty: { status: 400, error: 'mediaUrls must contain at least one URL when provided' },
  media_urls_entry_invalid: { status: 400, error: 'Every mediaUrls entry must be a non-empty string' },
  media_urls_too_many: { status: 400, error: `mediaUrls supports at most ${postLimits.mediaUrls} URLs per request` },
  media_ingestion_failed: { status: 400, error: 'Media ingestion failed' },
  media_url_rate_limited: {
    status: 429,
    error: `Media URL ingestion rate limit reached (${postLimits.mediaUrlsPerHour} URLs/hour). Retry later or use the presigned get-upload-url flow.`,
    code: 'MEDIA_URL_RATE_LIMITED',
  },

  // First comments (contract.md#first-comments)
  first_comments_both: {
    status: 400,
    error: 'Send either firstComment or firstComments, not both',
    code: 'FIRST_COMMENT_INVALID',
  },
  first_comments_too_many: {
    status: 400,
    error: `firstComments supports at most ${postLimits.firstComments} comments`,
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

  // Platform settings (contract.md#platform-settings)
  platform_setting_unknown: {
    status: 400,
    error: 'Unknown platformSettings path',
    code: 'PLATFORM_SETTING_UNKNOWN',
  },
  platform_settings_not_json: { status: 400, error: 'Invalid platformSettings JSON' },
  platform_settings_not_object: { status: 400, error: 'platformSettings must be an object' },
  platform_settings_over_cap: {
    status: 400,
    error: `platformSettings must have at most ${postLimits.settingsLength} characters`,
  },
  platform_content_invalid: {
    status: 400,
    error: 'platformContent must be an object with a text for each connection id',
    field: 'platformContent',
  },
  platform_content_unknown: { status: 400, error: 'platformContent names a connection that is not in platforms' },
  post_version_invalid: { status: 400, error: 'version must be a whole number', field: 'version' },
  platform_setting_invalid: { status: 400, error: 'Invalid platformSettings value' },

  // list-posts (contract.md#list-posts)
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
  list_from_invalid: { status: 400, error: 'Invalid from format', field: 'from' },
  list_to_invalid: { status: 400, error: 'Invalid to format', field: 'to' },
  list_channel_invalid: { status: 400, error: 'channel must be one connection id', field: 'channel' },
  list_search_invalid: { status: 400, error: `q must be a string of at most ${maxQuery} characters`, field: 'q' },
  list_fields_invalid: { status: 400, error: 'Invalid fields. Must be: compact', field: 'fields' },
  list_cursor_invalid: {
    status: 400,
    error: 'Invalid cursor. Use pagination.nextCursor of the same list, with the same sortBy and sortOrder',
    field: 'cursor',
  },
  list_brands_invalid: { status: 400, error: 'Invalid brands. Must be: all', field: 'brands' },

  // retry-post
  retry_not_failed: { status: 409, error: 'No platform post of this post group has failed', code: 'POST_NOT_FAILED' },
  retry_not_possible: {
    status: 409,
    error: 'The same post would fail again for the same reason',
    code: 'POST_NOT_RETRYABLE',
  },
  retry_outcome_unknown: {
    status: 409,
    error: 'The network never responded, so the post may have been published. Crier does not send it again.',
    code: 'PUBLISH_OUTCOME_UNKNOWN',
  },
  retry_disconnected: {
    status: 409,
    error: 'The account of the failed platform post is no longer connected',
    code: 'CONNECTION_GONE',
  },

  // reschedule-posts, delete-posts
  change_ids_invalid: {
    status: 400,
    error: 'postGroupIds must be an array of at least one post group id',
    field: 'postGroupIds',
  },
  change_too_many: {
    status: 400,
    error: `A request can change at most ${postLimits.changedPosts} posts. Send the rest in another request.`,
    field: 'postGroupIds',
  },
  reschedule_minutes_invalid: {
    status: 400,
    error: 'byMinutes must be a whole number of minutes, at most one year',
    field: 'byMinutes',
  },
  reschedule_without_time: { status: 400, error: 'The post has no scheduled time to move' },

  // import
  import_posts_missing: { status: 400, error: 'posts must be an array of at least one post', field: 'posts' },
  import_too_many: {
    status: 400,
    error: `An import can have at most ${postLimits.importedPosts} posts. Send the rest in another import.`,
    field: 'posts',
  },
  import_post_invalid: { status: 400, error: 'A post must be a JSON object' },
  import_key_missing: {
    status: 400,
    error: 'Each imported post needs an idempotencyKey that no other post has',
    field: 'idempotencyKey',
  },
  import_key_repeated: {
    status: 400,
    error: 'An earlier post of this import has the same idempotencyKey',
    field: 'idempotencyKey',
  },

  // Failures of the service
  retry_failed: { status: 500, error: 'Failed to retry post' },
  import_failed: { status: 500, error: 'Failed to import posts' },
  post_create_failed: { status: 500, error: 'Failed to create post group' },
  validate_failed: { status: 500, error: 'Failed to validate post' },
  post_update_failed: { status: 500, error: 'Failed to update post' },
  post_group_unreadable: { status: 500, error: 'Failed to fetch post group' },
  list_failed: { status: 500, error: 'Failed to list posts' },
  post_logs_failed: { status: 500, error: 'Failed to get post logs' },
  post_delete_failed: { status: 500, error: 'Failed to delete post group' },
} as const satisfies ProblemEntries;
