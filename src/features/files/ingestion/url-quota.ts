import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { postLimits } from '../../../foundation/errors/posts.ts';
import { takeFromUrlQuota } from '../queries.ts';

const windowMs = 3_600_000;

/** Counts URLs against the user's limit per hour: all of them, or none if there are too many. */
export async function takeUrlQuota({ db, clock }: Pick<App, 'db' | 'clock'>, userId: string, amount: number) {
  const now = clock.now();
  const windowEnd = await takeFromUrlQuota(db, { userId, amount, max: postLimits.mediaUrlsPerHour, windowMs, now });
  if (windowEnd === null) return;
  const retryAfterSec = Math.max(1, Math.ceil((windowEnd.getTime() - now.getTime()) / 1000));
  throw new Problem('media_url_rate_limited', { retryAfterSec });
}
