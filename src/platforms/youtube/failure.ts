import { z } from 'zod';
import {
  commonErrors,
  type FailureKind,
  type KnownError,
  PlatformError,
  parseJson,
  refusal,
  secondsIn,
  type VendorApi,
} from '../kit/index.ts';

interface YoutubeError extends KnownError {
  /** When the limit resets, which YouTube does not report. Default: a minute later. */
  readonly resets?: 'at Pacific midnight' | 'a day later';
}

const google = commonErrors('Google');
const youtube = commonErrors('YouTube');
const rejected = (message: string): YoutubeError => ({ kind: 'rejected', message });
const channelMissing: YoutubeError = {
  kind: 'auth',
  message: 'The Google account has no YouTube channel. Create one at youtube.com, then connect it again.',
};
const channelMismatch: YoutubeError = {
  kind: 'auth',
  message: 'The sign-in is for another YouTube channel. Connect the channel again and choose it on the sign-in page.',
};
const channelClosed: YoutubeError = {
  kind: 'auth',
  message: 'The YouTube channel is closed. Connect another channel.',
};
const dailyQuota: YoutubeError = {
  kind: 'rate_limited',
  message:
    'This service has used up its daily quota on YouTube, which resets at midnight Pacific time. Try again after that, or ask the operator of this service to raise the quota.',
  resets: 'at Pacific midnight',
};
const uploadLimit: YoutubeError = {
  kind: 'rate_limited',
  message:
    'YouTube accepts no more videos from this channel for now. Verify the channel on YouTube, or try again in a day.',
  resets: 'a day later',
};

/** By the codes of the API and of OAuth (documentation and recorded responses read 2026-11). */
const knownErrors: ReadonlyMap<string, YoutubeError> = new Map(
  Object.entries({
    invalid_grant: google.signInRejected,
    invalid_request: google.signInRejected,
    invalid_client: google.applicationUnknown,
    unauthorized_client: google.applicationForbidden,
    redirect_uri_mismatch: google.applicationForbidden,
    accessNotConfigured: google.applicationForbidden,
    authError: google.tokenRejected,
    UNAUTHENTICATED: google.tokenRejected,
    insufficientPermissions: google.permissionMissing,
    ACCESS_TOKEN_SCOPE_INSUFFICIENT: google.permissionMissing,
    youtubeSignupRequired: channelMissing,
    authenticatedUserNotChannel: channelMismatch,
    authenticatedUserAccountSuspended: youtube.accountRestricted,
    channelSuspended: youtube.accountRestricted,
    authenticatedUserAccountClosed: channelClosed,
    channelClosed,
    forbidden: rejected(
      'YouTube does not allow the channel to do this. Check the permissions of the channel in YouTube Studio.',
    ),
    quotaExceeded: dailyQuota,
    dailyLimitExceeded: dailyQuota,
    uploadLimitExceeded: uploadLimit,
    rateLimitExceeded: youtube.rateLimited,
    userRateLimitExceeded: youtube.rateLimited,
    uploadRateLimitExceeded: youtube.rateLimited,
    RESOURCE_EXHAUSTED: youtube.rateLimited,
    invalidTitle: rejected('YouTube rejected the title. It can have at most 100 characters. Change it.'),
    invalidDescription: rejected('YouTube rejected the description. It can have at most 5000 bytes. Change it.'),
    invalidTags: rejected('YouTube does not accept the tags. Change them.'),
    invalidCategoryId: rejected('YouTube does not have this category. Choose another categoryId.'),
    invalidVideoMetadata: rejected(
      'YouTube does not accept the title, the description or the settings of the video. Change them.',
    ),
    forbiddenPrivacySetting: rejected('YouTube does not allow this visibility. Choose another privacy setting.'),
    videoNotFound: rejected('YouTube no longer has the video. Publish the post again.'),
    playlistNotFound: rejected('The playlist was deleted, or belongs to another channel. Choose another playlist.'),
  } satisfies Record<string, YoutubeError>),
);

const knownStatuses: ReadonlyMap<number, YoutubeError> = new Map([
  [401, google.tokenRejected],
  [408, youtube.temporaryError],
  [413, youtube.fileTooLarge],
  [429, youtube.rateLimited],
]);

export const failureIn: VendorApi['failureIn'] = (response, body, { now, secrets }) => {
  if (response.ok) return null;
  const { codes, said } = problemIn(body, response.headers);
  const code = codes.find((one) => knownErrors.has(one)) ?? '';
  // YouTube gives a reason for its refusals. A response without one is from a proxy in front of it, which did not
  // forward the request.
  const unlisted = said === '' ? youtube.unreadable : undefined;
  const known: YoutubeError | undefined = knownErrors.get(code) ?? knownStatuses.get(response.status) ?? unlisted;
  const retryAfterSeconds = secondsToWait(known?.resets, response.headers, now);
  return refusal(response, { name: 'YouTube', said, known, secrets, retryAfterSeconds });
};

/** The upload service sometimes responds in plain text, which is kept. */
export const parseBody = (text: string): unknown => parseJson(text) ?? text;

const failure = ({ kind, message }: KnownError) => new PlatformError(kind, message);
export const noChannel = () => failure(channelMissing);
export const otherChannel = () => failure(channelMismatch);

const transient: ReadonlySet<FailureKind> = new Set(['unavailable', 'network', 'timeout']);

/** Whether the next attempt may succeed without any change. */
export const isTransient = (error: unknown) => error instanceof PlatformError && transient.has(error.kind);

const text = z.string().optional().catch(undefined);
const Detail = z.object({ reason: text, message: text });
const ApiError = z.object({
  message: text,
  status: text,
  errors: z.array(Detail).catch([]),
  details: z.array(Detail).catch([]),
});
const ErrorBody = z.object({ error: z.union([z.string(), ApiError]), error_description: text });

/** `codes` lists the most specific first. */
function problemIn(body: unknown, headers: Headers): { codes: string[]; said: string } {
  const parsed = ErrorBody.safeParse(body).data;
  if (!parsed) {
    const isText = typeof body === 'string' && headers.get('content-type')?.startsWith('text/plain');
    return { codes: [], said: isText ? body.trim() : '' };
  }
  const { error, error_description } = parsed;
  if (typeof error === 'string') return { codes: [error], said: [error, error_description].filter(Boolean).join(': ') };
  const { message = error.errors[0]?.message, status } = error;
  const reasons = [...error.details, ...error.errors].flatMap(({ reason }) => reason ?? []);
  const code = error.errors[0]?.reason ?? status;
  return {
    codes: [...reasons, ...(status ? [status] : [])],
    said: [code, message?.replaceAll(/<[^>]*>/g, '')].filter(Boolean).join(': '),
  };
}

const daySeconds = 86_400;
const minSeconds = 60;

function secondsToWait(resets: YoutubeError['resets'], headers: Headers, now: Date): number {
  const retryAfter = secondsIn('retry-after', headers);
  if (retryAfter !== null) return retryAfter;
  if (resets === 'a day later') return daySeconds;
  return resets === 'at Pacific midnight' ? Math.max(minSeconds, secondsToPacificMidnight(now)) : minSeconds;
}

function secondsToPacificMidnight(now: Date): number {
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles');
  const midnight = there.startOfDay().add({ days: 1 });
  return Math.ceil((midnight.epochMilliseconds - now.getTime()) / 1000);
}
