import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type App, buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createUser } from '../../src/features/accounts/operator/users.ts';
import { migrate } from '../../src/foundation/db/migrate.ts';
import { sealingKey } from '../../src/foundation/lib/seal.ts';
import type { PlatformId } from '../../src/platforms/index.ts';
import { buildServer } from '../../src/surfaces/server.ts';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import { type ChaosDatabase, type DatabaseKind, openDatabaseOf } from './databases.ts';
import { connectEverywhere, loader } from './load.ts';
import { openNetworks } from './networks.ts';
import { type Random, seededRandom } from './random.ts';
import { checkTraces, recordTraces, type TraceReport } from './trace.ts';
import { type Verdict, verify } from './verify.ts';
import { workerPool } from './workers.ts';

export interface ChaosOptions {
  seed: number;
  targets: number;
  accounts: number;
  platforms: readonly PlatformId[];
  workers: number;
  /** Timeout for a network that does not respond. */
  timeoutMs: number;
  /** The minimum duration of the trouble, which lasts until all posts are created. After it, everything may finish. */
  troubleSeconds: number;
  deadlineSeconds: number;
  /** One server, or a cluster whose primary fails over. */
  database: DatabaseKind;
  /** Also compare the events with the model of the engine. */
  traces: boolean;
  say(line: string): void;
}

export interface ChaosReport extends Verdict {
  seed: number;
  seconds: number;
  injected: Record<string, number>;
  longestRecoverySeconds: number;
  /** Null if traces were not recorded. */
  traces: TraceReport | null;
}

const sealing = '5e'.repeat(32);
const clockFactor = 20;
/** A single request waits most of the time, and so would the workers. */
const atOnce = 4;
/** With more, the rest would be published after the trouble. */
const mostUnfinished = 1_000;
/** Machines with synchronized clocks differ by less. */
const maxSkewMs = 2_000;

/**
 * Publishes to all networks while processes are killed and suspended, the database restarts, connections break before
 * and after the network has accepted a request, responses are late, wrong or missing, and tokens expire. Then compares
 * the result with the posts on the networks.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, targets, accounts, platforms, say } = options;
  const started = performance.now();
  const random = seededRandom(seed);
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const database = await openDatabaseOf(options.database, folder.path, stack);
  await migrate(database.url);
  if (options.traces) await recordTraces(database.url);
  const clockBase = Date.now();
  const sandboxUrl = await openNetworks({ clockBase, clockFactor }, stack);
  const dataDir = join(folder.path, 'data');
  const { app, publicUrl } = await anApp(database.url, sandboxUrl, dataDir, stack);

  const { id: userId } = await createUser(app, { email: 'chaos@example.com', password: 'long enough', plan: 'agency' });
  await connectEverywhere(app, sandboxUrl, userId, platforms, accounts);
  const pool = workerPool({
    databaseUrl: database.url,
    sandboxUrl,
    publicUrl,
    dataDir,
    sealingKey: sealing,
    clockBase,
    clockFactor,
    compileCache: join(folder.path, 'compiled'),
    platformTimeoutMs: options.timeoutMs,
    // Every machine's clock is off by a different amount.
    skewMs: () => random.below(2 * maxSkewMs) - maxSkewMs,
  });
  stack.defer(() => pool.end());
  for (let worker = 0; worker < options.workers; worker += 1) await pool.start();

  const injected: Record<string, number> = {};
  const count = (kind: string) => {
    injected[kind] = (injected[kind] ?? 0) + 1;
  };
  let troubled = true;
  const recovery = watchRecovery(app);
  const load = await loader(app, userId, random);
  const trouble = (async () => {
    const end = performance.now() + options.troubleSeconds * 1000;
    while (performance.now() < end || load.made() < targets) {
      await sleep(200 + random.below(600));
      await makeTrouble(random, {
        platforms,
        timeoutMs: options.timeoutMs,
        sandboxUrl,
        database,
        pool,
        count,
      });
    }
    troubled = false;
  })();
  let reported = 0;
  const makePosts = async () => {
    while (load.made() < targets) {
      await retryWhileDown(async () => {
        if (load.made() < targets) await load.post(targets - load.made());
      });
      if (load.made() < reported + 200) continue;
      reported = load.made();
      say(`${reported} targets`);
      while ((await retryWhileDown(() => unfinished(app))) > mostUnfinished) await sleep(500);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, makePosts));
  await trouble;
  await fetch(`${sandboxUrl}/_control/faults`, { method: 'DELETE' });
  while (pool.size() < options.workers) await pool.start();
  say('the trouble is over');
  await untilFinished(app, options.deadlineSeconds, say);
  const longestRecoverySeconds = recovery.stop();
  const verdict = await retryWhileDown(() => verify(app, sandboxUrl));
  const { duplicates, losses, unfinished: open, untrue } = verdict;
  say(`${duplicates.length} twice, ${losses.length} lost, ${open.length} unfinished, ${untrue.length} untrue`);
  if (options.traces) say('comparing what happened with the model');
  const traces = options.traces ? await retryWhileDown(() => checkTraces(app.db, options.timeoutMs)) : null;
  const seconds = Math.round((performance.now() - started) / 1000);
  const ended = { seed, seconds, injected, longestRecoverySeconds, ...verdict, traces };
  return { ...ended, ...(troubled && { unfinished: ['trouble'] }) };
}

/** Also serves media, because some networks fetch files themselves. */
async function anApp(databaseUrl: string, sandboxUrl: string, dataDir: string, stack: AsyncDisposableStack) {
  const shared = { databaseUrl, sandboxUrl, sealingKeys: { current: sealingKey(sealing), previous: [] } };
  const log = pino({ level: 'silent' });
  const config = readConfig({ DATA_DIR: dataDir });
  const files = await buildApp(config, { ...shared, publicUrl: 'http://127.0.0.1', log });
  stack.defer(() => files.close());
  const server = await buildServer(files);
  stack.defer(() => server.close());
  const publicUrl = await server.listen({ port: 0, host: '127.0.0.1' });
  const app = await buildApp(config, { ...shared, publicUrl, log });
  stack.defer(() => app.close());
  return { app, publicUrl };
}

