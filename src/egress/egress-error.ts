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
 * Why an address was not asked, or did not answer. The message is for the person who gave the address: it names what
 * they wrote, never what we found behind it. There is no `cause` for the same reason: Node's errors hold addresses.
 */
export class EgressError extends Error {
  override name = 'EgressError';
  readonly code: EgressCode;
  /** Whether any part of a request may have left us. False is proof that nobody was asked to do anything. */
  readonly sent: boolean;
  /** The system's word for it, such as ECONNREFUSED. */
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

/** The same failure in our words, with what is known about sending by now. */
export function explain(error: unknown, host: string, sent: boolean): EgressError {
  if (error instanceof EgressError) return new EgressError(error.code, error.message, { sent, reason: error.reason });
  const reason = errorCode(error);
  if (reason !== null && timeouts.has(reason)) {
    return new EgressError('timeout', `${host} did not answer in time.`, { sent, reason });
  }
  const what = sent ? `The connection to ${host} broke` : `${host} could not be reached`;
  return new EgressError('failed', reason === null ? `${what}.` : `${what} (${reason}).`, { sent, reason });
}

const timeouts: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
