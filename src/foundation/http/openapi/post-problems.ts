import type { ProblemKey } from '../../errors/index.ts';

// The errors that the routes for posts can return.

const settingProblems = [
  'platform_settings_not_json',
  'platform_settings_not_object',
  'platform_settings_over_cap',
  'platform_setting_unknown',
  'platform_setting_invalid',
] as const satisfies ProblemKey[];
const mediaProblems = [
  'media_urls_not_array',
  'media_urls_empty',
  'media_urls_entry_invalid',
  'alt_text_invalid',
  'media_urls_too_many',
  'media_ingestion_failed',
  'media_url_rate_limited',
  'storage_limit_reached',
  'storage_unavailable',
  'no_room',
] as const satisfies ProblemKey[];
const readinessProblems = [
  'schedule_media_missing',
  'schedule_media_invalid',
  'schedule_media_reference',
  'schedule_upload_pending',
  'schedule_media_pending',
] as const satisfies ProblemKey[];
const commentProblems = [
  'first_comments_both',
  'first_comments_too_many',
  'first_comment_invalid',
  'first_comment_platform_unknown',
  'first_comment_too_long',
] as const satisfies ProblemKey[];
const labelProblems = ['labels_invalid', 'labels_too_many', 'label_limit_reached'] as const satisfies ProblemKey[];
const timeProblems = [
  'scheduled_time_invalid',
  'scheduled_time_past',
  'publish_at_invalid',
  'publish_at_conflict',
  'posting_slots_missing',
  'posting_slots_full',
  'status_invalid',
  'publish_now_invalid',
  'publish_now_conflict',
] as const satisfies ProblemKey[];
export const newPostProblems = [
  'content_required',
  'content_over_cap',
  'texts_over_cap',
  'platform_content_invalid',
  'platform_content_unknown',
  'platform_media_invalid',
  'platform_media_unknown',
  'platform_media_file_unknown',
  'platforms_missing',
  'platforms_empty',
  'platforms_not_array',
  'platforms_not_json',
  'platforms_too_many',
  'platforms_duplicate',
  'platform_id_invalid',
  'platform_connection_invalid',
  'platform_not_available',
  'validation_failed',
  ...timeProblems,
  ...settingProblems,
  ...commentProblems,
  ...labelProblems,
  ...mediaProblems,
] as const satisfies ProblemKey[];
export const validateProblems = [
  ...newPostProblems,
  'post_group_id_invalid',
  'post_group_not_found',
  'media_ids_invalid',
] as const;
export const editProblems = [
  'update_empty',
  'content_not_string',
  'content_over_cap',
  'texts_over_cap',
  'platform_content_invalid',
  'platform_content_unknown',
  'platform_media_invalid',
  'platform_media_unknown',
  'platform_media_file_unknown',
  'post_version_invalid',
  'update_platforms_not_array',
  'update_platforms_not_json',
  'platform_id_invalid',
  'update_platforms_too_many',
  'update_platforms_duplicate',
  'platform_connection_invalid',
  'platforms_required',
  'platform_not_available',
  'post_group_id_invalid',
  'post_group_not_found',
  'post_not_editable',
  'post_publish_started',
  'post_publish_in_progress',
  'post_group_version_conflict',
  'media_too_many',
  'validation_failed',
  ...timeProblems,
  ...settingProblems,
  ...commentProblems,
  ...labelProblems,
  ...mediaProblems,
  ...readinessProblems,
] as const satisfies ProblemKey[];
export const scheduleProblems = [
  'thread_permission_unavailable',
  'connections_over_limit',
  'schedule_horizon_reached',
  'scheduled_post_limit_reached',
  'post_limit_reached',
  'draft_limit_reached',
] as const satisfies ProblemKey[];
export const retryProblems = [
  'idempotency_key_invalid',
  'idempotency_in_flight',
  'idempotency_superseded',
  'idempotency_conflict',
  'idempotency_too_complex',
] as const satisfies ProblemKey[];
