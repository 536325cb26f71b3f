import { z } from 'zod';
import {
  commonErrors,
  type KnownError,
  maxAnswerBytes,
  PlatformError,
  refusal,
  secondsIn,
  secondsToReset,
  type VendorApi,
} from '../kit/index.ts';

const common = commonErrors('Bluesky');
const newAppPassword =
  'Create a new app password in Bluesky (Settings, Privacy and security, App passwords) and connect again with it.';
const auth = (message: string): KnownError => ({ kind: 'auth', message });
const rejected = (message: string): KnownError => ({ kind: 'rejected', message });
const sessionRejected = auth('Bluesky no longer accepts the session. Reconnect the account.');
const accountInactive = auth(
  'The Bluesky account is deactivated, suspended or deleted. Sign in at Bluesky to see why, then reconnect it.',
);

export const videoLimitReached = 'The daily video limit on Bluesky is reached. Publish the post again tomorrow.';

/** By Bluesky's own error names (lexicons, server source and trials on a real server, 2026-11). */
const knownErrors: ReadonlyMap<string, KnownError> = new Map(
  Object.entries({
    AuthenticationRequired: auth(`Bluesky does not accept the app password. ${newAppPassword}`),
    AuthFactorTokenRequired: auth(
      `Bluesky asks for a second factor, as it does for the password of an account. ${newAppPassword}`,
    ),
    AuthMissing: sessionRejected,
    // Bluesky sends this one with status 400, not 401.
    ExpiredToken: sessionRejected,
    InvalidToken: sessionRejected,
    ScopeMissingError: auth(`The app password does not allow this. ${newAppPassword}`),
    AccountNotFound: accountInactive,
    AccountTakedown: accountInactive,
    AccountDeactivated: accountInactive,
    RepoTakendown: accountInactive,
    RepoSuspended: accountInactive,
    RepoDeactivated: accountInactive,
    PayloadTooLarge: common.fileTooLarge,
    VideoTooLarge: common.fileTooLarge,
    pds_upload_unsupported_blob_size: {
      kind: 'too_large',
      message: 'The server of this Bluesky account does not accept videos of this size. Upload a smaller one.',
    },
    VideoTooLong: rejected('The video is too long for Bluesky. Upload a shorter one.'),
    UnsupportedContentType: rejected('Bluesky does not accept videos of this type. Convert the video to MP4.'),
    DailyLimitExceeded: rejected(videoLimitReached),
    UploadForbidden: rejected('Bluesky does not accept videos from this account. Check the account at Bluesky.'),
    BlobNotFound: common.mediaGone,
    RecordNotFound: rejected('The post no longer exists on Bluesky.'),
    RateLimitExceeded: common.rateLimited,
  } satisfies Record<string, KnownError>),
);

/** Some refusals have no specific error name. */
const namelessErrors: readonly [words: string, error: KnownError][] = [
  ['Could not find user info', accountInactive],
  ['blob too big', common.fileTooLarge],
];
const namelessError = (said: string) =>
  said.startsWith('InvalidRequest: ') ? namelessErrors.find(([words]) => said.includes(words))?.[1] : undefined;

/** For refusals without a known name. */
const knownStatuses: ReadonlyMap<number, KnownError> = new Map([
  [401, sessionRejected],
  [413, common.fileTooLarge],
  [429, common.rateLimited],
]);

/** The window of most limits, for a response that does not give a reset time. */
const windowSeconds = 300;

export const failureIn: VendorApi['failureIn'] = (response, body, { secrets }) => {
  if (response.ok) return null;
  const { error = '', message } = ErrorBody.safeParse(body).data ?? {};
  const said = message ? `${error}: ${message}` : error;
  const known = knownErrors.get(error) ?? namelessError(said) ?? knownStatuses.get(response.status);
  return refusal(response, { name: 'Bluesky', said, known, secrets, retryAfterSeconds: secondsToWait(response) });
};

/** For a failed video job. Its response has a success status. */
export function jobFailure({ failureCode, error, message }: FailedJob): PlatformError {
  const { kind, message: text } = knownErrors.get(failureCode ?? '') ?? common.processingFailed;
  return new PlatformError(kind, text, { reason: message ?? error ?? failureCode ?? 'JOB_STATE_FAILED' });
}
interface FailedJob {
  failureCode?: string | undefined;
  error?: string | undefined;
  message?: string | undefined;
}

/** Whether Bluesky refused because of the account itself, so that other credentials would not help. */
export const isAccountInactive = (error: PlatformError) => error.message === accountInactive.message;

/** Whether Bluesky refused with this error name. */
export const hasErrorName = (error: unknown, name: string): error is PlatformError =>
  error instanceof PlatformError && (error.reason === name || error.reason?.startsWith(`${name}: `) === true);

const ErrorBody = z.object({
  error: z.string().max(maxAnswerBytes).min(1),
  message: z.string().max(maxAnswerBytes).optional(),
});

/** The reset is in seconds since 1970. */
function secondsToWait({ headers }: Response): number {
  const reset = new Date(Number(headers.get('ratelimit-reset') ?? Number.NaN) * 1000);
  return secondsIn('retry-after', headers) ?? secondsToReset(reset, headers) ?? windowSeconds;
}
