import { platformFor } from '../../../platforms/index.ts';
import { platformClient } from '../../../platforms/kit/http/client.ts';
import { PlatformError, type PostCounts, type ProfileCounts } from '../../../platforms/kit/index.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import { type ActingApp, actAsAccount } from '../../connections/credentials/act-as-account.ts';
import type { IssueCode } from './schema.ts';

/** Reads the statistics of a connection. */
export interface StatsReader {
  /** Connections with the same name share requests and cooldowns. */
  readonly name: string;
  /** Connections with the same scope share failures. */
  readonly failureScope: string;
  readonly postsPerCall: number;
  posts(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, PostCounts>>;
  profile(signal: AbortSignal): Promise<ProfileCounts>;
  issueOf(error: PlatformError): IssueCode;
}

export function readerFor(app: ActingApp, connection: StoredConnection): StatsReader {
  const platform = platformFor(connection.platform);
  const stats = platform?.stats;
  if (!platform || !stats) throw new Error(`${connection.platform} has no statistics.`);
  const { postsPerCall } = stats;
  if (stats.access === 'public') {
    const client = (signal: AbortSignal) => platformClient(app.platformAccess, platform.id, signal);
    return {
      name: platform.id,
      failureScope: platform.id,
      postsPerCall,
      posts: (ids, signal) => stats.posts(ids, client(signal)),
      profile: (signal) => stats.profile(connection.accountId, client(signal)),
      issueOf: (error) => (error.kind === 'auth' ? 'FORBIDDEN' : issueOf(error)),
    };
  }
  return {
    name: `${platform.id} ${connection.accountId}`,
    failureScope: connection.id,
    postsPerCall,
    posts: (ids, signal) => actAsAccount(app, platform, connection, signal, (ctx) => stats.posts(ids, ctx)),
    profile: (signal) => actAsAccount(app, platform, connection, signal, (ctx) => stats.profile(ctx)),
    issueOf,
  };
}

function issueOf({ kind, status }: PlatformError): IssueCode {
  if (kind === 'rate_limited') return 'RATE_LIMITED';
  if (status === 403 && (kind === 'auth' || kind === 'rejected')) return 'FORBIDDEN';
  return kind === 'auth' ? 'AUTH_REVOKED' : 'FETCH_FAILED';
}

/** Any other error is internal and unrelated to a connection, so it is thrown. */
export function requirePlatformError(reason: unknown): PlatformError {
  if (reason instanceof PlatformError) return reason;
  throw reason;
}

/** The platform prefix of a connection id is optional here. */
export function accountIdIn(platform: string, platformId: string): string {
  return platformId.startsWith(`${platform}-`) ? platformId.slice(platform.length + 1) : platformId;
}

/** Statistics do not need to be fresher than this. Also applies to deleted posts. */
export const cacheSeconds = 2 * 3600;
