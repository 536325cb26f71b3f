import type { Problem, ProblemCode, ValidationReport } from './types.gen.ts';

/** A request that did not succeed. Branch on `code`, or on the class. */
export class CrierError extends Error {
  override name = 'CrierError';
  /** For example `VALIDATION_FAILED`. More codes may be added. */
  readonly code: ProblemCode | (string & {});
  /** The status of the answer; null if there was none. */
  readonly status: number | null;
  /** What to do instead. */
  readonly hint: string | undefined;
  /** The field of the request that is wrong, as a dotted path. */
  readonly field: string | undefined;
  /** Quote it when you ask for support. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The whole answer. */
  readonly body: Partial<Problem>;

  constructor(message: string, facts: Facts, options?: ErrorOptions) {
    super(message, options);
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.body = facts.body ?? {};
    this.hint = this.body.hint;
    this.field = this.body.field;
    this.requestId = facts.requestId ?? this.body.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

interface Facts {
  code: string;
  status?: number;
  body?: Partial<Problem>;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** The key or the session is missing or not valid. */
export class AuthenticationError extends CrierError {
  override name = 'AuthenticationError';
}
/** The key or the session is valid, but may not do this. */
export class PermissionError extends CrierError {
  override name = 'PermissionError';
}
/** The plan does not allow more: `body` has `metric`, `limit`, `used` and when it resets. */
export class PlanLimitError extends CrierError {
  override name = 'PlanLimitError';
}
export class NotFoundError extends CrierError {
  override name = 'NotFoundError';
}
/** The request is not valid. If networks would refuse the post, `validation` lists why. */
export class ValidationError extends CrierError {
  override name = 'ValidationError';
  get validation(): ValidationReport | undefined {
    return this.body.validation as ValidationReport | undefined;
  }
}
/** The key of the request was used for another one, or that one is still running. */
export class IdempotencyError extends CrierError {
  override name = 'IdempotencyError';
}
/** What the request wants to change is no longer as it was. */
export class ConflictError extends CrierError {
  override name = 'ConflictError';
}
/** Too many requests: wait for `retryAfterSeconds`. */
export class RateLimitError extends CrierError {
  override name = 'RateLimitError';
}
/** The service failed. */
export class ServiceError extends CrierError {
  override name = 'ServiceError';
}
/** The service cannot be reached, or did not answer. */
export class ConnectionError extends CrierError {
  override name = 'ConnectionError';
}
/** Something took longer than you wanted to wait. */
export class TimeoutError extends CrierError {
  override name = 'TimeoutError';
}
/** The request to your webhook is not from Crier, or is too old. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

const planLimits = [
  'POST_LIMIT_REACHED',
  'SCHEDULED_POST_LIMIT_REACHED',
  'SCHEDULE_HORIZON_REACHED',
  'CONNECTIONS_OVER_LIMIT',
  'CHANNEL_LIMIT_REACHED',
];

/** The error for an answer. */
export function errorOf(response: Response, body: Partial<Problem>): CrierError {
  const { status, headers } = response;
  const code = body.code ?? `HTTP_${status}`;
  const facts: Facts = {
    code,
    status,
    body,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(headers),
  };
  const about = body.message ?? body.error ?? `The service returned status ${status}.`;
  return new (classFor(code, status))(body.hint ? `${about} ${body.hint}` : about, facts);
}

/** `Retry-After` is a number of seconds, or a date on the clock of the service. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function classFor(code: string, status: number): typeof CrierError {
  if (planLimits.includes(code)) return PlanLimitError;
  if (code.startsWith('IDEMPOTENCY_')) return IdempotencyError;
  if (status >= 500) return ServiceError;
  return byStatus[status] ?? CrierError;
}

const byStatus: Record<number, typeof CrierError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  422: ValidationError,
  429: RateLimitError,
};
