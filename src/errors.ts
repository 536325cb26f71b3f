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

  // Posts (contract 4.1, 4.3, 4.4)
  content_required: { status: 400, error: 'Content is required' },
  content_not_string: { status: 400, error: 'Content must be a string', code: 'INVALID_CONTENT' },
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
  media_urls_unavailable: { status: 400, error: 'mediaUrls is not available yet' },
  first_comments_unavailable: { status: 400, error: 'First comments are not available yet' },
  post_create_failed: { status: 500, error: 'Failed to create post group' },
  post_delete_failed: { status: 500, error: 'Failed to delete post group' },
  post_group_not_found: { status: 404, error: 'Post group not found' },
  post_group_id_invalid: { status: 400, error: 'Invalid post group ID' },
  post_group_unreadable: { status: 500, error: 'Failed to fetch post group' },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemKey = keyof typeof problems;
export interface ProblemEntry {
  readonly status: number;
  readonly error: string;
  readonly code?: string;
  readonly message?: string;
}

/** An answer other than success. `details` are further fields of the body; `error` among them replaces the table's text. */
export class Problem extends Error {
  override name = 'Problem';
  readonly key: ProblemKey;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(key: ProblemKey, details: Readonly<Record<string, unknown>> = {}) {
    const { status, ...body }: ProblemEntry = problems[key];
    super(body.error);
    this.key = key;
    this.status = status;
    this.body = { ...body, ...details };
  }
}

export const isProblemKey = (key: string): key is ProblemKey => Object.hasOwn(problems, key);
