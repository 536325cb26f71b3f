import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const linkedinLimits = {
  sentCommentLength: 10_000,
  /** LinkedIn's own limit, which applies to the visible text. */
  commentLength: 1_250,
  commentaryLength: 3_000,
  imageBytes: 10 * 1_048_576,
  imageFrames: 250,
  /** LinkedIn accepts fewer pixels than this. */
  imagePixels: 36_152_320,
} as const;

/** Errors of LinkedIn interactions and statistics (contract.md#linkedin). */
export const linkedinProblems = {
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
    message: 'LinkedIn no longer accepts the credentials of this connection. Reconnect the account.',
  },
  linkedin_rate_limited: {
    status: 429,
    error: 'LINKEDIN_RATE_LIMITED',
    message: 'LinkedIn rate limit reached. Try again after `retryAfter` seconds.',
  },
  linkedin_request_timeout: {
    status: 504,
    error: 'LINKEDIN_REQUEST_TIMEOUT',
    message:
      'LinkedIn did not respond in time. The request may have succeeded: check on LinkedIn before you try again.',
  },
  linkedin_comment_fields_missing: { status: 400, error: 'postedId, message, and platformId are required' },
  linkedin_message_not_string: { status: 400, error: 'message must be a string' },
  linkedin_image_url_not_string: { status: 400, error: 'imageUrl must be a string' },
  linkedin_message_empty: { status: 400, error: 'message cannot be empty without imageUrl' },
  linkedin_message_too_long: {
    status: 400,
    error: `comment text cannot exceed ${linkedinLimits.sentCommentLength} characters`,
  },
  linkedin_comment_too_long: {
    status: 400,
    error: `comment text cannot exceed ${linkedinLimits.commentLength} characters after mention processing`,
  },
  linkedin_parent_comment_invalid: { status: 400, error: 'parentComment must be a valid LinkedIn URN' },
  linkedin_image_url_refused: { status: 400, error: 'imageUrl must be a public https URL' },
  linkedin_image_not_fetched: { status: 400, error: 'imageUrl could not be fetched' },
  linkedin_image_type_refused: { status: 400, error: 'imageUrl must point to a JPEG, PNG or GIF image' },
  linkedin_image_too_large: {
    status: 400,
    error: `The image at imageUrl must be ${linkedinLimits.imageBytes / 1_048_576} MB or smaller`,
  },
  linkedin_image_too_many_pixels: {
    status: 400,
    error: `The image at imageUrl must have fewer than ${linkedinLimits.imagePixels} pixels`,
  },
  linkedin_image_too_many_frames: {
    status: 400,
    error: `A GIF at imageUrl can have at most ${linkedinLimits.imageFrames} frames`,
  },
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
    message: 'This account has already reacted to the post. Delete that reaction to choose another.',
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
  linkedin_commentary_too_long: {
    status: 400,
    error: `commentary cannot exceed ${linkedinLimits.commentaryLength} characters`,
  },
  linkedin_commentary_too_long_formatted: {
    status: 400,
    error: `commentary exceeds ${linkedinLimits.commentaryLength} characters after mention/text formatting — shorten the text`,
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
} as const satisfies ProblemEntries;
