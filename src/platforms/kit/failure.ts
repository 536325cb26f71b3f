import { storable } from '../../foundation/lib/storable.ts';
import { shorten } from '../../foundation/text/shorten.ts';

/** A network's message is stored and passed on, so a hostile or broken network must not control its length. */
export const maxReasonLength = 1000;

/** Why a platform call failed. A closed set: one table in `publishing/` decides what follows from each kind. */
export type FailureKind =
  | 'auth'
  | 'rejected'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'unknown_outcome';

export interface FailureDetails {
  /** HTTP status of the platform's response. */
  status?: number | null | undefined;
  /** The platform's own message. */
  reason?: string | null | undefined;
  /** Set to pass on more than `maxReasonLength` characters. */
  reasonLength?: number | undefined;
  retryAfterSeconds?: number | null | undefined;
  /** The contract's code for this failure, if the code of its kind is too general. */
  code?: string | null | undefined;
  /** Whether the platform may have done what was asked without confirming it. Default: by the kind. */
  mayHaveHappened?: boolean;
  /** What the failed post shows on the platform all the same. */
  visible?: VisiblePart | null;
  cause?: unknown;
}

type VisiblePart = Readonly<{ id: string; url: string | null }>;

/** The only error an adapter throws. */
export class PlatformError extends Error {
  override name = 'PlatformError';
  readonly kind: FailureKind;
  readonly status: number | null;
  readonly reason: string | null;
  readonly reasonLength: number;
  readonly retryAfterSeconds: number | null;
  readonly code: string | null;
  readonly mayHaveHappened: boolean;
  readonly visible: VisiblePart | null;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(shorten(storable(message), maxReasonLength), { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? null;
    this.reasonLength = details.reasonLength ?? maxReasonLength;
    this.reason = details.reason == null ? null : shorten(storable(details.reason), this.reasonLength);
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.code = details.code ?? null;
    this.mayHaveHappened = details.mayHaveHappened ?? inDoubt.has(kind);
    this.visible = details.visible ?? null;
  }

  /** The same failure with these changes. */
  with({ kind = this.kind, message = this.message, ...details }: FailureChange): PlatformError {
    const { status, reason, reasonLength, retryAfterSeconds, code, mayHaveHappened, visible, cause } = this;
    return new PlatformError(kind, message, {
      status,
      reason,
      reasonLength,
      retryAfterSeconds,
      code,
      mayHaveHappened,
      visible,
      cause,
      ...details,
    });
  }
}

interface FailureChange extends FailureDetails {
  kind?: FailureKind;
  message?: string;
}

/** A refusal proves that nothing happened. A missing response or a server error does not. */
const inDoubt: ReadonlySet<FailureKind> = new Set(['unavailable', 'timeout', 'unknown_outcome']);
