import type { App } from '../../app.ts';
import { PlatformError } from '../../platforms/kit/index.ts';
import { readCooldown, storeCooldown } from './cache-queries.ts';

/** The longest cooldown, even if the platform asks for more. */
const maxSeconds = 3600;
/** The cooldown if the platform does not specify one. */
const defaultSeconds = 300;

/** Calls the platform unless the key is in cooldown. A rate limit starts a cooldown for everyone who uses the key. */
export async function withCooldown<T>(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const until = await readCooldown(db, key, clock.now());
  if (until)
    throw new PlatformError('rate_limited', `No requests are sent to the platform before ${until.toISOString()}.`);
  try {
    return await load();
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'rate_limited') {
      const seconds = Math.min(error.retryAfterSeconds ?? defaultSeconds, maxSeconds);
      await storeCooldown(db, key, new Date(clock.now().getTime() + seconds * 1000));
    }
    throw error;
  }
}
