import { type output, z } from 'zod';
import type { Json } from '../../foundation/lib/json.ts';
import { redact } from '../../foundation/lib/redact.ts';
import { shortenStrings } from '../../foundation/text/shorten.ts';
import {
  commonErrors,
  type KnownError,
  type PlatformError,
  parseJson,
  refusal,
  secondsIn,
  type VendorApi,
} from '../kit/index.ts';

const common = commonErrors('LinkedIn');
const versionRetired: KnownError = {
  kind: 'unavailable',
  message:
    'LinkedIn has retired the API version that this service uses. The operator of this service must set LINKEDIN_VERSION to a newer one.',
};

interface ErrorMatch {
  readonly status?: number;
  readonly code?: string;
  /** Only for errors without a code. */
  readonly words?: RegExp;
  readonly error: KnownError;
}

/**
 * The first match wins (documentation and recorded responses as of 2026-11). Unlisted errors mean that LinkedIn refused
 * what was sent.
 */
const knownErrors: readonly ErrorMatch[] = [
  // Until the operator has fixed the application, no connection is to blame.
  { code: 'invalid_client', error: { ...common.applicationUnknown, kind: 'unavailable' } },
  { code: 'invalid_grant', error: common.signInRejected },
  { code: 'invalid_request', error: common.signInRejected },
  {
    code: 'REVOKED_ACCESS_TOKEN',
    error: { kind: 'auth', message: 'Access to the LinkedIn account was revoked. Reconnect the account.' },
  },
  {
    code: 'EXPIRED_ACCESS_TOKEN',
    error: { kind: 'auth', message: 'Access to the LinkedIn account has expired. Reconnect the account.' },
  },
  { status: 401, error: common.tokenRejected },
  {
    code: 'ACCESS_DENIED',
    error: {
      kind: 'auth',
      message:
        'LinkedIn does not permit this. Check that you may still post for this account or page, then reconnect it.',
    },
  },
  { code: 'VERSION_MISSING', error: versionRetired },
  { status: 426, error: versionRetired },
  {
    status: 429,
    error: {
      kind: 'rate_limited',
      message: 'The daily quota for this on LinkedIn is used up. It resets at midnight UTC. Try again after that.',
    },
  },
  { status: 413, error: common.fileTooLarge },
  { code: 'DUPLICATE_POST', error: common.duplicate },
  { words: /duplicate of urn:li:/i, error: common.duplicate },
  {
    words: /Unable to obtain activity/i,
    error: { kind: 'unavailable', message: 'LinkedIn has not finished creating the post yet. Try again later.' },
  },
  { code: 'FIELD_LENGTH_TOO_LONG', error: common.textTooLong },
  { code: 'MEDIA_ASSET_PROCESSING_FAILED', error: common.processingFailed },
  {
    status: 409,
    error: { kind: 'unavailable', message: 'LinkedIn was busy with a conflicting change. Try again later.' },
  },
];

export const failureIn: VendorApi['failureIn'] = (response, body, { now, secrets }) => {
  if (response.ok) return null;
  const { status, headers } = response;
  const parsed = ErrorBody.safeParse(body).data ?? {};
  const code = codeOf(parsed);
  const said = wordsOf(parsed, code);
  // A response without a message is not from the API but from a proxy in front of it, which did not forward the
  // request.
  const unlisted = said === '' ? common.unreadable : undefined;
  const known = knownErrors.find((match) => isMatch(match, status, code, said))?.error ?? unlisted;
  const retryAfterSeconds = secondsIn('retry-after', headers) ?? secondsToMidnight(now);
  const cause = parseJson(redact(JSON.stringify(body), secrets));
  return refusal(response, {
    name: 'LinkedIn',
    said,
    known,
    secrets,
    retryAfterSeconds,
    reasonLength: passedOnLength,
    cause,
  });
};

const isMatch = (match: ErrorMatch, status: number, code: string | undefined, said: string) =>
  (match.status === undefined || match.status === status) &&
  (match.code === undefined || match.code === code) &&
  (match.words === undefined || match.words.test(said));

/** Callers get LinkedIn's own response, with each text cut to this length. */
const passedOnLength = 4000;

/** The fields of a body that are passed on. */
export const PassedOn = z.record(
  z.string(),
  z.json().transform((field) => shortenStrings(field, passedOnLength)),
);

/** LinkedIn's refusal as sent, or what is known of it. */
export function answerIn({ cause, status, reason, message }: PlatformError): { [field: string]: Json } {
  return PassedOn.safeParse(cause).data ?? { ...(status !== null && { status }), message: reason ?? message };
}

/** An error of the API or, with `error`, of OAuth. Its fields vary between resources. */
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

/** Older resources return only the number. */
const codesByNumber: Readonly<Record<number, string>> = {
  100: 'ACCESS_DENIED',
  101: 'TOO_MANY_REQUESTS',
  65600: 'INVALID_ACCESS_TOKEN',
  65601: 'REVOKED_ACCESS_TOKEN',
  65602: 'EXPIRED_ACCESS_TOKEN',
};

function codeOf({ error, code, errorDetails, serviceErrorCode }: ErrorBody): string | undefined {
  const numbered = serviceErrorCode === undefined ? undefined : codesByNumber[serviceErrorCode];
  return error ?? code ?? errorDetails?.inputErrors?.[0]?.code ?? numbered;
}

function wordsOf({ message, error_description, errorDetails }: ErrorBody, code: string | undefined): string {
  const details = errorDetails?.inputErrors?.map(({ description }) => description) ?? [];
  const words = [...new Set([error_description, message, ...details])].filter(Boolean).join(' ');
  return [code, words].filter(Boolean).join(': ');
}

const dayMs = 86_400_000;
const minSeconds = 60;

/** Quotas are per day and reset at midnight UTC. LinkedIn rarely says so itself. */
const secondsToMidnight = (now: Date) => Math.max(minSeconds, Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000));
