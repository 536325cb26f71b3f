import { type output, type ZodType, z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from '../kit/index.ts';

interface Meaning {
  /** Facebook gives most of them as `code` at times and as `error_subcode` at others. */
  codes: readonly number[];
  kind: FailureKind;
  message: string;
  /** Only where the code means many things. */
  words?: RegExp;
  leastSeconds?: number;
  mayHaveHappened?: false;
}

const reconnect = 'Connect the Page again.';
const applicationRefused =
  'Facebook does not accept the application of this service. Its operator has to check the app id and secret.';
const notPermitted = `Facebook does not permit this. Check that you may still create content on the Page. ${reconnect} Allow all that is asked.`;
const blockSeconds = 3600;

/** First match wins, the subcode's before the code's (docs and live answers as of 2026-10). Not here: refused. */
const meanings: readonly Meaning[] = [
  {
    codes: [1, 100],
    words: /appsecret_proof|client secret/i,
    kind: 'unavailable',
    message: applicationRefused,
    mayHaveHappened: false,
  },
  { codes: [101], kind: 'unavailable', message: applicationRefused, mayHaveHappened: false },
  { codes: [3], kind: 'rejected', message: 'Facebook has not given this service the permission to do this.' },

  { codes: [458], kind: 'auth', message: `The permission to post was withdrawn at Facebook. ${reconnect}` },
  { codes: [460], kind: 'auth', message: `The Facebook password was changed, which ends all access. ${reconnect}` },
  {
    codes: [459, 464],
    kind: 'auth',
    message: `Facebook wants to check who you are. Sign in at facebook.com, then connect the Page again.`,
  },
  { codes: [463], kind: 'auth', message: `Access to the Page has expired. ${reconnect}` },
  { codes: [492], kind: 'auth', message: `You no longer have a role at this Page. Ask for one. ${reconnect}` },
  { codes: [102, 190, 467, 490], kind: 'auth', message: `Facebook no longer accepts the access token. ${reconnect}` },
  { codes: [1363005, 1363042], kind: 'auth', message: notPermitted },
  {
    codes: [1404078, 4854002],
    kind: 'rejected',
    message: 'Facebook wants you to confirm your identity before the Page may post. Do so at facebook.com.',
  },

  { codes: [4, 17, 32, 341, 613, 80001], kind: 'rate_limited', message: 'Facebook asks to slow down.' },
  {
    codes: [368, 1404006, 1404112],
    kind: 'rate_limited',
    message: 'Facebook has blocked the Page from posting for a while. See at facebook.com why.',
    leastSeconds: blockSeconds,
  },

  { codes: [506], kind: 'rejected', message: 'Facebook refuses to post the same text again. Change it.' },
  { codes: [1366051], kind: 'rejected', message: 'Facebook has these photos on the Page already.' },
  { codes: [1346003, 1404102], kind: 'rejected', message: 'Facebook finds the post to be against its rules.' },
  {
    codes: [1500, 1609005, 1609008, 2061006],
    kind: 'rejected',
    message: 'Facebook does not accept a link in the text.',
  },

  { codes: [324, 2069019], kind: 'rejected', message: 'Facebook cannot read the image. Convert it to JPEG or PNG.' },
  { codes: [1366046], kind: 'too_large', message: 'The image is too large for Facebook, or not in a format it knows.' },
  { codes: [1363022], kind: 'rejected', message: 'The video file is too small to be a video.' },
  { codes: [1363023], kind: 'too_large', message: 'The video file is too large for Facebook.' },
  { codes: [1363025], kind: 'rejected', message: 'The video is too short for Facebook.' },
  { codes: [1363026, 1363128], kind: 'too_large', message: 'The video is too long for Facebook.' },
  {
    codes: [6000, 1363024, 1363031, 1363032, 1363047],
    kind: 'rejected',
    message: 'Facebook cannot read the video. Convert it to MP4 with H.264 and AAC.',
  },
  {
    codes: [1363019, 1363030, 1363033, 1363037, 1363041, 1363045],
    kind: 'unavailable',
    message: 'The upload to Facebook broke off.',
    mayHaveHappened: false,
  },

  { codes: [10, ...range(200, 299)], kind: 'auth', message: notPermitted },
];
const inTrouble: ReadonlySet<number> = new Set([1, 2]);

const words = z.string().optional().catch(undefined);
const code = z.int().optional().catch(undefined);
const ErrorBody = z.object({
  error: z.object({
    message: words,
    code,
    error_subcode: code,
    is_transient: z.boolean().optional().catch(undefined),
    error_user_title: words,
    error_user_msg: words,
  }),
});
type Said = output<typeof ErrorBody>['error'];

export async function failure(response: Response, secrets: readonly string[]): Promise<PlatformError> {
  const { status, statusText, headers } = response;
  // The status has arrived: a body that breaks off changes nothing.
  const said = ErrorBody.safeParse(parseJson(await response.text().catch(() => ''))).data?.error;
  const reason = redact(said ? reasonOf(said) : `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'Facebook is in trouble.', { status, reason });
  const { kind, message, leastSeconds, mayHaveHappened } = meaningOf(said, status);
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToWait(headers, leastSeconds) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds, mayHaveHappened });
}

/** Whether Facebook gave one of these numbers for what it said. */
export function hasCode(error: unknown, ...codes: number[]): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  const given = /^\(#([\d/]+)\)/.exec(error.reason ?? '')?.[1]?.split('/') ?? [];
  return codes.some((one) => given.includes(String(one)));
}

/** Facebook's own words after its numbers: "(#190/460) Error validating access token". */
function reasonOf({ code, error_subcode, message = '', error_user_title, error_user_msg }: Said): string {
  const numbers = [code, error_subcode].filter((number) => number !== undefined).join('/');
  const said = [message.replace(/^\(#\d+\) */, ''), error_user_title, error_user_msg];
  return [numbers && `(#${numbers})`, ...new Set(said)].filter(Boolean).join(' ');
}

function meaningOf(said: Said | undefined, status: number): Omit<Meaning, 'codes'> {
  if (status === 413) return { kind: 'too_large', message: 'The file is too large for Facebook.' };
  // The API answers in JSON. Anything else is from what stands in front of it, which passed nothing on.
  if (!said) return { kind: 'unavailable', message: senseless, mayHaveHappened: false };
  const { code = 0, error_subcode: subcode = 0, is_transient, message = '' } = said;
  const known = knownAs(subcode, message) ?? knownAs(code, message);
  if (known) return known;
  if (is_transient || inTrouble.has(code)) return { kind: 'unavailable', message: 'Facebook is in trouble.' };
  return { kind: 'rejected', message: 'Facebook refused this.' };
}

const knownAs = (number: number, message: string) =>
  meanings.find(({ codes, words }) => codes.includes(number) && (words === undefined || words.test(message)));

const Usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().default(0) })));
const secondsPerMinute = 60;
/** For an answer that does not say. */
const usualSeconds = 900;

/** The header tells minutes, for each of the limits of each Page that this call counts for. */
function secondsToWait(headers: Headers, leastSeconds = 1): number {
  const usage = Usage.safeParse(parseJson(headers.get('x-business-use-case-usage') ?? '')).data ?? {};
  const minutes = Object.values(usage).flatMap((limits) => limits.map((one) => one.estimated_time_to_regain_access));
  const seconds = Math.ceil(Math.max(0, ...minutes) * secondsPerMinute);
  return Math.max(leastSeconds, seconds || usualSeconds);
}

const senseless = 'Facebook gave an answer that makes no sense.';

export async function parseAnswer<T extends ZodType>(answer: T, response: Response): Promise<output<T>> {
  const parsed = answer.safeParse(parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', senseless, {
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

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
