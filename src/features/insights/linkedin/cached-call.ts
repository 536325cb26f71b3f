import { Problem } from '../../../foundation/errors/index.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { Context } from '../../../platforms/kit/index.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { type Cached, fetchCached } from '../shared-cache.ts';
import { type ActOptions, actAsLinkedIn, timeLimit } from './act-as-linkedin.ts';

export interface CachedCall {
  connection: StoredConnection;
  /** Identifies the request among those of this connection. */
  about: string;
  seconds: number;
  failure: ActOptions['failure'];
}

/**
 * Returns LinkedIn's cached response, or requests it. Throws Problem, also if another caller's request takes too
 * long.
 */
export async function cachedCall<T extends Json>(
  app: ActingApp,
  { connection, about, seconds, failure }: CachedCall,
  load: (ctx: Context<never>) => Promise<T>,
): Promise<Cached<T>> {
  const signal = timeLimit(app);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Problem('linkedin_request_timeout')), { once: true });
  });
  const key = `linkedin ${connection.id} ${about}`;
  return Promise.race([
    fetchCached(app, key, seconds, () => actAsLinkedIn(app, connection, { failure, signal }, load)),
    late,
  ]);
}
