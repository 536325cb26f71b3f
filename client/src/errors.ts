import type { Problem, ProblemCode, ValidationReport } from './types.gen.ts';

/** A failed request. Branch on `code` or on the class. */
export class CrierError extends Error {
  override name = 'CrierError';
  /** For example `VALIDATION_FAILED`. More codes may be added. */
  readonly code: ProblemCode | (string & {});
  /** The status of the response, or null without one. */
  readonly status: number | null;
  /** What to do instead. */
  readonly hint: string | undefined;
  /** The invalid field of the request, as a dotted path. */
  readonly field: string | undefined;
  /** Include it in support requests. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The response body. */
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

/** The key or session is missing or invalid. */
export class AuthenticationError extends CrierError {
  override name = 'AuthenticationError';
}
/** The key or session is valid but lacks permission. */
export class PermissionError extends CrierError {
  override name = 'PermissionError';
}
/** The plan limit is reached: `body` has `metric`, `limit`, `used` and the reset time. */
export class PlanLimitError extends CrierError {
  override name = 'PlanLimitError';
}
export class NotFoundError extends CrierError {
  override name = 'NotFoundError';
}
/** The request is invalid. If networks would reject the post, `validation` lists the reasons. */
export class ValidationError extends CrierError {
  override name = 'ValidationError';
  get validation(): ValidationReport | undefined {
    return this.body.validation as ValidationReport | undefined;
  }
}
/** The idempotency key was used for a different request, or its first request is still running. */
export class IdempotencyError extends CrierError {
  override name = 'IdempotencyError';
}
/** The resource is no longer in the state that the request expects. */
export class ConflictError extends CrierError {
  override name = 'ConflictError';
}
/** Too many requests: wait `retryAfterSeconds`. */
export class RateLimitError extends CrierError {
  override name = 'RateLimitError';
}
/** The service failed. */
export class ServiceError extends CrierError {
  override name = 'ServiceError';
}
/** The service is unreachable or did not respond. */
export class ConnectionError extends CrierError {
  override name = 'ConnectionError';
}
/** The operation exceeded its timeout. */
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

/** Maps a response to its error. */
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

/** `Retry-After` is a number of seconds, or a date by the service's clock. */
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
