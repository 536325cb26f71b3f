import { adminCommandLine } from '../system/admin-command-line.ts';
import { mediaLimits } from './media.ts';
import { secretMinutes } from './sign-in.ts';

const avatarMegabytes = mediaLimits.avatarBytes / 1_048_576;
const time = 'Send a time with Z or an offset: 2026-12-24T18:00:00Z or 2026-12-24T19:00:00+01:00.';
const date = 'Send a date or a time: 2026-12-24 or 2026-12-24T18:00:00Z.';
const platformId =
  'GET /platform-connections lists the ids of your connections, such as mastodon-109348752@mastodon.social.';
const linkedinId = 'GET /platform-connections lists the ids of your connections, such as linkedin-Ab3dEf_hK1.';
const postGroupId = 'A post group id has 24 hex digits. GET /list-posts lists yours.';
const webhookUrl =
  'To receive events on your own machine, run crier webhooks listen. To send them to a private address, the operator of this Crier instance can add it to EGRESS_ALLOW.';
const email = 'Send an email address, such as ada@example.com.';

/** What to send instead, by problem key: the header, the format of a value, or the route that helps. */
export const hints: Readonly<Partial<Record<string, string>>> = {
  api_key_required: 'Send your API key in the header x-service-key.',
  invalid_api_key:
    'Send the whole key, from sk_ on and including the dot, in the header x-service-key. The key may have been revoked.',
  address_not_allowed:
    'Call from an address in the key’s allowedAddresses, or change them with PATCH /auth/api-keys/{keyId}.',
  insufficient_scope:
    'Add the scope to the key with PATCH /auth/api-keys/{keyId} or in the dashboard under API → Keys, or use another key.',
  api_key_limited: 'Use a key with all scopes, no expiry and no allowed addresses, or use the dashboard.',
  session_required: 'Sign in with POST /auth/signin and send its accessToken as Authorization: Bearer <accessToken>.',
  session_not_found: 'GET /auth/sessions lists your sessions. This session may have ended.',
  recent_sign_in_required: 'This needs a sign-in within the last hour. Sign in with POST /auth/signin and try again.',
  two_factor_not_started: `Start with POST /auth/two-factor/start. Its secret expires after ${secretMinutes} minutes.`,
  two_factor_code_wrong:
    'Wait for the next code in your app, and check that your phone’s clock is right. A recovery code also works.',
  two_factor_code_invalid: 'Enter the six digits shown in the app, and check that your phone’s clock is right.',
  two_factor_codes_limited:
    'To sign in without waiting, use a recovery code, a passkey, or a device you have signed in on before. A new password also ends the wait.',
  two_factor_token_invalid: 'Sign in again with POST /auth/signin.',
  passkey_refused: 'Request new options, which are valid for five minutes, and use an authenticator that verifies you.',
  passkey_not_found: 'GET /auth/passkeys lists your passkeys.',
  passkey_sign_in_failed: 'Request new options, which are valid for five minutes, or sign in with your password.',
  invalid_service_user_id: 'x-service-user-id is the 24-hex _id of a managed user. GET /workspace/users lists yours.',
  user_not_managed: 'GET /workspace/users lists the users this key can act for.',
  managed_user_limit_reached: 'Detach users you no longer need with DELETE /workspace/users/{userId}.',
  logged_request_not_found: 'GET /dashboard/requests lists the last 1,000 calls.',
  metrics_restricted:
    'Send Authorization: Bearer <METRICS_TOKEN>. If METRICS_TOKEN is not set, send the request from the same machine.',
  unsupported_media_type: 'Send the body as JSON with the header Content-Type: application/json.',
  invalid_json: 'Send one JSON object, with double quotes around names and strings.',
  form_required: 'Send the file as a form, with the header Content-Type: multipart/form-data.',
  idempotency_conflict: 'Use a new Idempotency-Key for each new request, and repeat a key only with the same body.',
  idempotency_in_flight: 'Send the same request again in a moment.',

  scheduled_time_invalid: time,
  publish_at_invalid: 'Send publishAt: "next-slot", or a time in scheduledTime.',
  quota_time_invalid: time,
  api_key_expiry_invalid: time,
  api_key_addresses_invalid: 'Send addresses such as 203.0.113.7, 10.0.0.0/8, 2001:db8::1 or 2001:db8::/32.',
  profile_time_zone_invalid: 'Use an IANA time zone name, such as Europe/Berlin, or null for the browser’s time zone.',
  profile_language_invalid: 'Use a BCP 47 tag, such as en-GB, or null for the browser’s language.',
  profile_empty: 'Send one or more of name, timeZone, weekStart, hourCycle, language and isWelcomeDone.',
  from_date_invalid: date,
  to_date_invalid: date,
  slot_after_invalid: time,
  time_zone_invalid: 'Use an IANA time zone name, such as Europe/Berlin or UTC.',
  slots_invalid: 'Send slots such as { "weekday": 1, "time": "09:30", "platformId": null }. Monday is 1.',
  posting_slots_missing: 'Set weekly times with PUT /posting-slots, or send a time.',
  posting_slots_full: 'Add slots with PUT /posting-slots, or send a time.',
  list_from_invalid: date,
  list_to_invalid: date,
  list_channel_invalid: platformId,
  list_search_invalid: 'Search for a few words in the text: q=summer sale',
  list_fields_invalid: 'Omit fields to get complete posts.',
  list_brands_invalid: 'Omit brands to list your own posts, or those of the user in x-service-user-id.',

  composer_draft_id_invalid: 'Generate a new id for each draft, for example with crypto.randomUUID().',
  composer_draft_not_found: 'GET /dashboard/drafts lists your drafts.',
  composer_draft_version_invalid: 'Send the version you last read, or 0 for a new draft.',
  draft_changed:
    'current is the stored draft, or null if it was deleted. To replace it, send its version, or 0 if it is null.',
  composer_draft_limit_reached: 'Delete drafts you no longer need. GET /dashboard/drafts lists them.',
  draft_limit_reached: 'Schedule, publish or delete drafts first. GET /list-posts?status=draft lists them.',
  upload_limit_reached:
    'Upload the files you requested upload URLs for, or delete their media with DELETE /media/{mediaId}.',
  storage_limit_reached: 'Delete media or posts you no longer need. GET /account-context shows your usage.',
  webhook_url_not_https: webhookUrl,
  webhook_url_localhost: webhookUrl,
  webhook_url_private: webhookUrl,
  webhook_url_private_name: webhookUrl,
  webhook_limit_reached: 'Delete webhooks you no longer need, including those of managed users.',

  slot_channel_unknown: platformId,
  slot_platforms_invalid: platformId,
  platforms_missing: platformId,
  platforms_empty: platformId,
  platforms_not_array: `Send an array of ids. ${platformId}`,
  platforms_not_json: `Send an array of ids. ${platformId}`,
  platform_id_invalid: platformId,
  platform_id_unreadable: platformId,
  platform_connection_invalid: platformId,
  update_platforms_not_array: platformId,
  update_platforms_not_json: platformId,
  connection_not_found: platformId,
  withdrawal_not_signed:
    'Networks send these requests. The application’s client secret must match the one in the network’s developer console.',
  avatar_unavailable: `It could not be fetched, or is not a JPEG, PNG, GIF, WebP or AVIF of at most ${avatarMegabytes} MB. Try again in ten minutes.`,
  linkedin_platform_id_missing: linkedinId,
  linkedin_platform_id_empty: linkedinId,
  linkedin_platform_id_invalid: linkedinId,
  linkedin_connection_not_found: linkedinId,
  statistics_connection_not_found: 'GET /platform-connections lists the ids of your connections.',

  validation_failed:
    'validation.errors lists each problem with its platform and field. POST /validate-post checks a post without storing it.',
  post_group_id_invalid: postGroupId,
  change_ids_invalid: postGroupId,
  reschedule_without_time: 'Give the draft a time with PUT /update-post/{postGroupId}.',
  post_group_unreadable: postGroupId,
  upload_group_id_invalid: postGroupId,
  post_group_not_found: 'GET /list-posts lists your post groups.',
  retry_not_failed: 'GET /get-post/{postGroupId} shows the status of each platform post.',
  retry_not_possible:
    'Read the error in GET /get-post/{postGroupId} and fix the cause. After PLATFORM_AUTH_EXPIRED, reconnect the account and retry; otherwise create a new post.',
  retry_outcome_unknown: 'Check the account on the network. If the post is not there, create a new one.',
  retry_disconnected: 'Reconnect the account and create a new post.',
  attach_consent_required: 'Ask the user for the attachToken from POST /auth/attach-token.',
  attach_consent_invalid: 'An attachToken works once, within ten minutes. Ask the user for a new one.',
  managed_user_not_found: 'GET /workspace/users lists your managed users.',
  invalid_email: email,
  weak_password: 'Choose a longer password, such as four unrelated words.',
  link_token_invalid:
    'Request a new link: POST /auth/password/forgot for a password, POST /auth/signup for a new account.',
  sign_up_closed: `The operator of this Crier instance creates accounts with ${adminCommandLine('create-user')} or ${adminCommandLine('invite')}.`,
  invitation_required: `Ask the operator of this Crier instance for an invitation: ${adminCommandLine('invite --email <yours>')}.`,
  workspace_email_invalid: email,
  update_empty: 'Send at least one field to change. Omitted fields stay unchanged.',
};
