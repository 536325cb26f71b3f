import { type HttpResponse, html, json } from '../../http/http-response.ts';
import { type Call, type PlatformErrors, Refusal } from '../../platform.ts';
import { consentHost, oauthHost } from './hosts.ts';

const quotaMessage =
  'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';
const credentialsMessage =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';

/** Google's error reasons, each with its status, domain and message. */
const reasons = {
  authError: [401, 'global', credentialsMessage],
  youtubeSignupRequired: [401, 'youtube.header', 'Unauthorized'],
  insufficientPermissions: [403, 'global', 'Request had insufficient authentication scopes.'],
  authenticatedUserAccountSuspended: [403, 'youtube.header', 'The account of the authenticated user is suspended.'],
  forbidden: [403, 'global', 'Forbidden'],
  quotaExceeded: [403, 'youtube.quota', quotaMessage],
  rateLimitExceeded: [403, 'usageLimits', 'Rate Limit Exceeded'],
  uploadLimitExceeded: [400, 'youtube.video', 'The user has exceeded the number of videos they may upload.'],
  badRequest: [400, 'global', 'Bad Request'],
  invalidParameter: [400, 'global', 'Invalid value'],
  required: [400, 'global', 'Required parameter is missing'],
  missingRequiredParameter: [400, 'youtube.parameter', 'No filter selected.'],
  unknownPart: [400, 'youtube.part', 'Unknown part'],
  unexpectedPart: [400, 'youtube.part', 'Unexpected part'],
  invalidTitle: [400, 'youtube.video', 'The request metadata specifies an invalid or empty video title.'],
  invalidDescription: [400, 'youtube.video', 'The request metadata specifies an invalid video description.'],
  invalidTags: [400, 'youtube.video', 'The request metadata specifies invalid video keywords.'],
  invalidCategoryId: [
    400,
    'youtube.video',
    'The <code>snippet.categoryId</code> property specifies an invalid category ID. Use the <code><a href="/youtube/v3/docs/videoCategories/list">videoCategories.list</a></code> method to retrieve supported categories.',
  ],
  invalidPublishAt: [400, 'youtube.video', 'The request metadata specifies an invalid scheduled publishing time.'],
  invalidVideoMetadata: [400, 'youtube.video', 'The request metadata is invalid.'],
  mediaBodyRequired: [400, 'youtube.video', 'The request does not include the video content.'],
  videoNotFound: [404, 'youtube.video', 'The video that you are trying to access cannot be found.'],
  invalidImage: [400, 'youtube.thumbnail', 'The provided image content is invalid.'],
  uploadTooLarge: [413, 'global', 'Media is too large.'],
  playlistNotFound: [
    404,
    'youtube.playlistItem',
    "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.",
  ],
  playlistTitleRequired: [400, 'youtube.playlist', 'The request must specify a playlist title.'],
  playlistItemsNotAccessible: [
    403,
    'youtube.playlistItem',
    'The request is not properly authorized to retrieve the specified playlist items.',
  ],
  playlistOperationUnsupported: [
    400,
    'youtube.playlistItem',
    'The API does not support this operation on the playlist.',
  ],
  playlistContainsMaximumNumberOfVideos: [
    403,
    'youtube.playlistItem',
    'The playlist already contains the maximum allowed number of items.',
  ],
  commentsDisabled: [
    403,
    'youtube.commentThread',
    'The video identified by the <code><a href="/youtube/v3/docs/commentThreads/list#videoId">videoId</a></code> parameter has disabled comments.',
  ],
  commentTextRequired: [400, 'youtube.comment', 'The comment text is required.'],
  commentTextTooLong: [400, 'youtube.comment', 'The comment contains too many characters.'],
  invalidRating: [400, 'youtube.video', 'The request contained an unexpected value for the rating parameter.'],
  backendError: [500, 'global', 'Backend Error'],
} as const satisfies Record<string, readonly [status: number, domain: string, message: string]>;

type Reason = keyof typeof reasons;

const byStatus: Record<number, Reason> = {
  400: 'badRequest',
  401: 'authError',
  403: 'forbidden',
  413: 'uploadTooLarge',
  429: 'rateLimitExceeded',
};
/** The newer status names that some errors also have. */
const statusNames: Record<string, string> = {
  authError: 'UNAUTHENTICATED',
  insufficientPermissions: 'PERMISSION_DENIED',
};

export const errors: PlatformErrors = {
  status(status, call) {
    if (isOAuth(call)) return oauthError(status, status < 500 ? 'invalid_request' : 'internal_failure', 'Bad Request');
    if (status === 404) return text(404, 'Not Found');
    if (status === 502 || status === 504) return html(`<html><body><h1>${status}</h1></body></html>`, status);
    return failure(byStatus[status] ?? (status < 500 ? 'badRequest' : 'backendError'), { status });
  },
  // No header states when the limit ends.
  rateLimited: (_resetAt, call) =>
    isOAuth(call) ? oauthError(429, 'rate_limit_exceeded', 'Rate Limit Exceeded') : failure('rateLimitExceeded'),
  expiredToken(call) {
    return isOAuth(call) ? invalidGrant() : failure('authError');
  },
};

interface Details {
  readonly status?: number;
  readonly message?: string;
  /** The invalid parameter or property of the body. */
  readonly location?: string;
}

export function failure(reason: Reason, details: Details = {}): HttpResponse {
  const [usualStatus, domain, usualMessage] = reasons[reason];
  const { status = usualStatus, message = usualMessage, location } = details;
  const place = location !== undefined && { location, locationType: locationTypeOf(location) };
  const name = statusNames[reason];
  return json(
    {
      error: {
        code: status,
        message,
        errors: [{ message, domain, reason, ...place }],
        ...(name !== undefined && { status: name }),
        ...(reason === 'insufficientPermissions' && { details: [scopeDetail] }),
      },
    },
    status,
  );
}

export function refuse(reason: Reason, details?: Details): never {
  throw new Refusal(failure(reason, details));
}

/** The upload servers return plain text. */
export function text(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

export function oauthError(status: number, error: string, description: string): HttpResponse {
  return json({ error, error_description: description }, status);
}

export function invalidGrant(description = 'Token has been expired or revoked.'): HttpResponse {
  return oauthError(400, 'invalid_grant', description);
}

function locationTypeOf(location: string): string {
  if (location === 'Authorization') return 'header';
  return location.startsWith('body.') ? 'other' : 'parameter';
}

const scopeDetail = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
  domain: 'googleapis.com',
};

function isOAuth(call: Call): boolean {
  return call.host === oauthHost || call.host === consentHost;
}
