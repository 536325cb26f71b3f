export type EgressCode =
  | 'invalid_url'
  | 'protocol'
  | 'credentials'
  | 'port'
  | 'blocked_host'
  | 'dns'
  | 'redirect'
  | 'too_many_redirects'
  | 'timeout'
  | 'too_large'
  | 'failed';

/**
 * Why a request was refused or failed. The message is for the user who gave the address: it names what they wrote,
 * never the addresses behind it. There is no `cause` for the same reason: Node's errors contain addresses.
 */
export class EgressError extends Error {
  override name = 'EgressError';
  readonly code: EgressCode;
  /** Whether any part of the request may have been sent. False proves that no server received anything. */
  readonly sent: boolean;
  /** The system's error code, such as ECONNREFUSED. */
  readonly reason: string | null;

  constructor(code: EgressCode, message: string, details: { sent?: boolean; reason?: string | null } = {}) {
    super(message);
    this.code = code;
    this.sent = details.sent ?? false;
    this.reason = details.reason ?? null;
  }
}

export function blockedHost(host: string): EgressError {
  return new EgressError('blocked_host', `${host} is, or leads to, a private, local or reserved address.`);
}

/** Turns any error into an EgressError, keeping what is known about sending. */
export function explain(error: unknown, host: string, sent: boolean): EgressError {
  if (error instanceof EgressError) return new EgressError(error.code, error.message, { sent, reason: error.reason });
  const reason = errorCode(error);
  if (reason !== null && timeouts.has(reason)) {
    return new EgressError('timeout', `${host} did not respond in time.`, { sent, reason });
  }
  const what = sent ? `The connection to ${host} was lost` : `${host} could not be reached`;
  return new EgressError('failed', reason === null ? `${what}.` : `${what} (${reason}).`, { sent, reason });
}

const timeouts: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
