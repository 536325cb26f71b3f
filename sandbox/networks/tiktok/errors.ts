import { randomBytes } from 'node:crypto';
import { type Answer, empty, html, json } from '../../answer.ts';
import type { JsonObject } from '../../json.ts';
import { type Call, type NetworkErrors, Refusal } from '../../network.ts';
import { uploadHost } from './hosts.ts';

const guidelines =
  'Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/';

/** The vendor's codes, each with its status and its words. */
const codes = {
  access_token_invalid: [401, 'The access token is invalid or not found in the request.'],
  scope_not_authorized: [401, 'The user did not authorize the scope required for completing this request.'],
  invalid_param: [400, 'One or more parameters of the request are invalid.'],
  invalid_params: [400, 'One or more fields in request is invalid.'],
  invalid_publish_id: [400, 'The publish_id does not exist.'],
  token_not_authorized_for_specified_publish_id: [
    400,
    'The access_token does not have authorization for the publish_id.',
  ],
  publish_not_cancellable: [400, 'The publish task can no longer be cancelled.'],
  spam_risk_too_many_posts: [403, 'The daily post cap from the API is reached for the current user.'],
  spam_risk_too_many_pending_share: [
    403,
    'The user has reached the maximum number of pending shares within the last 24 hours.',
  ],
  spam_risk_user_banned_from_posting: [403, 'The user is banned from making new posts.'],
  reached_active_user_cap: [403, 'The daily quota for active publishing users from your client is reached.'],
  unaudited_client_can_only_post_to_private_accounts: [403, guidelines],
  privacy_level_option_mismatch: [
    403,
    'privacy_level is not specified or not among the options from the /publish/creator_info/query/ API.',
  ],
  url_ownership_unverified: [
    403,
    'Please review our URL ownership verification rules at https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide#pull_from_url',
  ],
  rate_limit_exceeded: [429, 'The API rate limit was exceeded. Please try again later.'],
  internal_error: [500, 'Something went wrong. Please try again later.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type Code = keyof typeof codes;

const byStatus: Record<number, Code> = {
  400: 'invalid_param',
  401: 'access_token_invalid',
  403: 'spam_risk_user_banned_from_posting',
  413: 'invalid_param',
  422: 'invalid_param',
  429: 'rate_limit_exceeded',
};

export const errors: NetworkErrors = {
  status(status, call) {
    // The host for uploads has no words, only statuses.
    if (call.host === uploadHost) return empty(status);
    if (status === 404) return { status, headers: { 'content-type': 'text/plain' }, body: 'Unsupported path(Janus)' };
    if (isOAuth(call)) return oauthStatus(status);
    if (status === 502 || status === 504) return html(`<html><body><h1>${status}</h1></body></html>`, status);
    return failure(byStatus[status] ?? (status < 500 ? 'invalid_params' : 'internal_error'), status);
  },
  // When it ends is not said.
  rateLimited: (_resetAt, call) => (call.host === uploadHost ? empty(429) : failure('rate_limit_exceeded')),
  expiredToken(call) {
    if (call.host === uploadHost) return empty(403);
    return isOAuth(call) ? invalidGrant() : failure('access_token_invalid');
  },
};

/** Every answer of the API has this envelope; only `ok` is a success, whatever the status. */
export function success(data: JsonObject): Answer {
  return json({ data, error: { code: 'ok', message: '', log_id: logId() } });
}

export function failure(code: Code, status: number = codes[code][0], message: string = codes[code][1]): Answer {
  return json({ data: {}, error: { code, message, log_id: logId() } }, status);
}

export function refuse(code: Code, message?: string): never {
  throw new Refusal(failure(code, undefined, message));
}

/** The vendor sends what OAuth refuses as a 200: only the body tells. */
export function oauthError(error: string, description: string, status = 200): Answer {
  return json({ error, error_description: description, log_id: logId() }, status);
}

export function invalidGrant(): Answer {
  return oauthError('invalid_grant', 'Refresh token is invalid or expired.');
}

function oauthStatus(status: number): Answer {
  if (status < 500) return oauthError('invalid_request', 'The request parameters are malformed.', status);
  return oauthError('server_error', 'Something went wrong. Please try again later.', status);
}

function isOAuth(call: Call): boolean {
  return call.path.startsWith('/v2/oauth/');
}

function logId(): string {
  return `20261115${randomBytes(12).toString('hex').toUpperCase()}`;
}
