import type { HttpResponse } from '../../http/http-response.ts';
import { createRateLimiter } from '../../http/rate-limiter.ts';
import type { Call } from '../../platform.ts';
import { failure } from './errors.ts';

const dayMs = 86_400_000;
const listCost = 1;
const writeCost = 50;

/** The quota is for the whole app, over all its users. */
const dailyLimits = { videos: 100, units: 10_000 };
type Bucket = keyof typeof dailyLimits;

const limiter = createRateLimiter<Bucket>(
  Object.entries(dailyLimits).map(([name, limit]) => ({
    limit,
    windowSeconds: dayMs / 1000,
    keyOf: (bucket) => (bucket === name ? name : null),
  })),
);

/** Counts the call, and rejects it only if the sandbox enforces the vendor's limits. */
export function checkQuota(call: Call): HttpResponse | undefined {
  const cost = costOf(call);
  if (!cost) return undefined;
  const now = toPacific(call.sandbox.now());
  let isOver = false;
  for (let unit = 0; unit < cost.units; unit += 1) {
    const { used, limit } = limiter.count(cost.bucket, call.sandbox, now);
    isOver = used > limit;
  }
  return isOver && call.sandbox.options.rateLimits === 'vendor' ? failure('quotaExceeded') : undefined;
}

function costOf({ method, path }: Call): { bucket: Bucket; units: number } | undefined {
  if (path === '/upload/youtube/v3/videos') return method === 'POST' ? { bucket: 'videos', units: 1 } : undefined;
  if (path.includes('/youtube/v3/')) return { bucket: 'units', units: method === 'GET' ? listCost : writeCost };
  return undefined;
}

const pacific = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', timeZoneName: 'longOffset' });

/** The quota starts again at midnight in California. This shifts the time so that its UTC days are Pacific days. */
function toPacific(time: number): number {
  const name = pacific.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours = '-08'] = /GMT([+-]\d\d)/.exec(name) ?? [];
  return time + Number(hours) * 3_600_000;
}
