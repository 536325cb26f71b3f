import type { App } from '../app.ts';
import { PlatformError } from '../platforms/kit/index.ts';
import { readCooldown, storeCooldown } from './cache-queries.ts';

/** However long the network asks for. */
const longestSeconds = 3600;
/** Where it does not say. */
const usualSeconds = 300;

/** Asks, unless the network wants to be left alone. If it says so now, that is kept for everybody who goes by the key. */
export async function withCooldown<T>(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const until = await readCooldown(db, key, clock.now());
  if (until) throw new PlatformError('rate_limited', `The network is left alone until ${until.toISOString()}.`);
  try {
    return await ask();
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'rate_limited') {
      const seconds = Math.min(error.retryAfterSeconds ?? usualSeconds, longestSeconds);
      await storeCooldown(db, key, new Date(clock.now().getTime() + seconds * 1000));
    }
    throw error;
  }
}
