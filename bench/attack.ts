import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrierProcess, dataFolder, runProgram, startCrier } from '../test/support/crier-process.ts';
import { attacks } from './attacker.ts';
import { percentile } from './percentile.ts';

/** How long each attack, and the quiet before it, is measured. `ATTACK_SECONDS=3` is enough to see that it runs. */
const seconds = Number(process.env.ATTACK_SECONDS ?? 15);
/** The other tenants make this many calls a second, a load that leaves most of the machine idle. */
const callsPerSecond = 40;

export interface Tenant {
  baseUrl: string;
  host: string;
  port: number;
  key: Record<string, string>;
  platforms: string[];
}

/**
 * The latency of other tenants' ordinary calls while one tenant attacks, as a ratio to the quiet just before, in the same run.
 * The quiet is measured before each attack anew, because the machine and the size of the tables change.
 */
export async function attack() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  const crier = stack.adopt(await startCrier({ folder, environment: { LOG_LEVEL: 'error' } }), async (started) => {
    await started.stop();
  });
  const attacker = await aTenant(crier, 'eve@example.com');
  // So many that none of them comes near its own limits.
  const others: Tenant[] = [];
  for (const name of ['ann', 'ben', 'cat', 'dan']) others.push(await aTenant(crier, `${name}@example.com`));
  await measure(others, 2);
  const figures: Record<string, string> = {};
  let logged = crier.output().length;
  for (const name of Object.keys(attacks)) {
    const quiet = await measure(others, seconds);
    const eve = fork(new URL('attacker.ts', import.meta.url), [name, JSON.stringify(attacker)]);
    await sleep(2000);
    const meanwhile = await measure(others, seconds);
    const ended = once(eve, 'exit');
    eve.disconnect();
    await ended;
    const errors = crier.output().slice(logged).trim();
    logged = crier.output().length;
    if (errors) console.log(`  the log during ${name}: ${errors.slice(0, 2000)}`);
    figures[`${name}: p95, ratio to quiet (<= 3)`] = ratio(meanwhile, quiet, 0.95);
    figures[`${name}: p99, ratio to quiet (<= 2)`] = ratio(meanwhile, quiet, 0.99);
    // What was cut off or refused may still be in the queues.
    await sleep(2000);
  }
  return figures;
}

function ratio(meanwhile: readonly number[], quiet: readonly number[], share: number): string {
  const [under, before] = [percentile(meanwhile, share), percentile(quiet, share)];
  return `${(under / before).toFixed(2)}  (${under.toFixed(1)} ms, quiet ${before.toFixed(1)} ms)`;
}

async function aTenant(crier: CrierProcess, email: string): Promise<Tenant> {
  const admin = async (command: string, ...args: string[]) => {
    const ended = await runProgram(['src/admin/main.ts', command, ...args, '--json'], crier.environment);
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

/** Ordinary calls at a steady pace, whether or not the earlier ones are answered. Returns sorted milliseconds. */
async function measure(tenants: readonly Tenant[], forSeconds: number): Promise<number[]> {
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  const end = performance.now() + forSeconds * 1000;
  for (let i = 0; performance.now() < end; i += 1) {
    calls.push(ordinaryCall(tenants[Math.floor(i / 4) % tenants.length]!, i).then((ms) => void took.push(ms)));
    await sleep(1000 / callsPerSecond);
  }
  await Promise.all(calls);
  return took.sort((a, b) => a - b);
}

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
