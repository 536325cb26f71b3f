import { randomBytes } from 'node:crypto';
import { empty, type HttpResponse, html, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import { type Call, type PlatformErrors, Refusal } from '../../platform.ts';
import { uploadHost } from './hosts.ts';

const guidelines =
  'Please review our integration guidelines at https://developers.tiktok.com/doc/content-sharing-guidelines/';

/** The vendor's error codes, each with its status and message. */
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
  spam_risk_too_many_posts: [403, 'The daily post cap from the API is reached for the current user.'],
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

export const errors: PlatformErrors = {
  status(status, call) {
    // The upload host returns only statuses, without a body.
    if (call.host === uploadHost) return empty(status);
    if (status === 404) return { status, headers: { 'content-type': 'text/plain' }, body: 'Unsupported path(Janus)' };
    if (isOAuth(call)) return oauthStatus(status);
    if (status === 502 || status === 504) return html(`<html><body><h1>${status}</h1></body></html>`, status);
    return failure(byStatus[status] ?? (status < 500 ? 'invalid_params' : 'internal_error'), status);
  },
  // The response does not state when the limit ends.
  rateLimited: (_resetAt, call) => (call.host === uploadHost ? empty(429) : failure('rate_limit_exceeded')),
  expiredToken(call) {
    if (call.host === uploadHost) return empty(403);
    return isOAuth(call) ? invalidGrant() : failure('access_token_invalid');
  },
};

/** Every API response has this envelope. Only the code `ok` means success, whatever the status. */
export function success(data: JsonObject): HttpResponse {
  return json({ data, error: { code: 'ok', message: '', log_id: logId() } });
}

export function failure(code: Code, status: number = codes[code][0], message: string = codes[code][1]): HttpResponse {
  return json({ data: {}, error: { code, message, log_id: logId() } }, status);
}

export function refuse(code: Code, message?: string): never {
  throw new Refusal(failure(code, undefined, message));
}

/** The vendor returns OAuth errors with status 200. Only the body shows the error. */
export function oauthError(error: string, description: string, status = 200): HttpResponse {
  return json({ error, error_description: description, log_id: logId() }, status);
}

export function invalidGrant(): HttpResponse {
  return oauthError('invalid_grant', 'Refresh token is invalid or expired.');
}

function oauthStatus(status: number): HttpResponse {
  if (status < 500) return oauthError('invalid_request', 'The request parameters are malformed.', status);
  return oauthError('server_error', 'Something went wrong. Please try again later.', status);
}

function isOAuth(call: Call): boolean {
  return call.path.startsWith('/v2/oauth/');
}

function logId(): string {
  return `20261115${randomBytes(12).toString('hex').toUpperCase()}`;
}
