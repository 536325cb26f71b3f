import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrierProcess, dataFolder, runProgram, startCrier } from '../test/support/processes/crier.ts';
import { attacks, type Tenant } from './attacker.ts';
import type { Aim, Benchmark, Row } from './harness/benchmark.ts';
import { figureRow } from './harness/compare.ts';
import { percentile, spreadOf } from './harness/percentile.ts';
import { measureSlowReceivers } from './slow-receivers.ts';

/** The other tenants make this many calls per second, a load that leaves most of the machine idle. */
const callsPerSecond = 40;

/**
 * The latency of other tenants' ordinary calls while one tenant attacks, as a ratio to the quiet phase just before it
 * in the same run. The quiet phase is measured again before each round of an attack, because the machine and the table
 * sizes change.
 */
export const attack: Benchmark<AsyncDisposable> = {
  name: 'attack',
  about: "the latency of other tenants' calls while one tenant attacks",
  forms: [],
  async measure(_stage, { scale }) {
    const seconds = scale.of({ full: 7, smoke: 3 });
    return await measureAttacks(seconds, scale.of({ full: 3, smoke: 1 }));
  },
};

/** The same for the deliveries of other tenants' webhooks. */
export const slowReceivers: Benchmark<AsyncDisposable> = {
  name: 'slow-receivers',
  about: "the lateness of other tenants' webhooks while the receivers of some respond slowly",
  forms: [],
  async measure(_stage, { scale }) {
    const rounds = [await measureSlowReceivers(scale.of({ full: 14, smoke: 6 }))];
    return [0.95, 0.99].map((share) =>
      ratioRow(`slow receivers: p${share * 100} of deliveries`, share, rounds, { atMost: 2 }),
    );
  },
};

async function measureAttacks(seconds: number, count: number): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  const crier = stack.adopt(await startCrier({ folder, environment: { LOG_LEVEL: 'error' } }), async (started) => {
    await started.stop();
  });
  const attacker = await aTenant(crier, 'eve@example.com');
  // Enough tenants that none of them comes near its own limits.
  const others: Tenant[] = [];
  for (const name of ['ann', 'ben', 'cat', 'dan']) others.push(await aTenant(crier, `${name}@example.com`));
  await measure(others, 2);
  const rows: Row[] = [];
  let logged = crier.output().length;
  for (const name of Object.keys(attacks)) {
    const rounds: Round[] = [];
    for (let round = 0; round < count; round += 1) {
      const quiet = await measure(others, seconds);
      const eve = fork(new URL('attacker.ts', import.meta.url), [name, JSON.stringify(attacker)]);
      await sleep(2000);
      rounds.push({ quiet, meanwhile: await measure(others, seconds) });
      const ended = once(eve, 'exit');
      eve.disconnect();
      await ended;
      // Aborted or rejected requests may still be in the queues.
      await sleep(2000);
    }
    const rowOf = (what: string, share: number, aim: Aim) => ratioRow(what, share, rounds, aim);
    const errors = crier.output().slice(logged).trim();
    logged = crier.output().length;
    if (errors) console.log(`  the log during ${name}: ${errors.slice(0, 2000)}`);
    rows.push(rowOf(`${name}: p95`, 0.95, { atMost: 3 }), rowOf(`${name}: p99`, 0.99, { atMost: 2 }));
  }
  return rows;
}

/** Latencies of the other tenants' calls in milliseconds, sorted. */
interface Round {
  quiet: number[];
  meanwhile: number[];
}

/**
 * The ratio over all rounds together, because the slowest 1% of one round is only three calls. The spread is that of
 * the rounds.
 */
function ratioRow(what: string, share: number, rounds: readonly Round[], aim: Aim): Row {
  const under = rounds.map(({ meanwhile }) => percentile(meanwhile, share));
  const before = rounds.map(({ quiet }) => percentile(quiet, share));
  const all = (calls: (round: Round) => number[]) => percentile(rounds.flatMap(calls).sort(ascending), share);
  const [ours, ceiling] = [all(({ meanwhile }) => meanwhile), all(({ quiet }) => quiet)];
  const calls = rounds.reduce((sum, { meanwhile }) => sum + meanwhile.length, 0);
  const row = figureRow({ what, unit: 'ms', figures: under, aim, counted: `${calls} calls` });
  return {
    ...row,
    ours: { ...row.ours, median: ours },
    against: 'quiet',
    ceiling: { ...spreadOf(before), median: ceiling },
    ratio: { ...spreadOf(under.map((ms, i) => ms / before[i]!)), median: ours / ceiling },
  };
}

async function aTenant(crier: CrierProcess, email: string): Promise<Tenant> {
  const admin = async (command: string, ...args: string[]) => {
    const ended = await runProgram(['src/admin.ts', command, ...args, '--json'], crier.environment);
    if (ended.code !== 0) throw new Error(ended.stderr);
    return JSON.parse(ended.stdout.trim().split('\n').at(-1)!);
  };
  const { userId, apiKey } = await admin(
    'create-user',
    '--email',
    email,
    '--password',
    'correct horse',
    '--plan',
    'pro',
  );
  const { connections } = await admin('connect-sandbox', '--user', userId, '--networks', 'mastodon,threads,bluesky');
  const { baseUrl, url } = crier.ready;
  const platforms = connections.map(({ platformId }: { platformId: string }) => platformId);
  const { hostname, port } = new URL(url);
  return { baseUrl, host: hostname, port: Number(port), key: { 'x-service-key': apiKey }, platforms };
}

/** Makes ordinary calls at a steady pace, without waiting for earlier responses. Returns sorted milliseconds. */
async function measure(tenants: readonly Tenant[], forSeconds: number): Promise<number[]> {
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  const end = performance.now() + forSeconds * 1000;
  for (let i = 0; performance.now() < end; i += 1) {
    calls.push(ordinaryCall(tenants[Math.floor(i / 4) % tenants.length]!, i).then((ms) => void took.push(ms)));
    await sleep(1000 / callsPerSecond);
  }
  await Promise.all(calls);
  return took.sort(ascending);
}

const ascending = (one: number, other: number) => one - other;

async function ordinaryCall({ baseUrl, key, platforms }: Tenant, i: number): Promise<number> {
  const began = performance.now();
  const path = ['/create-post', '/list-posts', '/account-context', '/validate-post'][i % 4]!;
  const isRead = i % 4 === 1 || i % 4 === 2;
  const body = JSON.stringify({ content: `A post of ordinary length, number ${i}`, platforms });
  const response = await fetch(baseUrl + path, {
    method: isRead ? 'GET' : 'POST',
    headers: { ...key, ...(!isRead && { 'content-type': 'application/json' }) },
    ...(!isRead && { body }),
  });
  const text = await response.text();
  if (!response.ok) console.log(`  ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - began;
}
