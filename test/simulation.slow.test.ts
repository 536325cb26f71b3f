import { describe, expect, test } from 'vitest';
import { standardProfile } from '../bench/simulation/profile.ts';
import { dueTimes, type Machines, simulate } from '../bench/simulation/simulate.ts';
import { admit, serve } from '../bench/simulation/stations.ts';
import { seededRandom } from './chaos/random.ts';

/** Known results of queueing theory, which the stations must reproduce. Times are in seconds. */
describe('a queue', () => {
  const jobs = 200_000;
  const random = seededRandom(7);
  const exponential = (mean: number) => -Math.log(1 - random.next()) * mean;

  function meanWait(arrivalsPerSecond: number, servers: number, seconds: () => number): number {
    let time = 0;
    const arrivals = new Float64Array(jobs).map(() => {
      time += exponential(1 / arrivalsPerSecond);
      return time;
    });
    const { starts } = serve(arrivals, servers, seconds);
    return starts.reduce((sum, start, job) => sum + start - arrivals[job]!, 0) / jobs;
  }

  test.for([0.3, 0.5, 0.8])('of one server with random times, %s busy, waits as M/M/1 does', (load) => {
    const expected = load / (1 - load);
    expect(meanWait(load, 1, () => exponential(1)) / expected).toBeCloseTo(1, 1);
  });

  test.for([0.5, 0.8])('of one server with constant times, %s busy, waits half as long (M/D/1)', (load) => {
    const expected = load / (2 * (1 - load));
    expect(meanWait(load, 1, () => 1) / expected).toBeCloseTo(1, 1);
  });

  test('of four servers waits as Erlang C says', () => {
    const [servers, offered] = [4, 3];
    const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
    const term = offered ** servers / factorial(servers) / (1 - offered / servers);
    const others = [0, 1, 2, 3].reduce((sum, n) => sum + offered ** n / factorial(n), 0);
    const expected = term / (others + term) / (servers - offered);
    expect(meanWait(offered, servers, () => exponential(1)) / expected).toBeCloseTo(1, 1);
  });

  test('in which all come at the same time is empty after as long as the work takes', () => {
    const { starts, ends } = serve(new Float64Array(1_000), 10, () => 2);
    expect([starts.at(-1), ends.at(-1)]).toEqual([198, 200]);
  });

  test('with a rate limit lets in as many as each window allows', () => {
    const admitted = admit(Float64Array.from([0, 1, 2, 3, 25, 26]), 2, 10);
    expect([...admitted]).toEqual([0, 1, 10, 10, 25, 26]);
  });
});

describe('the simulated day', () => {
  const machines: Machines = { workers: 1, publishPerSecond: 900, databasePerSecond: 900, lanesPerNetwork: 256 };
  const profile = { ...standardProfile, networks: standardProfile.networks.map(({ application: _, ...rest }) => rest) };
  const of = (targetsPerMonth: number, more: Partial<Machines> = {}, own = profile) =>
    simulate({ targetsPerMonth, seed: 3 }, own, { ...machines, ...more });

  test('has its highest load at nine o’clock where most authors live', () => {
    const times = dueTimes(100_000, profile, seededRandom(1));
    const counts = new Map<number, number>();
    for (const time of times) counts.set(time, (counts.get(time) ?? 0) + 1);
    const [[busiest, count] = [0, 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
    expect(busiest / 3600).toBe(8);
    expect(count / 100_000).toBeCloseTo(0.24 * (0.4 + 0.3 / 15), 1);
  });

  test('repeats with its seed', () => {
    expect(of(100_000)).toEqual(of(100_000));
  });

  test('with few targets is late by milliseconds', () => {
    const { lateness, saturated } = of(30_000, {}, { ...profile, inRuns: 0 });
    expect(lateness.p99).toBeLessThan(0.5);
    expect(saturated).toBeNull();
  });

  test('with everybody at the same second is as late as the burst takes', () => {
    const together = { ...profile, atNine: 1, inRuns: 0, zones: [{ offset: 0, share: 1 }] };
    const fast = { lanesPerNetwork: 1e6, publishPerSecond: 1e6 };
    const { targets, lateness, saturated } = of(1_000_000, fast, together);
    expect(lateness.max / (targets / 900)).toBeCloseTo(1, 2);
    expect(lateness.p50 / (targets / 2 / 900)).toBeCloseTo(1, 2);
    expect(saturated).toBe('the database');
  });

  test('more workers help until the database is full, and then no more', () => {
    const slow = { publishPerSecond: 100, databasePerSecond: 900, lanesPerNetwork: 1e6 };
    const p99 = [1, 2, 8, 16, 32].map((workers) => of(600_000, { ...slow, workers }).lateness.p99) as number[];
    expect(p99[1]! / p99[0]!).toBeCloseTo(0.5, 1);
    expect(p99[4]! / p99[3]!).toBeCloseTo(1, 1);
    expect(of(600_000, { ...slow, workers: 32 }).saturated).toBe('the database');
    expect(of(600_000, { ...slow, workers: 1 }).saturated).toBe("the workers' CPUs");
  });

  test('counts what the quota of an application does not allow', () => {
    const quota = {
      ...profile,
      networks: [{ name: 'N', share: 1, seconds: 1, spread: 0, application: { limit: 1_000, windowSeconds: 86_400 } }],
    };
    const { targets, refused } = of(300_000, {}, quota);
    expect(refused).toBeCloseTo(1 - 1_000 / targets, 5);
  });
});
