import { redact } from '../../../foundation/lib/redact.ts';
import { type FailureKind, PlatformError } from '../failure.ts';
import { messages } from '../messages.ts';
import { statusLine } from './api-calls.ts';

/** What one of a vendor's errors means to us: its kind, and the message for people. */
export interface KnownError {
  readonly kind: FailureKind;
  readonly message: string;
  /** As in `FailureDetails`. */
  readonly code?: string;
  /** For errors where the vendor never says when to retry. */
  readonly retryAfterSeconds?: number;
}

/** Errors that most vendors have, by their key in `messages`. */
export const commonErrors = (name: string) => ({
  temporaryError: error('unavailable', messages.temporaryError(name)),
  unreadable: error('unavailable', messages.unreadable(name)),
  mediaProcessing: error('unavailable', messages.mediaProcessing(name)),
  rateLimited: error('rate_limited', messages.rateLimited(name)),
  applicationQuota: error('rate_limited', messages.applicationQuota(name)),
  tokenRejected: error('auth', messages.tokenRejected(name)),
  signInRejected: error('auth', messages.signInRejected(name)),
  permissionMissing: error('auth', messages.permissionMissing(name)),
  accountRestricted: error('auth', messages.accountRestricted(name)),
  fileTooLarge: error('too_large', messages.fileTooLarge(name)),
  applicationUnknown: error('rejected', messages.applicationUnknown(name)),
  applicationForbidden: error('rejected', messages.applicationForbidden(name)),
  fileUnreadable: error('rejected', messages.fileUnreadable(name)),
  processingFailed: error('rejected', messages.processingFailed(name)),
  mediaGone: error('rejected', messages.mediaGone(name)),
  textTooLong: error('rejected', messages.textTooLong(name)),
  duplicate: error('rejected', messages.duplicate(name)),
  refused: error('rejected', messages.refused(name)),
});

const error = (kind: FailureKind, message: string): KnownError => ({ kind, message });

export interface Refusal {
  /** The vendor's display name. */
  readonly name: string;
  /** The vendor's own message; empty if the response has none. */
  readonly said: string;
  /** The matching entry in the vendor's error table. A server error stays a server error, whatever it says. */
  readonly known: KnownError | undefined;
  /** Must not appear in the error, even if the vendor repeats the request. */
  readonly secrets: readonly string[];
  /** When a rate limit resets, according to the vendor's headers. */
  readonly retryAfterSeconds?: number;
  /** As in `FailureDetails`. */
  readonly reasonLength?: number;
  readonly cause?: unknown;
}

/** The error for a response that refuses a request. */
export function refusal(response: Response, { name, said, known, secrets, ...more }: Refusal): PlatformError {
  const { status } = response;
  const reason = redact(said || statusLine(response), secrets);
  const { cause, reasonLength } = more;
  if (status >= 500)
    return new PlatformError('unavailable', messages.serverError(name, status), {
      status,
      reason,
      reasonLength,
      cause,
    });
  const { kind, message, code, retryAfterSeconds = more.retryAfterSeconds } = known ?? unlisted(status, said, name);
  const wait = kind === 'rate_limited' ? retryAfterSeconds : null;
  return new PlatformError(kind, message, {
    status,
    reason,
    reasonLength,
    retryAfterSeconds: wait,
    code,
    mayHaveHappened: false,
    cause,
  });
}

/**
 * APIs explain their refusals. A 403 without a message comes from a firewall in front, which did not forward the
 * request.
 */
function unlisted(status: number, said: string, name: string): KnownError {
  if (status === 403 && said === '') return { kind: 'unavailable', message: messages.blocked(name) };
  return commonErrors(name).refused;
}
