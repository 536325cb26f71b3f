import type { App } from '../../app.ts';
import { actAsAccount } from '../../connections/act-as-account.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import { connectionFor } from '../../connections/find-connection.ts';
import { Problem, type ProblemKey } from '../../errors.ts';
import { platforms } from '../../platforms/index.ts';
import { type Context, PlatformError } from '../../platforms/kit/index.ts';

export type Needs = Pick<App, 'db' | 'clock' | 'platformAccess' | 'sealingKeys' | 'log'>;

export const { actions } = platforms.linkedin;

/** How long a caller of ours waits for LinkedIn, however many calls it takes. */
const timeoutMs = 30_000;

export const timeLimit = ({ platformAccess }: Needs) =>
  AbortSignal.timeout(Math.min(timeoutMs, platformAccess.timeoutMs));

export async function linkedinConnection(app: Needs, userId: string, accountId: string): Promise<StoredConnection> {
  const connection = await connectionFor(app, userId, 'linkedin', accountId);
  if (!connection) throw new Problem('linkedin_connection_not_found');
  return connection;
}

/** What a refusal is answered with besides its text. */
export type Details = (error: PlatformError) => Readonly<Record<string, unknown>>;

export interface ActingOptions {
  /** What failing is called. */
  failure: ProblemKey;
  details?: Details;
  signal?: AbortSignal;
}

/** Acts at LinkedIn as the account, within the time limit. Fails with Problem. */
export async function asLinkedIn<T>(
  app: Needs,
  connection: StoredConnection,
  { failure, details = inWords, signal = timeLimit(app) }: ActingOptions,
  work: (ctx: Context<never>) => Promise<T>,
): Promise<T> {
  try {
    return await actAsAccount(app, platforms.linkedin, connection, signal, work);
  } catch (error) {
    throw problemFrom(error, failure, details, signal);
  }
}

const inWords: Details = ({ reason, message }) => ({ details: reason ?? message });

/** Refusals of what was asked come with LinkedIn's own status; its troubles, and ours with it, are failures of ours. */
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
