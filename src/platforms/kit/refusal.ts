import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from './failure.ts';
import { statusLine } from './http.ts';
import { messages } from './messages.ts';

/** What one of a vendor's errors means to us: its kind, and what people read. */
export interface KnownError {
  readonly kind: FailureKind;
  readonly message: string;
  /** Where the vendor never says when to try again. */
  readonly retryAfterSeconds?: number;
}

/** The errors that most vendors have, by their message in `messages`. */
export const commonErrors = (name: string) =>
  ({
    temporaryError: { kind: 'unavailable', message: messages.temporaryError(name) },
    unreadable: { kind: 'unavailable', message: messages.unreadable(name) },
    fileNotFetched: { kind: 'unavailable', message: messages.fileNotFetched(name) },
    mediaProcessing: { kind: 'unavailable', message: messages.mediaProcessing(name) },
    rateLimited: { kind: 'rate_limited', message: messages.rateLimited(name) },
    quotaUsedUp: { kind: 'rate_limited', message: messages.quotaUsedUp(name) },
    applicationQuota: { kind: 'rate_limited', message: messages.applicationQuota(name) },
    tokenRejected: { kind: 'auth', message: messages.tokenRejected(name) },
    signInRejected: { kind: 'auth', message: messages.signInRejected(name) },
    permissionMissing: { kind: 'auth', message: messages.permissionMissing(name) },
    accountRestricted: { kind: 'auth', message: messages.accountRestricted(name) },
    fileTooLarge: { kind: 'too_large', message: messages.fileTooLarge(name) },
    applicationUnknown: { kind: 'rejected', message: messages.applicationUnknown(name) },
    applicationForbidden: { kind: 'rejected', message: messages.applicationForbidden(name) },
    fileUnreadable: { kind: 'rejected', message: messages.fileUnreadable(name) },
    processingFailed: { kind: 'rejected', message: messages.processingFailed(name) },
    mediaGone: { kind: 'rejected', message: messages.mediaGone(name) },
    textTooLong: { kind: 'rejected', message: messages.textTooLong(name) },
    duplicate: { kind: 'rejected', message: messages.duplicate(name) },
    refused: { kind: 'rejected', message: messages.refused(name) },
  }) as const satisfies Record<string, KnownError>;

export interface Refusal {
  /** The vendor's name, for people. */
  readonly name: string;
  /** The vendor's own words; empty if the response holds none. */
  readonly said: string;
  /** The entry for it in the vendor's table of errors. A server error counts as one whatever it says. */
  readonly known: KnownError | undefined;
  /** Must not appear in the error, should the vendor repeat what was sent. */
  readonly secrets: readonly string[];
  /** When a rate limit resets, by the vendor's headers. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The error for a response that refuses a request. */
export function refusal(response: Response, { name, said, known, secrets, ...more }: Refusal): PlatformError {
  const { status } = response;
  const reason = redact(said || statusLine(response), secrets);
  const { cause } = more;
  if (status >= 500)
    return new PlatformError('unavailable', messages.serverError(name, status), { status, reason, cause });
  const { kind, message, retryAfterSeconds = more.retryAfterSeconds } = known ?? unlisted(status, said, name);
  const wait = kind === 'rate_limited' ? retryAfterSeconds : null;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds: wait, mayHaveHappened: false, cause });
}

/** APIs explain what they refuse. A 403 without a word is from a firewall in front of one, which passed nothing on. */
function unlisted(status: number, said: string, name: string): KnownError {
  if (status === 403 && said === '') return { kind: 'unavailable', message: messages.blocked(name) };
  return commonErrors(name).refused;
}
