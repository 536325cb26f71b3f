import { type output, type ZodType, z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from '../kit/index.ts';

interface Meaning {
  kind: FailureKind;
  message: string;
  /** How long a limit lasts, which YouTube does not say; a minute unless told. */
  until?: 'pacific midnight' | 'a day later';
}

const reconnect = 'Connect the channel again.';
const signIn: Meaning = { kind: 'auth', message: `Google does not accept the sign-in. ${reconnect}` };
const token: Meaning = { kind: 'auth', message: `Google no longer accepts the access token. ${reconnect}` };
const scope: Meaning = {
  kind: 'auth',
  message: 'The permission to do this was not granted. Connect the channel again, and allow all that is asked.',
};
const application: Meaning = {
  kind: 'rejected',
  message: 'Google does not accept the application of this service. Its operator has to check it in Google Cloud.',
};
const suspended: Meaning = {
  kind: 'auth',
  message: 'YouTube has suspended the channel. Sign in at youtube.com to see why, then connect it again.',
};
const closed: Meaning = { kind: 'auth', message: 'The YouTube channel is closed. Connect another one.' };
const slowDown: Meaning = { kind: 'rate_limited', message: 'YouTube asks to slow down.' };
const tooLarge: Meaning = { kind: 'too_large', message: 'The file is too large for YouTube.' };
const quota: Meaning = {
  kind: 'rate_limited',
  message: 'This service has used up what YouTube allows it for today. The count begins anew at midnight Pacific time.',
  until: 'pacific midnight',
};
const channelLimit: Meaning = {
  kind: 'rate_limited',
  message: 'YouTube takes no more videos from this channel for now. Verify the channel, or publish again in a day.',
  until: 'a day later',
};
const forbidden: Meaning = {
  kind: 'rejected',
  message: 'YouTube does not allow the channel to do this. See in YouTube Studio what the channel may do.',
};
const refused = (what: string): Meaning => ({ kind: 'rejected', message: `YouTube does not accept the ${what}.` });

/** By the codes of API and OAuth (documentation and recorded answers read 2026-11). */
const meanings: Readonly<Partial<Record<string, Meaning>>> = {
  invalid_grant: signIn,
  invalid_request: signIn,
  invalid_client: application,
  unauthorized_client: application,
  redirect_uri_mismatch: application,
  accessNotConfigured: application,
  authError: token,
  UNAUTHENTICATED: token,
  insufficientPermissions: scope,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: scope,
  youtubeSignupRequired: {
    kind: 'auth',
    message: 'The Google account has no YouTube channel. Create one at youtube.com, then connect it.',
  },
  authenticatedUserNotChannel: {
    kind: 'auth',
    message: 'The sign-in is not for this channel. Connect again, and choose the channel.',
  },
  authenticatedUserAccountSuspended: suspended,
  channelSuspended: suspended,
  authenticatedUserAccountClosed: closed,
  channelClosed: closed,
  forbidden,
  quotaExceeded: quota,
  dailyLimitExceeded: quota,
  uploadLimitExceeded: channelLimit,
  rateLimitExceeded: slowDown,
  userRateLimitExceeded: slowDown,
  uploadRateLimitExceeded: slowDown,
  RESOURCE_EXHAUSTED: slowDown,
  invalidTitle: refused('title. It has at most 100 characters'),
  invalidDescription: refused('description. It has at most 5000 bytes'),
  invalidTags: refused('tags'),
  invalidCategoryId: refused('category. Choose one that YouTube has'),
  invalidVideoMetadata: refused('title, the description or the settings of the video'),
  forbiddenPrivacySetting: refused('visibility'),
  videoNotFound: { kind: 'rejected', message: 'YouTube no longer has the video.' },
  playlistNotFound: { kind: 'rejected', message: 'The playlist is gone, or belongs to another channel.' },
};

const meaningsOfStatus: Readonly<Partial<Record<number, Meaning>>> = {
  401: token,
  408: { kind: 'unavailable', message: 'YouTube gave up waiting for the request.' },
  413: tooLarge,
  429: slowDown,
};

interface FailureContext {
  now: Date;
  /** What must not show, should the answer repeat it. */
  secrets: readonly string[];
}

export async function failure(response: Response, { now, secrets }: FailureContext): Promise<PlatformError> {
  const { status, statusText, headers } = response;
  // The status has arrived: a body that breaks off changes nothing.
  const { codes, words } = saidIn(await response.text().catch(() => ''), headers);
  const reason = redact(words || `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'YouTube is in trouble.', { status, reason });
  const code = codes.find((one) => Object.hasOwn(meanings, one)) ?? '';
  const meaning = meanings[code] ?? meaningsOfStatus[status] ?? unlisted(words);
  const { kind, message } = meaning;
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToWait(meaning, headers, now) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds, mayHaveHappened: false });
}

/** A refusal says why. A page without words is from what stands in front of YouTube, which passed nothing on. */
function unlisted(words: string): Meaning {
  if (words === '') return { kind: 'unavailable', message: 'YouTube gave an answer that makes no sense.' };
  return { kind: 'rejected', message: 'YouTube refused this.' };
}

const text = z.string().optional().catch(undefined);
const Detail = z.object({ reason: text, message: text });
const ApiError = z.object({
  message: text,
  status: text,
  errors: z.array(Detail).catch([]),
  details: z.array(Detail).catch([]),
});
const ErrorBody = z.object({ error: z.union([z.string(), ApiError]), error_description: text });

/** `codes`: the most telling first. */
function saidIn(body: string, headers: Headers): { codes: string[]; words: string } {
  const parsed = ErrorBody.safeParse(parseJson(body)).data;
  // The upload service answers in plain text at times.
  if (!parsed) return { codes: [], words: headers.get('content-type')?.startsWith('text/plain') ? body.trim() : '' };
  const { error, error_description } = parsed;
  if (typeof error === 'string')
    return { codes: [error], words: [error, error_description].filter(Boolean).join(': ') };
  const { message = error.errors[0]?.message, status } = error;
  const codes = [...error.details, ...error.errors].flatMap(({ reason }) => reason ?? []);
  const told = error.errors[0]?.reason ?? status;
  return {
    codes: [...codes, ...(status ? [status] : [])],
    words: [told, message?.replaceAll(/<[^>]*>/g, '')].filter(Boolean).join(': '),
  };
}

const daySeconds = 86_400;
const leastSeconds = 60;

function secondsToWait({ until }: Meaning, headers: Headers, now: Date): number {
  const told = Number(headers.get('retry-after') ?? Number.NaN);
  if (told > 0) return Math.ceil(told);
  if (until === 'a day later') return daySeconds;
  return until === 'pacific midnight' ? Math.max(leastSeconds, secondsToPacificMidnight(now)) : leastSeconds;
}

function secondsToPacificMidnight(now: Date): number {
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('America/Los_Angeles');
  const midnight = there.startOfDay().add({ days: 1 });
  return Math.ceil((midnight.epochMilliseconds - now.getTime()) / 1000);
}

export async function parseAnswer<T extends ZodType>(answer: T, response: Response): Promise<output<T>> {
  const parsed = answer.safeParse(parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', 'YouTube gave an answer that makes no sense.', {
    status: response.status,
    reason: z.prettifyError(parsed.error),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
