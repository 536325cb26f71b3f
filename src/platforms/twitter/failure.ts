import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from '../kit/index.ts';

const reconnect = 'Connect the account again.';
const repeated = /duplicate content/i;

/**
 * What the answers mean (documentation and recorded answers read 2026-11). The pattern is held against "status code words":
 * the code is the last part of the problem's `type`, or the `error` of OAuth, with the parameters that are wrong. Most
 * refusals of a post have none, and differ in their words only. First match wins.
 */
const meanings: readonly (readonly [answer: RegExp, kind: FailureKind, message: string])[] = [
  [
    /^40[01] (unauthorized_client|invalid_client) /,
    'rejected',
    'X does not know this service as an application. Its operator has to check the client id and secret.',
  ],
  [/^400 [a-z]+(_[a-z]+)+ /, 'auth', `X does not accept the sign-in. ${reconnect}`],
  [/^401 /, 'auth', `X no longer accepts the access token. ${reconnect}`],
  // Paid for by the operator: the person can do nothing about it, and it may be over in an hour.
  [/^402 /, 'rate_limited', 'This service has no credits left at X. Its operator has to buy more.'],
  [/^\d+ usage-capped /, 'rate_limited', 'This service has used up what X allows it for now.'],
  [/^\d+ unsupported-authentication /, 'auth', `X wants another kind of sign-in. ${reconnect}`],
  [
    /^\d+ client-forbidden /,
    'rejected',
    'X does not let this service do this. Its operator has to check the application at X.',
  ],
  [
    /^\d+ user-suspended |suspended|temporarily locked/i,
    'auth',
    'X has suspended or locked the account. Sign in at x.com to see why, then connect it again.',
  ],
  [repeated, 'rejected', 'X refuses to post the same text again. Change it.'],
  [
    /^403 +Forbidden$/,
    'auth',
    'The permission to do this was not granted. Connect the account again, and allow all that is asked.',
  ],
  [/cashtag/i, 'rejected', 'X allows one cashtag in a post.'],
  [/invalid url/i, 'rejected', 'X does not accept a link in the text.'],
  [/reply to this conversation|allowed to reply/i, 'rejected', 'X does not let the account reply to this post.'],
  [/deleted or not visible/i, 'rejected', 'The post to reply to is gone, or the account cannot see it.'],
  [/video longer than/i, 'too_large', 'The video is too long for this account.'],
  [
    /not permitted to perform this action/i,
    'rejected',
    'X does not permit this. The text may be too long for the account, or the account may be restricted.',
  ],
  [
    /^400 \S+ media\.media_ids |media ids are invalid/i,
    'rejected',
    'X no longer has the media of this post. Publish it anew.',
  ],
  [/^400 .*\btotal_bytes\b/, 'too_large', 'The file is too large for X.'],
  [/^413 /, 'too_large', 'The file is too large for X.'],
  [/^429 /, 'rate_limited', 'X asks to slow down.'],
];

/** X refuses what the account has posted already, which after an unknown outcome says that it was posted. */
export function isRepeat(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.status === 403 && repeated.test(error.reason ?? '');
}

export async function failure(response: Response, secrets: readonly string[]): Promise<PlatformError> {
  const { status, statusText, headers } = response;
  // The status has arrived: a body that breaks off changes nothing.
  const said = problemIn(parseJson(await response.text().catch(() => '')));
  const reason = redact(said?.words || `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'X is in trouble.', { status, reason });
  // The API answers in JSON. A page is from what stands in front of it, which passed nothing on.
  if (status === 403 && !said) {
    const details = { status, reason, mayHaveHappened: false };
    return new PlatformError('unavailable', 'What stands in front of X did not let the request pass.', details);
  }
  const { kind, message } = meaningOf(`${status} ${said?.code ?? ''} ${reason}`);
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToReset(headers) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds });
}

/** X also refuses with a status of success: `errors`, and nothing of what was asked for. */
export function refusalIn(answer: unknown, secrets: readonly string[]): PlatformError | null {
  const said = problemIn(answer);
  if (!said?.hasErrors) return null;
  const { kind, message } = meaningOf(`200 ${said.code} ${said.words}`);
  return new PlatformError(kind, message, { status: 200, reason: redact(said.words, secrets) });
}

function meaningOf(answer: string): { kind: FailureKind; message: string } {
  const known = meanings.find(([pattern]) => pattern.test(answer));
  return known ? { kind: known[1], message: known[2] } : { kind: 'rejected', message: 'X refused this.' };
}

const words = z.string().optional().catch(undefined);
const parameters = z.record(z.string(), z.unknown()).catch({});
const Problem = z.object({ title: words, type: words, detail: words, message: words, parameters });
const ErrorBody = z.object({
  ...Problem.shape,
  errors: z.array(Problem).catch([]),
  error: words,
  error_description: words,
});

function problemIn(answer: unknown): { code: string; words: string; hasErrors: boolean } | null {
  const body = ErrorBody.safeParse(answer);
  if (!body.success) return null;
  const { errors, error, error_description, ...problem } = body.data;
  const said = [problem, ...errors];
  const type = said.find((one) => one.type?.startsWith('http'))?.type ?? '';
  return {
    code: [error ?? type.slice(type.lastIndexOf('/') + 1), ...said.flatMap((one) => Object.keys(one.parameters))].join(
      ' ',
    ),
    words: [error, error_description, ...said.map((one) => one.detail ?? one.message ?? one.title)]
      .filter(Boolean)
      .join(' '),
    hasErrors: errors.length > 0,
  };
}

/** Three counters run at once, and only those at zero are in the way. One of 24 hours often is while the first is not. */
const counters = ['x-rate-limit', 'x-app-limit-24hour', 'x-user-limit-24hour'];
/** The length of most windows, for an answer that does not say. */
const windowSeconds = 900;

/** Resets are in seconds since 1970, by X's own clock: so is the date of the answer, and ours need not agree. */
function secondsToReset(headers: Headers): number {
  const spent = counters.filter((name) => headers.get(`${name}-remaining`) === '0');
  const resets = (spent.length > 0 ? spent : counters.slice(0, 1)).map((name) => headers.get(`${name}-reset`));
  const reset = Math.max(...resets.map((seconds) => Number(seconds ?? Number.NaN)));
  const seconds = Math.ceil(reset - Date.parse(headers.get('date') ?? '') / 1000);
  return Number.isNaN(seconds) ? windowSeconds : Math.max(1, seconds);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
