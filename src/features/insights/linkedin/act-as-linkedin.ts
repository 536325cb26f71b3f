import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { platforms } from '../../../platforms/index.ts';
import { type Context, PlatformError } from '../../../platforms/kit/index.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import { type ActingApp, actAsAccount } from '../../connections/credentials/act-as-account.ts';
import { connectionFor } from '../../connections/find-connection.ts';

export const { actions } = platforms.linkedin;

/** How long a caller waits for LinkedIn, for all requests together. */
const timeoutMs = 30_000;

export const timeLimit = ({ platformAccess }: ActingApp) =>
  AbortSignal.timeout(Math.min(timeoutMs, platformAccess.timeoutMs));

export async function linkedinConnection(app: ActingApp, userId: string, accountId: string): Promise<StoredConnection> {
  const connection = await connectionFor(app, userId, 'linkedin', accountId);
  if (!connection) throw new Problem('linkedin_connection_not_found');
  return connection;
}

/** Additional fields of an error response. */
export type Details = (error: PlatformError) => Readonly<Record<string, unknown>>;

export interface ActOptions {
  /** The problem to throw on failure. */
  failure: ProblemKey;
  details?: Details;
  signal?: AbortSignal;
}

/** Runs `work` as the LinkedIn account, within the timeout. Throws Problem. */
export async function actAsLinkedIn<T>(
  app: ActingApp,
  connection: StoredConnection,
  { failure, details = asText, signal = timeLimit(app) }: ActOptions,
  work: (ctx: Context<never>) => Promise<T>,
): Promise<T> {
  try {
    return await actAsAccount(app, platforms.linkedin, connection, signal, work);
  } catch (error) {
    throw problemFrom(error, failure, details, signal);
  }
}

const asText: Details = ({ reason, message }) => ({ details: reason ?? message });

/** If LinkedIn rejects the request, its status is forwarded. Any other failure gets the status of the problem. */
const forwarded: ReadonlySet<number> = new Set([400, 403, 404, 409, 413, 422]);

function problemFrom(error: unknown, failure: ProblemKey, details: Details, signal: AbortSignal): unknown {
  if (error instanceof Problem) return error;
  if (signal.aborted) return new Problem('linkedin_request_timeout');
  if (!(error instanceof PlatformError)) return error;
  const { kind, status, retryAfterSeconds } = error;
  if (kind === 'timeout') return new Problem('linkedin_request_timeout');
  if (kind === 'auth') return new Problem('linkedin_token_expired');
  if (kind === 'rate_limited') return new Problem('linkedin_rate_limited', { retryAfter: retryAfterSeconds });
  return new Problem(failure, details(error), status !== null && forwarded.has(status) ? status : undefined);
}
