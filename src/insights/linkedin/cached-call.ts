import type { StoredConnection } from '../../connections/connections.ts';
import { Problem } from '../../errors.ts';
import type { Json } from '../../lib/json.ts';
import type { Context } from '../../platforms/kit/index.ts';
import { type Cached, fetchCached } from '../shared-cache.ts';
import { type ActingOptions, asLinkedIn, type Needs, timeLimit } from './act-as-linkedin.ts';

export interface Question {
  connection: StoredConnection;
  /** What is asked, among all questions to this connection. */
  about: string;
  seconds: number;
  failure: ActingOptions['failure'];
}

/** What LinkedIn answered lately, or answers now. Fails with Problem, also when whoever asks for all of us takes too long. */
export async function cachedCall<T extends Json>(
  app: Needs,
  { connection, about, seconds, failure }: Question,
  ask: (ctx: Context<never>) => Promise<T>,
): Promise<Cached<T>> {
  const signal = timeLimit(app);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Problem('linkedin_request_timeout')), { once: true });
  });
  const key = `linkedin ${connection.id} ${about}`;
  return Promise.race([
    fetchCached(app, key, seconds, () => asLinkedIn(app, connection, { failure, signal }, ask)),
    late,
  ]);
}
