import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openDatabase } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { type CrierProcess, dataFolder, runProgram, startCrier } from '../test/support/crier-process.ts';
import { insertDuePosts, insertFuturePosts } from './due-posts.ts';
import { percentile } from './percentile.ts';

const connections = 500;
const targets = 10_000;
const concurrency = 64;
/** Enough to insert the posts before they are due. */
const aheadMs = 15_000;
const steadyPerSecond = 100;
const steadySeconds = 60;
const futureGroups = 1_000_000;

/** Ten thousand posts due in the same second, and a hundred a second for a minute, against a bare loop of the same requests. */
export async function burst() {
  await using bench = await aBench();
  return { ...(await measureBurst(bench)), ...(await measureSteady(bench)) };
}

/** The same with a million posts waiting in the future. */
export async function million() {
  await using bench = await aBench();
  const began = performance.now();
  await insertFuturePosts(bench.pool, futureGroups);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  return {
    'groups scheduled in the future': `${futureGroups} (made in ${seconds} s)`,
    ...(await measureBurst(bench)),
    ...(await measureSteady(bench)),
  };
}

type Bench = Awaited<ReturnType<typeof aBench>>;

async function aBench() {
  const folder = await dataFolder();
  const sandbox = fork(new URL('../sandbox/main.ts', import.meta.url), [], {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_DATA: join(folder.path, 'sandbox') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url: sandboxUrl }] = (await once(sandbox, 'message')) as [{ url: string }];
  const port = new URL(sandboxUrl).port;
  const crier = await startCrier({ folder, environment: { SANDBOX_PORT: port, LOG_LEVEL: 'error' } });
  const embedded = await openEmbedded({ folder: join(crier.dataDir, 'postgres'), log: { info() {}, warn() {} } });
  const database = openDatabase(embedded.url, { max: 2 });
  await connect(crier);
  return {
    crier,
    sandboxUrl,
    pool: database.pool,
    async [Symbol.asyncDispose]() {
      await database.close();
      await embedded.release();
      await crier.stop();
      sandbox.kill('SIGTERM');
      await once(sandbox, 'exit');
      await folder.remove();
    },
  };
}

async function connect({ environment, ready }: CrierProcess) {
  const args = ['--user', ready.demo!.userId, '--networks', 'mastodon', '--count', String(connections), '--json'];
  const { code, stderr } = await runProgram(['src/admin/main.ts', 'connect-sandbox', ...args], environment);
  if (code !== 0) throw new Error(stderr);
}

async function measureBurst(bench: Bench) {
  const due = new Date(Date.now() + aheadMs);
  const label = await insertDuePosts(bench.pool, { targets, at: () => due });
  await sleep(Math.max(0, due.getTime() - Date.now()));
  await untilPublished(bench.pool, label);
  const late = await latenessOf(bench, label, () => due.getTime());
  const seconds = (late.at(-1) ?? 0) / 1000;
  const ours = targets / seconds;
  const ceiling = await bareLoop(bench);
  const implied = (targets / ceiling) * 0.99 * 1000;
  return {
    'targets due in one second, all published': late.length,
    'start of the call late by, median / p99 (ms)': `${percentile(late, 0.5)} / ${percentile(late, 0.99)}`,
    'p99 allowed: what the ceiling implies, plus 1 s (ms)': Math.round(implied + 1000),
    'published per second': ours.toFixed(0),
    'bare loop with the same requests, per second': ceiling.toFixed(0),
    'ratio to the ceiling (>= 0.5)': (ours / ceiling).toFixed(2),
  };
}

async function measureSteady(bench: Bench) {
  const start = Date.now() + aheadMs;
  const times = new Map<number, number>();
  const at = (index: number) => {
    const time = start + Math.round((index * 1000) / steadyPerSecond);
    times.set(index, time);
    return new Date(time);
  };
  const label = await insertDuePosts(bench.pool, { targets: steadyPerSecond * steadySeconds, at });
  await sleep(start + steadySeconds * 1000 - Date.now());
  await untilPublished(bench.pool, label);
  const late = await latenessOf(bench, label, (index) => times.get(index)!);
  return {
    [`${steadyPerSecond} a second for ${steadySeconds} s: late by, median / p99 (ms; p99 < 500)`]: `${percentile(late, 0.5)} / ${percentile(late, 0.99)}`,
  };
}

/** When each reached the network, by the network's clock, in order. */
async function latenessOf({ sandboxUrl }: Bench, label: string, dueAt: (index: number) => number): Promise<number[]> {
  const response = await fetch(`${sandboxUrl}/_control/posts?network=mastodon`);
  const posts = (await response.json()) as { text: string; createdAt: string }[];
  return posts
    .filter(({ text }) => text.startsWith(`${label} `))
    .map(({ text, createdAt }) => Date.parse(createdAt) - dueAt(Number(text.slice(label.length + 1))))
    .sort((one, other) => one - other);
}

async function untilPublished(pool: pg.Pool, label: string) {
  for (;;) {
    const { rows } = await pool.query(
      `select count(*)::int as open from platform_posts where content like $1 and status <> 'published'`,
      [`${label} %`],
    );
    if (rows[0].open === 0) return;
    await sleep(250);
  }
}

/** The same requests from a loop that does nothing else. */
async function bareLoop({ sandboxUrl }: Bench): Promise<number> {
  const tokens = await Promise.all(
    Array.from({ length: concurrency }, (_, index) => tokenOf(sandboxUrl, `bare${index}`)),
  );
  let sent = 0;
  const began = performance.now();
  const client = async (token: string) => {
    while (sent < targets) {
      sent += 1;
      const response = await fetch(`${sandboxUrl}/mastodon.social/api/v1/statuses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': `bare${sent}`,
        },
        body: JSON.stringify({ status: `bare ${sent}`, visibility: 'public' }),
      });
      if (response.status !== 200) throw new Error(`The sandbox answers ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(tokens.map(client));
  return targets / ((performance.now() - began) / 1000);
}

async function tokenOf(sandboxUrl: string, handle: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: 'mastodon', handle }),
  });
  const { credentials } = (await response.json()) as { credentials: { accessToken: string } };
  return credentials.accessToken;
}