interface System {
  platforms: readonly PlatformId[];
  timeoutMs: number;
  sandboxUrl: string;
  database: ChaosDatabase;
  pool: ReturnType<typeof workerPool>;
  count(kind: string): void;
}

const faultsAt = (timeoutMs: number): readonly Record<string, unknown>[] => [
  { kind: 'reset_after', operation: 'publish' },
  { kind: 'reset_after', operation: 'publish' },
  { kind: 'reset_after', operation: 'any' },
  { kind: 'nonsense', operation: 'publish' },
  { kind: 'nonsense', operation: 'any' },
  { kind: 'reset_before', operation: 'publish' },
  { kind: 'reset_before', operation: 'any' },
  { kind: 'status', status: 500, operation: 'publish' },
  { kind: 'status', status: 503, operation: 'any' },
  { kind: 'status', status: 502, operation: 'upload' },
  { kind: 'rate_limit', operation: 'publish', retryAfterSeconds: 100 },
  // Just before the timeout, and after it.
  { kind: 'latency', operation: 'publish', latencyMs: 0.9 * timeoutMs },
  { kind: 'latency', operation: 'publish', latencyMs: 1.2 * timeoutMs },
  { kind: 'latency', operation: 'any', latencyMs: 400 },
  { kind: 'timeout', operation: 'publish' },
  { kind: 'expired_token', operation: 'publish' },
  { kind: 'reset_after', operation: 'comment' },
  { kind: 'reset_after', operation: 'upload' },
];

async function makeTrouble(random: Random, system: System) {
  const { platforms, timeoutMs, sandboxUrl, database, pool, count } = system;
  const dice = random.next();
  if (dice < 0.12 && pool.size() > 0) {
    count('kill -9');
    await pool.kill9(random.below(8));
    await pool.start();
  } else if (dice < 0.18 && pool.size() > 0) {
    count('suspend');
    pool.suspend(random.below(8), 5_000 + random.below(8_000));
  } else if (dice < 0.2) {
    if (await database.die()) count('database restart');
  } else {
    const fault = random.pick(faultsAt(timeoutMs));
    const network = random.pick(platforms);
    // LinkedIn's limits reset at midnight, too far away to wait for.
    if (fault.kind === 'rate_limit' && network === 'linkedin') return;
    count(`${fault.kind} on ${fault.operation}`);
    const body = { network, ...fault, times: 1 + random.below(3) };
    await fetch(`${sandboxUrl}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}

/** The longest time since the last heartbeat of a worker that still held lanes. */
function watchRecovery(app: App) {
  let [stopped, longest] = [false, 0];
  void (async () => {
    while (!stopped) {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(max(extract(epoch from now() - seen_at)), 0)::float8 as seconds from workers
        where id in (select worker from publish_lanes)`
        .execute(app.db)
        .catch(() => ({ rows: [] }));
      longest = Math.max(longest, rows[0]?.seconds ?? 0);
      await sleep(250);
    }
  })();
  return {
    stop() {
      stopped = true;
      return Math.round(longest * 10) / 10;
    },
  };
}

async function untilFinished(app: App, deadlineSeconds: number, say: (line: string) => void) {
  const end = performance.now() + deadlineSeconds * 1000;
  for (let round = 0; performance.now() < end; round += 1) {
    const count = await retryWhileDown(() => unfinished(app));
    if (count === 0) return;
    if (round % 20 === 0) say(`${count} unfinished`);
    await sleep(500);
  }
}

async function unfinished(app: App): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from platform_posts
    where status not in ('draft', 'published', 'failed') or run_at is not null`.execute(app.db);
  return rows[0]?.count ?? 0;
}

/** The database is down for moments, by design. */
async function retryWhileDown<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 120) throw error;
      await sleep(500);
    }
  }
}
