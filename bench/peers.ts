import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/database/temporary-server.ts';
import { targetsOf } from './burst.ts';
import { insertPeerTargets } from './due-posts.ts';
import type { Benchmark, Row, Skipped } from './harness/benchmark.ts';
import { type Child, startChild } from './harness/child.ts';
import { figureRow, type Measured } from './harness/compare.ts';
import { spreadOf } from './harness/percentile.ts';
import { type Parties, timed } from './harness/processes.ts';
import { aheadMs, latenessOf, type PublishingStage, publishAtOnce, tokenOf } from './publishing-stage.ts';

const tokens = 256;
const notInstalled = 'npm install --prefix bench/peers installs it';

/** Publishes the same posts as jobs of other queues, which store the same rows as Crier in the same database. */
export const peers: Benchmark<PublishingStage> = {
  name: 'peers',
  about: 'the burst as jobs of BullMQ, graphile-worker and pg-boss storing the same records',
  forms: [],
  async measure(stage, { scale }) {
    await using stack = new AsyncDisposableStack();
    const targets = targetsOf(scale);
    const opened = await openPeers(stage, stack);
    const skipped = opened.filter((peer) => 'skipped' in peer);
    const running = opened.filter((peer) => 'child' in peer);
    if (running.length === 0) return skipped;
    const accounts: string[] = [];
    while (accounts.length < tokens) accounts.push(await tokenOf(stage.sandboxUrl, `peer${accounts.length}`));
    const oneRound = async (count: number) => ({
      ours: await publishAtOnce(stage, count),
      theirs: await inTurn(running, (peer) => publishWith(stage, peer, accounts, count)),
    });
    await oneRound(Math.ceil(targets / 3));
    const rounds: Awaited<ReturnType<typeof oneRound>>[] = [];
    while (rounds.length < Math.min(3, scale.rounds)) rounds.push(await oneRound(targets));
    return [...running.map(({ name }, place) => rowOf(name, place, rounds)), ...skipped];
  },
};

interface Peer {
  name: string;
  child: Child;
  parties: Parties;
}
type Rounds = readonly { ours: Awaited<ReturnType<typeof publishAtOnce>>; theirs: Measured[] }[];

function rowOf(name: string, place: number, rounds: Rounds): Row {
  const [ours, theirs] = [
    rounds.map((round) => round.ours.perSecond),
    rounds.map((round) => round.theirs[place]!.figure),
  ];
  const { shares, counted } = rounds[0]!.ours;
  return {
    ...figureRow({ what: `due burst, compared with ${name}`, unit: 'a second', figures: ours, shares, counted }),
    against: `${name}, storing the same records`,
    ceiling: spreadOf(theirs),
    ratio: spreadOf(ours.map((figure, round) => figure / theirs[round]!)),
    aim: { atLeast: 1 },
    ceilingShares: rounds[0]!.theirs[place]!.shares,
  };
}

async function openPeers(stage: PublishingStage, stack: AsyncDisposableStack): Promise<(Peer | Skipped)[]> {
  const redis = await startRedis(stack);
  const options = { databaseUrl: stage.databaseUrl, sandboxUrl: stage.sandboxUrl, redisSocket: redis?.socket };
  const open = async (name: string, program: string, others: number[]): Promise<Peer | Skipped> => {
    if (!isInstalled(program)) return { what: `due burst, compared with ${name}`, skipped: notInstalled };
    const child = stack.use(await startChild(new URL(`peers/${program}.js`, import.meta.url), options));
    return { name, child, parties: { ...stage.parties, service: [child.pid, ...others] } };
  };
  return [
    redis
      ? await open('BullMQ', 'bullmq', [redis.pid])
      : { what: 'due burst beside BullMQ', skipped: 'there is no redis-server here' },
    await open('graphile-worker', 'graphile-worker', []),
    await open('pg-boss', 'pg-boss', []),
  ];
}

export const isInstalled = (name: string) =>
  existsSync(new URL(`peers/node_modules/${name}/package.json`, import.meta.url));

/**
 * Appends every change to its file and syncs once a second, as the Redis documentation recommends. Null if Redis is not
 * installed.
 */
async function startRedis(stack: AsyncDisposableStack) {
  const program = ['redis-server', 'valkey-server'].find(isProgram);
  if (!program) return null;
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const socket = join(folder.path, 'redis.sock');
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder.path, '--save', '', '--appendonly', 'yes'];
  const redis = spawn(program, settings, { stdio: 'ignore' });
  stack.defer(async () => {
    redis.kill('SIGTERM');
    await once(redis, 'exit');
  });
  for (const until = Date.now() + 10_000; !existsSync(socket); await sleep(20)) {
    if (Date.now() > until) throw new Error('Redis did not start within 10 s.');
  }
  return { socket, pid: redis.pid ?? 0 };
}

function isProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version']);
    return true;
  } catch {
    return false;
  }
}

async function publishWith(
  stage: PublishingStage,
  { child, parties }: Peer,
  accounts: string[],
  count: number,
): Promise<Measured> {
  const { label, targets } = await insertPeerTargets(stage.pool, count);
  const dueAt = Date.now() + aheadMs(count);
  const jobs = targets.map((target, place) => ({ ...target, token: accounts[place % accounts.length] }));
  await child.ask({ action: 'add', jobs, dueAt });
  if (Date.now() > dueAt) throw new Error(`Adding ${count} jobs took so long that they were due before its end.`);
  await sleep(dueAt - Date.now());
  const { shares } = await timed(parties, () => child.ask({ action: 'finish', count }));
  const late = await latenessOf(stage, label, count, () => dueAt);
  return { figure: count / ((late.at(-1) ?? 0) / 1000), shares, counted: `${count} published once` };
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
