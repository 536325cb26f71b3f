import { type output, type ZodType, z } from 'zod';
import type { Json } from '../../lib/json.ts';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from '../kit/index.ts';

/** Of a refusal by the API or, with `error`, by OAuth. Which fields are there differs from one resource to the next. */
const ErrorBody = z.object({
  message: z.string().optional(),
  code: z.string().optional(),
  serviceErrorCode: z.number().optional(),
  errorDetails: z
    .object({
      inputErrors: z.array(z.object({ code: z.string().optional(), description: z.string().optional() })).optional(),
    })
    .optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});
type ErrorBody = output<typeof ErrorBody>;

/** Older resources give only the number. */
const namesOfNumbers: Readonly<Record<number, string>> = {
  100: 'ACCESS_DENIED',
  101: 'TOO_MANY_REQUESTS',
  65600: 'INVALID_ACCESS_TOKEN',
  65601: 'REVOKED_ACCESS_TOKEN',
  65602: 'EXPIRED_ACCESS_TOKEN',
};

interface Meaning {
  status?: number;
  code?: string;
  /** Only where there is no code to go by. */
  words?: RegExp;
  kind: FailureKind;
  message: string;
}

const notYetThere = 'LinkedIn is not ready with the post yet.';
const outdated =
  'LinkedIn no longer speaks the version of its API that this service uses. The service needs an update.';
const applicationRefused =
  'LinkedIn does not accept the application of this service. Its operator has to check the client id and secret.';
const notPermitted =
  'LinkedIn does not permit this. Check that you may still post for this account or page, then connect again.';

/** First match wins (docs and live answers as of 2026-11). What is not here is a refusal of what was sent. */
const meanings: readonly Meaning[] = [
  { code: 'invalid_client', kind: 'unavailable', message: applicationRefused },
  { code: 'invalid_grant', kind: 'auth', message: 'LinkedIn does not accept the sign-in. Connect again.' },
  { code: 'invalid_request', kind: 'auth', message: 'LinkedIn does not accept the sign-in. Connect again.' },
  { code: 'REVOKED_ACCESS_TOKEN', kind: 'auth', message: 'Access to the LinkedIn account was revoked. Connect again.' },
  { code: 'EXPIRED_ACCESS_TOKEN', kind: 'auth', message: 'Access to the LinkedIn account has expired. Connect again.' },
  { status: 401, kind: 'auth', message: 'LinkedIn does not accept the access token. Connect again.' },
  { code: 'ACCESS_DENIED', kind: 'auth', message: notPermitted },
  { code: 'VERSION_MISSING', kind: 'unavailable', message: outdated },
  { status: 426, kind: 'unavailable', message: outdated },
  { status: 429, kind: 'rate_limited', message: 'The daily quota for this at LinkedIn is used up.' },
  { status: 413, kind: 'too_large', message: 'The file is too large for LinkedIn.' },
  { code: 'DUPLICATE_POST', kind: 'rejected', message: 'LinkedIn already has a post with this text.' },
  { words: /duplicate of urn:li:/i, kind: 'rejected', message: 'LinkedIn already has a post with this text.' },
  { words: /Unable to obtain activity/i, kind: 'unavailable', message: notYetThere },
  { code: 'FIELD_LENGTH_TOO_LONG', kind: 'rejected', message: 'The text is too long for LinkedIn.' },
  { code: 'MEDIA_ASSET_PROCESSING_FAILED', kind: 'rejected', message: 'LinkedIn could not process the media.' },
  { status: 409, kind: 'unavailable', message: 'LinkedIn was busy with something that this is in conflict with.' },
];

export interface FailureContext {
  now: Date;
  /** What must not show, should the answer repeat it. */
  secrets: readonly string[];
}

export async function failure(response: Response, { now, secrets }: FailureContext): Promise<PlatformError> {
  const { status, statusText } = response;
  // The status has arrived: a body that breaks off changes nothing.
  const answer = parseJson(await response.text().catch(() => ''));
  const cause = parseJson(redact(JSON.stringify(answer), secrets));
  const body = ErrorBody.safeParse(answer).data ?? {};
  const code = codeOf(body);
  const said = wordsOf(body, code);
  const reason = redact(said || `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'LinkedIn is in trouble.', { status, reason, cause });
  const meaning = meanings.find(
    (known) =>
      (known.status === undefined || known.status === status) &&
      (known.code === undefined || known.code === code) &&
      (known.words === undefined || known.words.test(said)),
  );
  const { kind, message } = meaning ?? unlisted(said);
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToWait(response.headers, now) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds, mayHaveHappened: false, cause });
}

const Answer = z.record(z.string(), z.json());

/** The refusal as LinkedIn sent it, or what is known of it. */
export function answerIn({ cause, status, reason, message }: PlatformError): { [field: string]: Json } {
  return Answer.safeParse(cause).data ?? { ...(status !== null && { status }), message: reason ?? message };
}

/** The API answers in JSON. Anything else is from what stands in front of it, which passed nothing on. */
function unlisted(said: string): Pick<Meaning, 'kind' | 'message'> {
  if (said === '') return { kind: 'unavailable', message: 'LinkedIn gave an answer that makes no sense.' };
  return { kind: 'rejected', message: 'LinkedIn refused this.' };
}

function codeOf({ error, code, errorDetails, serviceErrorCode }: ErrorBody): string | undefined {
  const numbered = serviceErrorCode === undefined ? undefined : namesOfNumbers[serviceErrorCode];
  return error ?? code ?? errorDetails?.inputErrors?.[0]?.code ?? numbered;
}

function wordsOf({ message, error_description, errorDetails }: ErrorBody, code: string | undefined): string {
  const details = errorDetails?.inputErrors?.map(({ description }) => description) ?? [];
  const words = [...new Set([error_description, message, ...details])].filter(Boolean).join(' ');
  return [code, words].filter(Boolean).join(': ');
}

const dayMs = 86_400_000;
const leastSeconds = 60;

/** Quotas are for a day and begin anew at midnight UTC; LinkedIn rarely says so itself. */
function secondsToWait(headers: Headers, now: Date): number {
  const told = Number(headers.get('retry-after') ?? Number.NaN);
  if (told > 0) return Math.ceil(told);
  return Math.max(leastSeconds, Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000));
}

export async function parseAnswer<T extends ZodType>(answer: T, response: Response): Promise<output<T>> {
  const parsed = answer.safeParse(parseJson(await response.text()));
  if (parsed.success) return parsed.data;
  throw new PlatformError('unavailable', 'LinkedIn gave an answer that makes no sense.', {
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
