import { labelColours } from './labels.ts';
import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const accountLimits = {
  passwordLength: { min: 8, max: 128 },
  /** For users, managed users and API keys. */
  nameLength: 100,
  apiKeys: 10,
  /** Of one user, including those that replace others. */
  newApiKeysPerHour: 120,
  managedUsers: 1_000,
  /** On every plan. Each request of a user reads the user's connections. */
  connectionsPerUser: 1_000,
  /** Of an owner and the managed users together. */
  connectionsPerOwner: 10_000,
  addressesPerKey: 50,
  auditEntriesPerPage: 100,
  dismissedFailures: 500,
  /** As uploaded. */
  brandAvatarBytes: 512 * 1024,
} as const;
const { passwordLength, nameLength } = accountLimits;

/** Errors of sessions, API keys, workspaces and plans. */
export const accountProblems = {
  // Sessions and API keys (contract.md#api-keys)
  session_required: { status: 401, error: 'Sign in to continue' },
  account_on_hold: {
    status: 403,
    error: 'Account on hold',
    message: 'Your account is temporarily on hold. Please contact support.',
  },
  account_being_deleted: {
    status: 403,
    error: 'This account will be deleted',
    message:
      'Nothing in it can change until then. To continue to use it, sign in to the dashboard and keep the account.',
  },
  deletion_started: { status: 409, error: 'The deletion of this account has started' },
  last_account: {
    status: 409,
    error: 'The only account of this Crier instance cannot be deleted',
    message: 'Without it, a stranger could sign up as the first user. The operator can delete it with "delete-user".',
  },
  export_in_progress: { status: 409, error: 'An export of this account is in progress' },
  exports_busy: { status: 429, error: 'Other exports are running. Try again in a minute.' },
  origin_not_allowed: { status: 403, error: 'Requests from this origin are not allowed' },
  invalid_credentials: { status: 401, error: 'Invalid email or password' },
  email_taken: { status: 409, error: 'An account with this email already exists' },
  invalid_email: { status: 400, error: 'Invalid email' },
  invalid_password: {
    status: 400,
    error: `Password must have ${passwordLength.min} to ${passwordLength.max} characters`,
  },
  weak_password: { status: 400, error: 'This password is too easy to guess' },
  password_required: { status: 400, error: 'Password is required' },
  email_change_needs_mail: {
    status: 409,
    error: 'This Crier instance does not send mail, so email addresses cannot be changed',
  },
  current_password_wrong: { status: 400, error: 'The current password is wrong' },
  link_token_invalid: {
    status: 400,
    error: 'This link does not work',
    message: 'It has expired, was already used, or is incomplete.',
  },
  sign_up_closed: { status: 403, error: 'Sign-up is closed' },
  invitation_required: { status: 403, error: 'Sign-up is by invitation only' },
  invitation_for_other_email: { status: 403, error: 'This invitation is for another email address' },
  invalid_user_name: { status: 400, error: `Name must be a string with maximum ${nameLength} characters` },
  plan_without_api: { status: 403, error: 'Your current plan does not include API access' },
  user_not_found: { status: 404, error: 'User not found' },
  api_key_limit: { status: 400, error: `Maximum of ${accountLimits.apiKeys} active API keys allowed` },
  api_key_ambiguous: { status: 409, error: 'More than one key has this prefix' },
  user_has_managed_users: { status: 409, error: 'The user manages other users' },
  api_key_not_found: { status: 404, error: 'API key not found' },
  api_key_id_invalid: { status: 400, error: 'Invalid key ID format' },
  api_key_name_invalid: { status: 400, error: `Name must be a string with maximum ${nameLength} characters` },
  api_key_name_required: { status: 400, error: 'Name is required' },
  api_key_scopes_invalid: {
    status: 400,
    error: 'scopes must be one or more of: read, write, media, webhooks, workspace',
  },
  api_key_expiry_invalid: { status: 400, error: 'expiresAt must be a valid ISO date-time' },
  api_key_expiry_past: { status: 400, error: 'expiresAt must be in the future' },
  api_key_addresses_invalid: {
    status: 400,
    error: `allowedAddresses must be IP addresses or CIDR ranges, at most ${accountLimits.addressesPerKey}`,
  },
  api_key_name_too_long: { status: 400, error: `Name must be maximum ${nameLength} characters` },

  // Profile
  profile_name_invalid: { status: 400, error: `name must have 1 to ${nameLength} characters`, field: 'name' },
  profile_dismissed_invalid: {
    status: 400,
    error: `dismissedFailures must be a list of at most ${accountLimits.dismissedFailures} post group ids, each with a version, such as 019a86c0c3d4e5f60718293a:4`,
    field: 'dismissedFailures',
  },
  profile_time_zone_invalid: { status: 400, error: 'timeZone must be a time zone or null', field: 'timeZone' },
  profile_language_invalid: { status: 400, error: 'language must be a language tag or null', field: 'language' },
  profile_empty: { status: 400, error: 'There is nothing to change' },

  logged_request_not_found: { status: 404, error: 'Request not found' },
  audit_before_invalid: { status: 400, error: 'before must be the nextBefore value of a previous page' },
  audit_limit_invalid: {
    status: 400,
    error: `limit must be a whole number from 1 to ${accountLimits.auditEntriesPerPage}`,
  },

  // Workspace
  display_name_invalid: { status: 400, error: `Display name must be a string with maximum ${nameLength} characters` },
  display_name_empty: { status: 400, error: 'Display name must not be empty' },
  brand_colour_invalid: { status: 400, error: `colour must be one of: ${labelColours.join(', ')}`, field: 'colour' },
  brand_avatar_invalid: {
    status: 400,
    error: `image must be a JPEG, PNG, GIF, WebP or AVIF of at most ${accountLimits.brandAvatarBytes / 1024} KB, as Base64`,
    field: 'image',
  },
  brand_avatar_missing: { status: 404, error: 'This brand has no picture' },
  workspace_not_included: { status: 403, error: 'Your plan does not include a workspace' },
  workspace_email_required: { status: 400, error: 'Email is required' },
  workspace_email_invalid: { status: 400, error: 'Invalid email', code: 'invalid_email' },
  managed_user_limit_reached: {
    status: 400,
    error: `Maximum of ${accountLimits.managedUsers} managed users per workspace`,
  },
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
  not_in_workspace: { status: 409, error: 'You do not belong to a workspace' },
  managed_user_id_invalid: { status: 400, error: 'Invalid userId' },
  managed_user_not_found: { status: 404, error: 'User not found or not managed by this key' },
  owner_without_api: { status: 403, error: 'API access is not enabled for this workspace owner' },
  link_days_invalid: { status: 400, error: 'expiresInDays must be a positive number' },
  link_rotate_invalid: { status: 400, error: 'rotate must be true or false' },

  // Plans and quotas (contract.md#plans; accounts/quotas.ts adds fields)
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
  draft_limit_reached: { status: 403, error: 'Draft limit reached', code: 'DRAFT_LIMIT_REACHED' },
  upload_limit_reached: { status: 403, error: 'Upload limit reached', code: 'UPLOAD_LIMIT_REACHED' },
  storage_limit_reached: { status: 403, error: 'Storage limit reached', code: 'STORAGE_LIMIT_REACHED' },
  webhook_limit_reached: { status: 403, error: 'Webhook limit reached', code: 'WEBHOOK_LIMIT_REACHED' },
  quota_time_invalid: {
    status: 400,
    error: 'scheduledTime must be a valid ISO date-time',
    code: 'INVALID_SCHEDULED_TIME',
  },
  account_context_unreadable: { status: 500, error: 'Failed to read account context' },
} as const satisfies ProblemEntries;
