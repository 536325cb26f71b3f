import { z } from 'zod';
import { redact } from '../../foundation/lib/redact.ts';
import {
  type FailureDetails,
  type FailureKind,
  messages,
  PlatformError,
  parseJson,
  statusLine,
  type VendorApi,
} from '../kit/index.ts';
import { type ErrorRule, type ErrorTable, findRule, type Recovery, rejected, unavailable } from './error-codes.ts';

/** An error that one of Meta's platforms reported. */
export class GraphError extends PlatformError {
  readonly rule: ErrorRule;
  readonly recovery: Recovery | null;
  /** Meta's `code` and `error_subcode`. */
  readonly codes: readonly number[];

  constructor(rule: ErrorRule, details: Omit<FailureDetails, 'mayHaveHappened'>, codes: readonly number[] = []) {
    super(rule.kind, rule.message, { ...details, mayHaveHappened: rule.mayHaveHappened ?? false });
    this.rule = rule;
    this.recovery = rule.recovery ?? null;
    this.codes = codes;
  }
}

export const hasRecovery = (error: unknown, recovery: Recovery): error is GraphError =>
  error instanceof GraphError && error.recovery === recovery;

export const hasCode = (error: unknown, ...codes: readonly number[]): error is GraphError =>
  error instanceof GraphError && codes.some((code) => error.codes.includes(code));

/** The error for an object that does not exist, that the caller may not see, or that does not allow the request. */
export const isNoObject = (error: unknown) => hasCode(error, 33) && hasCode(error, 100);

/** The same failure, for when its place in the flow says more than its code. */
export function reclassify(error: PlatformError, kind: FailureKind, message: string): PlatformError {
  const { status, reason } = error;
  return new PlatformError(kind, message, {
    ...(status !== null && { status }),
    ...(reason !== null && { reason }),
    cause: error,
  });
}

export interface GraphErrors {
  readonly name: string;
  /** Meta sends most numbers sometimes as `code` and sometimes as `error_subcode`, so one table serves both. */
  readonly table: ErrorTable;
  /** For responses without a code in the table. */
  readonly byStatus: Readonly<Record<number, ErrorRule>>;
  /** For errors that Meta marks as temporary. */
  readonly temporary: ErrorRule;
  /** The platform's own message. */
  reasonOf?(error: GraphErrorBody): string;
}

const text = z.string().optional().catch(undefined);
const code = z.number().optional().catch(undefined);
const GraphErrorBody = z.object({
  message: text,
  code,
  error_subcode: code,
  is_transient: z.boolean().catch(false),
  error_user_title: text,
  error_user_msg: text,
});
export type GraphErrorBody = z.output<typeof GraphErrorBody>;
const ErrorResponse = z.object({ error: GraphErrorBody }).transform(({ error }) => error);
/** Token endpoints use a different shape, in which the code is the HTTP status. */
const TokenErrorResponse = z
  .object({ error_message: z.string() })
  .transform(({ error_message }) => GraphErrorBody.parse({ message: error_message }));

/** Reads the error in a response, even one with a success status, which Meta has been seen to send. */
export function errorReader(errors: GraphErrors): VendorApi['failureIn'] {
  const { reasonOf = joinMessages } = errors;
  return (response, body, { secrets }) => {
    const { ok, status, headers } = response;
    const error = ErrorResponse.safeParse(body).data ?? (ok ? undefined : TokenErrorResponse.safeParse(body).data);
    if (ok && !error) return null;
    const rule = classify(status, error, errors);
    const details = {
      status,
      reason: redact((error && reasonOf(error)) || statusLine(response), secrets),
      ...(rule.kind === 'rate_limited' && { retryAfterSeconds: secondsToWait(headers, rule) }),
    };
    return new GraphError(rule, details, [error?.code ?? [], error?.error_subcode ?? []].flat());
  };
}

const joinMessages = ({ message, error_user_msg }: GraphErrorBody) =>
  [...new Set([message, error_user_msg])].filter(Boolean).join(' ');

function classify(status: number, error: GraphErrorBody | undefined, errors: GraphErrors): ErrorRule {
  const { name, table, byStatus, temporary } = errors;
  if (status >= 500) return { ...unavailable(messages.serverError(name, status)), mayHaveHappened: true };
  // The API responds with JSON. Anything else comes from a proxy in front of it, which did not forward the request.
  if (!error) return byStatus[status] ?? unavailable(messages.unreadable(name));
  const { code = 0, error_subcode: subcode = 0, is_transient, message } = error;
  const known = findRule(table, subcode, message) ?? findRule(table, code, message);
  if (known) return known;
  return is_transient ? temporary : (byStatus[status] ?? rejected(messages.refused(name)));
}

/** For throttling whose end Meta does not estimate. */
const usualSeconds = 900;

const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().nonnegative().catch(0) })),
);

/** The header estimates minutes, for each limit that the call counts towards. */
function secondsToWait(headers: Headers, { minRetrySeconds = 0 }: ErrorRule): number {
  const usage = Usage.safeParse(parseJson(headers.get('x-business-use-case-usage') ?? '')).data ?? {};
  const minutes = Object.values(usage).flatMap((limits) => limits.map((one) => one.estimated_time_to_regain_access));
  const seconds = Math.ceil(Math.max(0, ...minutes) * 60);
  return Math.max(minRetrySeconds, seconds || usualSeconds);
}
