import type { Answer } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { createBudgets } from '../../rate-limit.ts';
import type { Sandbox } from '../../sandbox.ts';
import { failure } from './errors.ts';

const dayMs = 86_400_000;
const listCost = 1;
const writeCost = 50;

/** Of the application as a whole, for all who use it. */
const budgets = { videos: 100, searches: 100, units: 10_000 };
type Bucket = keyof typeof budgets;

/** Counts the call; refuses it only where the sandbox was started with the vendor's limits. */
export function overQuota(call: Call): Answer | undefined {
  const cost = costOf(call);
  if (!cost) return undefined;
  const counter = counterOf(call.sandbox);
  const now = toPacific(call.sandbox.now());
  let isOver = false;
  for (let unit = 0; unit < cost.units; unit += 1) {
    const { used, limit } = counter.count(cost.bucket, now);
    isOver = used > limit;
  }
  return isOver && call.sandbox.options.rateLimits === 'vendor' ? failure('quotaExceeded') : undefined;
}

function costOf({ method, path }: Call): { bucket: Bucket; units: number } | undefined {
  if (path === '/upload/youtube/v3/videos') return method === 'POST' ? { bucket: 'videos', units: 1 } : undefined;
  if (path === '/youtube/v3/search') return { bucket: 'searches', units: 1 };
  if (path.includes('/youtube/v3/')) return { bucket: 'units', units: method === 'GET' ? listCost : writeCost };
  return undefined;
}

const bySandbox = new WeakMap<Sandbox, ReturnType<typeof startCounting>>();

function counterOf(sandbox: Sandbox) {
  const known = bySandbox.get(sandbox) ?? startCounting();
  bySandbox.set(sandbox, known);
  return known;
}

function startCounting() {
  const days = Object.entries(budgets).map(([name, limit]) => ({
    limit,
    windowSeconds: dayMs / 1000,
    keyOf: (bucket: Bucket) => (bucket === name ? name : null),
  }));
  return createBudgets<Bucket>(days);
}

const pacific = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', timeZoneName: 'longOffset' });

/** The day of the quota begins at midnight in California: a time whose UTC days are the Pacific ones. */
function toPacific(time: number): number {
  const name = pacific.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, hours = '-08'] = /GMT([+-]\d\d)/.exec(name) ?? [];
  return time + Number(hours) * 3_600_000;
}
