import { type Random, seededRandom } from '../../test/chaos/random.ts';
import { percentile } from '../harness/percentile.ts';
import type { Network, Profile } from './profile.ts';
import { admit, serve } from './stations.ts';

export interface Machines {
  workers: number;
  /** Targets per second that one worker publishes on a dedicated core. */
  publishPerSecond: number;
  /** Targets per second that the database takes from due to published. */
  databasePerSecond: number;
  /** Posts that a worker sends to one network at the same time. */
  lanesPerNetwork: number;
}

export interface Outcome {
  targets: number;
  /**
   * Seconds from the due time of a target to its first request to the network, without the wait for earlier posts of
   * the same account: that order is intended, and more machines would not change it.
   */
  lateness: { p50: number; p99: number; max: number };
  /** The station with the longest p99 wait; null if the p99 lateness is below a second. */
  saturated: string | null;
  /** The share that networks refuse for longer than Crier retries. Not included in the lateness. */
  refused: number;
}

/** Simulates one day, the busiest of a month, on which all networks respond and nothing fails. */
export function simulate(
  { targetsPerMonth, seed }: { targetsPerMonth: number; seed: number },
  profile: Profile,
  { workers, publishPerSecond, databasePerSecond, lanesPerNetwork }: Machines,
): Outcome {
  const random = seededRandom(seed);
  const targets = Math.round((targetsPerMonth / 30) * profile.busiestDay);
  const due = dueTimes(targets, profile, random);
  const claimed = serve(due, 1, () => 1 / databasePerSecond);
  const prepared = serve(claimed.ends, workers, () => 1 / publishPerSecond);
  const sent = byNetwork(targets, profile, random).map((own, index) =>
    publish(
      { due: own.map((target) => due[target]!), ready: own.map((target) => prepared.ends[target]!) },
      profile.networks[index]!,
      { ...profile, maxLanes: workers * lanesPerNetwork },
      random,
    ),
  );

  const lateness = join(sent.map((network) => network.lateness)).sort();
  const late = (share: number) => percentile(lateness, share);
  const waited = {
    'the database': longWait(due, claimed.starts),
    "the workers' CPUs": longWait(claimed.ends, prepared.starts),
    "the workers' lanes": Math.max(...sent.map((network) => network.longWait)),
  };
  const [longest] = Object.entries(waited).toSorted(([, one], [, other]) => other - one);
  return {
    targets,
    lateness: { p50: late(0.5), p99: late(0.99), max: late(1) },
    saturated: late(0.99) > 1 ? longest![0] : null,
    refused: sum(sent.map((network) => network.refused)) / targets,
  };
}

const hour = 3600;
const day = 24 * hour;
const [dayBegins, dayEnds] = [7, 22];

/** Sorted, in seconds of a UTC day. */
export function dueTimes(count: number, { atNine, atWholeHour, zones }: Profile, random: Random): Float64Array {
  const local = () => {
    const kind = random.next();
    if (kind < atNine) return 9 * hour;
    if (kind < atNine + atWholeHour) return (dayBegins + random.below(dayEnds - dayBegins)) * hour;
    return (dayBegins + random.next() * (dayEnds - dayBegins)) * hour;
  };
  const offsets = weighted(zones.map(({ offset, share }) => [offset, share]));
  return new Float64Array(count).map(() => (local() - offsets(random) * hour + day) % day).sort();
}

/** The indexes of each network's targets, in order. */
function byNetwork(count: number, { networks }: Profile, random: Random): Float64Array[] {
  const chosen = weighted(networks.map(({ share }, index) => [index, share]));
  const of = Uint8Array.from({ length: count }, () => chosen(random));
  return networks.map((_, index) => {
    const own = new Float64Array(of.reduce((sum, network) => sum + (network === index ? 1 : 0), 0));
    let place = 0;
    for (let target = 0; target < count; target += 1) if (of[target] === index) own[place++] = target;
    return own;
  });
}

/** The longest wait for a rate limit. */
const maxRetrySeconds = 6 * hour;

/**
 * At most `maxLanes` lanes run at the same time. Each lane is one account, and sends its targets one after the other.
 */
function publish(
  { due, ready }: { due: Float64Array; ready: Float64Array },
  { application, seconds, spread }: Network,
  { inRuns, runLength, maxLanes }: Pick<Profile, 'inRuns' | 'runLength'> & { maxLanes: number },
  random: Random,
) {
  const admitted = application ? admit(ready, application.limit, application.windowSeconds) : ready;
  const isAllowed = (target: number) => admitted[target]! - ready[target]! <= maxRetrySeconds;
  const allowed = Array.from(admitted.keys()).filter(isAllowed);
  const lanes: number[][] = [];
  for (let next = 0; next < allowed.length; ) {
    const length = random.chance(inRuns / runLength / (1 - inRuns + inRuns / runLength)) ? runLength : 1;
    lanes.push(allowed.slice(next, next + length));
    next += length;
  }
  const durations = lanes.map((lane) => lane.map(() => seconds * Math.exp(spread * normal(random))));
  const arrivals = Float64Array.from(lanes, ([first]) => admitted[first!]!);
  const { starts } = serve(arrivals, maxLanes, (lane) => sum(durations[lane]!));

  const lateness = new Float64Array(allowed.length);
  let place = 0;
  for (const [lane, members] of lanes.entries()) {
    for (const target of members) lateness[place++] = Math.max(starts[lane]!, admitted[target]!) - due[target]!;
  }
  return { lateness, longWait: longWait(arrivals, starts), refused: due.length - allowed.length };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** The p99 of the waits. */
const longWait = (arrivals: Float64Array, starts: Float64Array) =>
  percentile(starts.map((start, job) => start - arrivals[job]!).sort(), 0.99);

function join(parts: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(sum(parts.map(({ length }) => length)));
  let place = 0;
  for (const part of parts) {
    joined.set(part, place);
    place += part.length;
  }
  return joined;
}

/** The Box–Muller transform. */
const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/** Draws one of the values by their shares, which need not add up to one. */
function weighted(values: readonly (readonly [value: number, share: number])[]): (random: Random) => number {
  const total = sum(values.map(([, share]) => share));
  return (random) => {
    let left = random.next() * total;
    for (const [value, share] of values) {
      left -= share;
      if (left < 0) return value;
    }
    return values.at(-1)![0];
  };
}
