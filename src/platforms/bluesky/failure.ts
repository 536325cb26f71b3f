import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from '../kit/index.ts';

type Meaning = readonly [kind: FailureKind, message: string];

const newAppPassword =
  'Make a new app password in Bluesky (Settings, Privacy and security, App passwords) and connect again.';
const refusedToken: Meaning = ['auth', 'Bluesky no longer accepts the session. Connect the account again.'];
const closedAccount: Meaning = ['auth', 'The Bluesky account is closed at present. Open it again, then reconnect.'];
const tooLarge: Meaning = ['too_large', 'Too large for Bluesky.'];

/** By the network's own error names (lexicons, server source and trials on a real server, 2026-11). */
const meanings: Readonly<Record<string, Meaning>> = {
  AuthenticationRequired: ['auth', `Bluesky does not accept the app password. ${newAppPassword}`],
  AuthFactorTokenRequired: [
    'auth',
    `Bluesky asks for a second factor, as it does for account passwords. ${newAppPassword}`,
  ],
  AuthMissing: refusedToken,
  // Comes with status 400, not 401.
  ExpiredToken: refusedToken,
  InvalidToken: refusedToken,
  ScopeMissingError: ['auth', `The app password does not allow this. ${newAppPassword}`],
  AccountNotFound: closedAccount,
  AccountTakedown: closedAccount,
  AccountDeactivated: closedAccount,
  RepoTakendown: closedAccount,
  RepoSuspended: closedAccount,
  RepoDeactivated: closedAccount,
  PayloadTooLarge: tooLarge,
  VideoTooLarge: tooLarge,
  pds_upload_unsupported_blob_size: [
    'too_large',
    'The server of this Bluesky account does not take videos of this size.',
  ],
  VideoTooLong: ['rejected', 'The video is too long for Bluesky.'],
  UnsupportedContentType: ['rejected', 'Bluesky does not take videos of this type.'],
  DailyLimitExceeded: ['rejected', 'The daily allowance of videos on Bluesky is used up. Publish again tomorrow.'],
  UploadForbidden: ['rejected', 'Bluesky takes no videos from this account.'],
  BlobNotFound: ['rejected', 'Bluesky has dropped the uploaded media meanwhile. Publish again.'],
  RecordNotFound: ['rejected', 'The post is not there any more.'],
  RateLimitExceeded: ['rate_limited', 'Bluesky asks to slow down.'],
};

/** For refusals without a name that we know. */
const meaningsOfStatus: Readonly<Record<number, Meaning>> = {
  401: refusedToken,
  413: tooLarge,
  429: ['rate_limited', 'Bluesky asks to slow down.'],
};

const refused: Meaning = ['rejected', 'Bluesky refused this.'];

export async function failure(response: Response, secrets: readonly string[]): Promise<PlatformError> {
  const { status, statusText } = response;
  // The status has arrived: a body that breaks off changes nothing.
  const said = ErrorBody.safeParse(parseJson(await response.text().catch(() => '')));
  const reason = redact(said.success ? wordsOf(said.data) : `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'Bluesky is in trouble.', { status, reason });
  // The API answers in JSON. A page is from what stands in front of it, which passed nothing on.
  if (status === 403 && !said.success) {
    const details = { status, reason, mayHaveHappened: false };
    return new PlatformError('unavailable', 'The Bluesky server is shielded.', details);
  }
  const [kind, message] = meaningOf(said.data?.error ?? '', reason, status);
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToWait(response.headers) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds });
}

/** A job that ended badly. Its answer is no HTTP refusal. */
export function jobFailure({ failureCode, error, message }: JobTrouble): PlatformError {
  const [kind, words] = meanings[failureCode ?? ''] ?? ['rejected', 'Bluesky could not process the video.'];
  return new PlatformError(kind, words, { reason: message ?? error ?? failureCode ?? 'JOB_STATE_FAILED' });
}
interface JobTrouble {
  failureCode?: string | undefined;
  error?: string | undefined;
  message?: string | undefined;
}

/** Whether a refusal was for this reason. */
export const isRefusal = (error: unknown, name: string): boolean =>
  error instanceof PlatformError && (error.reason === name || error.reason?.startsWith(`${name}: `) === true);

function meaningOf(name: string, reason: string, status: number): Meaning {
  // A file over the limit of its kind of post has no error name of its own.
  if (name === 'InvalidRequest' && reason.includes('blob too big')) return tooLarge;
  const known = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  return known ?? meaningsOfStatus[status] ?? refused;
}

const ErrorBody = z.object({ error: z.string().min(1), message: z.string().optional() });
const wordsOf = ({ error, message }: z.output<typeof ErrorBody>) => (message ? `${error}: ${message}` : error);

const windowSeconds = 300;

/** The reset is in seconds by the server's clock, and so is the time of its answer. */
function secondsToWait(headers: Headers): number {
  const asked = Number(headers.get('retry-after') ?? Number.NaN);
  const untilReset =
    Number(headers.get('ratelimit-reset') ?? Number.NaN) - Date.parse(headers.get('date') ?? '') / 1000;
  const seconds = [asked, untilReset].find(Number.isFinite) ?? windowSeconds;
  return Math.max(1, Math.ceil(seconds));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
