import { storable } from '../../lib/storable.ts';

/** Why a network said no. A closed set: what follows from each is one table, in `publishing/`. */
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
  /** HTTP status the network answered with. */
  status?: number;
  /** The network's own words. */
  reason?: string;
  retryAfterSeconds?: number;
  /** The contract's name for this very failure, where that of its kind is too general. */
  code?: string;
  /** Whether the network may have done what was asked, although it did not say so. */
  mayHaveHappened?: boolean;
  cause?: unknown;
}

/** The only error an adapter throws. */
export class PlatformError extends Error {
  override name = 'PlatformError';
  readonly kind: FailureKind;
  readonly status: number | null;
  readonly reason: string | null;
  readonly retryAfterSeconds: number | null;
  readonly code: string | null;
  readonly mayHaveHappened: boolean;

  constructor(kind: FailureKind, message: string, details: FailureDetails = {}) {
    super(storable(message), { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? null;
    this.reason = details.reason === undefined ? null : storable(details.reason);
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.code = details.code ?? null;
    this.mayHaveHappened = details.mayHaveHappened ?? doubtful.has(kind);
  }
}

/** A refusal is proof that nothing happened; silence and server trouble are not. */
const doubtful: ReadonlySet<FailureKind> = new Set(['unavailable', 'timeout', 'unknown_outcome']);
