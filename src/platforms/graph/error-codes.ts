import { type FailureKind, messages } from '../kit/index.ts';

/** What helps besides a later attempt by the engine: polling again soon, or creating another container. */
export type Recovery = 'wait' | 'renew';

/** What one of Meta's error codes means for the post, and the message for its owner. */
export interface ErrorRule {
  readonly kind: FailureKind;
  readonly message: string;
  readonly recovery?: Recovery | undefined;
  /** Only for codes with several meanings: Meta's message must match. */
  readonly matching?: RegExp;
  /** Minimum duration of a rate limit, whatever the usage header estimates. */
  readonly minRetrySeconds?: number;
  /** Default: false, because an error with a reason is a refusal. */
  readonly mayHaveHappened?: boolean;
}

/** The first entry that lists a code wins. */
export type ErrorTable = readonly (readonly [codes: readonly number[], rule: ErrorRule])[];

export const rejected = (message: string): ErrorRule => ({ kind: 'rejected', message });
export const tooLarge = (message: string): ErrorRule => ({ kind: 'too_large', message });
export const unavailable = (message: string): ErrorRule => ({ kind: 'unavailable', message });
export const auth = (message: string): ErrorRule => ({ kind: 'auth', message });
export const rateLimited = (message: string, minRetrySeconds = 0): ErrorRule => ({
  kind: 'rate_limited',
  message,
  minRetrySeconds,
});

export const findRule = (table: ErrorTable, code: number, message = ''): ErrorRule | undefined =>
  table.find(([codes, { matching }]) => codes.includes(code) && (matching?.test(message) ?? true))?.[1];

export function codeRange(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The post limit is a sliding window of 24 hours, so a post may become possible at any time. */
export const quotaRetrySeconds = 3600;

/** Shared by Instagram and Threads. */
export function commonRules(name: string) {
  const permissionMissing = auth(messages.permissionMissing(name));
  const quotaUsedUp = rateLimited(messages.quotaUsedUp(name), quotaRetrySeconds);
  const temporary = unavailable(messages.temporaryError(name));
  const throttled = rateLimited(messages.rateLimited(name));
  const tokenRejected = auth(messages.tokenRejected(name));
  const table: ErrorTable = [
    [[1, 2], temporary],
    [[4, 17, 32, 613], throttled],
    [[9], quotaUsedUp],
    [[10, ...codeRange(200, 299)], permissionMissing],
    [[101], unavailable(messages.applicationUnknown(name))],
    [[102, 190], tokenRejected],
  ];
  const mediaFailed = rejected(`${name} could not process the media. Check the file and upload it again.`);
  const byStatus: Readonly<Record<number, ErrorRule>> = {
    401: tokenRejected,
    403: permissionMissing,
    413: tooLarge(messages.fileTooLarge(name)),
    429: throttled,
  };
  return { table, byStatus, temporary, throttled, permissionMissing, quotaUsedUp, mediaFailed };
}
