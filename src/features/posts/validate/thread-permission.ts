import { Problem } from '../../../foundation/errors/index.ts';
import type { Clock } from '../../../foundation/time/clock.ts';
import { clockedCache } from '../../../foundation/time/clocked-cache.ts';
import { platformFor } from '../../../platforms/index.ts';
import { type Issue, type Platform, PlatformError, type ThreadPermission } from '../../../platforms/kit/index.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import { type ActingApp, actAsAccount } from '../../connections/credentials/act-as-account.ts';
import { connectionsFor } from '../../connections/find-connection.ts';
import type { TargetContent } from '../create/target-content.ts';
import { issueFor, type ValidationIssue } from './issue.ts';

/** contract.md#threads.permission allows five minutes. The publisher checks again before it sends the thread. */
const newCache = (clock: Clock) => clockedCache<boolean>(clock, { max: 10_000, ttlMs: 5 * 60_000 });
const caches = new WeakMap<Clock, ReturnType<typeof newCache>>();

function permissionCache({ clock }: ActingApp) {
  const cache = caches.get(clock) ?? newCache(clock);
  caches.set(clock, cache);
  return cache;
}

/** How long a request to schedule a post waits for the platform's response. */
const timeoutMs = 10_000;

/**
 * The issues of targets with a thread on a platform where threads need a separate permission. Platforms are called
 * only for such targets.
 */
export async function permissionIssues(
  app: ActingApp,
  userId: string,
  targets: readonly TargetContent[],
): Promise<ValidationIssue[]> {
  const threads = targets.flatMap(threadToCheck);
  if (threads.length === 0) return [];
  const connections = await connectionsFor(app, userId, threads);
  const connectionOf = ({ platform, accountId }: ThreadToCheck) =>
    connections.find((connection) => connection.platform === platform && connection.accountId === accountId);
  const findings = await Promise.all(threads.map((thread) => checkThread(app, thread, connectionOf(thread))));
  const issues = findings.filter((finding) => finding !== null && finding !== 'unknown');
  // A definite issue comes first, because a retry would not resolve it.
  if (issues.length === 0 && findings.includes('unknown')) throw new Problem('thread_permission_unavailable');
  return issues;
}

interface ThreadToCheck {
  platform: string;
  accountId: string;
  adapter: Platform;
  permission: ThreadPermission<never>;
}

function threadToCheck({ target, split }: TargetContent): ThreadToCheck[] {
  const { platform, accountId } = target.connection;
  const adapter = split.kind === 'thread' ? platformFor(platform) : null;
  const permission = adapter?.threadPermission;
  return adapter && permission ? [{ platform, accountId, adapter, permission }] : [];
}

async function checkThread(
  app: ActingApp,
  { platform, adapter, permission }: ThreadToCheck,
  connection: StoredConnection | undefined,
): Promise<ValidationIssue | null | 'unknown'> {
  const issue = ({ code, message, field }: Issue) => issueFor(platform)(code, message, field);
  if (!connection) return issue(permission.notConnected);
  // The key includes the credentials, so an account that was reconnected to grant the permission is checked again.
  const key = `${connection.id} ${connection.credentials}`;
  try {
    const isGranted = await permissionCache(app).forceFetch(key, {
      context: () => ask(app, adapter, permission, connection),
    });
    return isGranted ? null : issue(permission.missing);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.kind === 'auth') return issue({ ...permission.missing, code: 'TOKEN_EXPIRED', message: error.message });
    const reason = error.reason ?? error.message;
    app.log.info({ connectionId: connection.id, reason }, 'the permission for a thread could not be checked');
    return 'unknown';
  }
}

async function ask(
  app: ActingApp,
  adapter: Platform,
  permission: ThreadPermission<never>,
  connection: StoredConnection,
): Promise<boolean> {
  const signal = AbortSignal.timeout(Math.min(timeoutMs, app.platformAccess.timeoutMs));
  try {
    return await actAsAccount(app, adapter, connection, signal, (ctx) => permission.isGranted(ctx));
  } catch (error) {
    if (!signal.aborted || error instanceof PlatformError) throw error;
    throw new PlatformError('timeout', `${adapter.name} did not respond in time.`, { cause: error });
  }
}
