import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { insertDuePosts, insertFuturePosts } from './due-posts.ts';
import { percentile } from './percentile.ts';
import { type Bench, startBench } from './setup.ts';

export const connections = 500;
export const targets = 10_000;
const warmUp = 3_000;
/** As many as a worker has lanes for. */
const concurrency = 256;
/** Leaves enough time to insert the posts before they are due. */
export const aheadMs = 15_000;
const steadyPerSecond = 100;
const steadySeconds = 60;
const futureGroups = 1_000_000;

/** Ten thousand posts due in one second, and a hundred a second for a minute, against a bare loop of the same requests. */
export async function burst() {
  await using bench = await startBench({ connections });
  return { ...(await measureBurst(bench)), ...(await measureSteady(bench)) };
}

/** The same with a million posts scheduled for the future. */
export async function million() {
  await using bench = await startBench({ connections });
  const began = performance.now();
  await insertFuturePosts(bench.pool, futureGroups);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  return {
    'groups scheduled in the future': `${futureGroups} (made in ${seconds} s)`,
    ...(await measureBurst(bench)),
    ...(await measureSteady(bench)),
  };
}

async function measureBurst(bench: Bench) {
  // Both sides are warmed up first, because the first seconds go into compiling.
  await publishAtOnce(bench, warmUp);
  const { late, published } = await publishAtOnce(bench, targets);
  const ours = targets / ((late.at(-1) ?? 0) / 1000);
  await bareLoop(bench, warmUp);
  const ceiling = await bareLoop(bench, targets);
  const implied = (rate: number) => Math.round((targets / rate) * 0.99 * 1000 + 1000);
  return {
    'targets due in one second, published': `${targets} / ${published}`,
    'start of the call late by, median / p99 (ms)': `${percentile(late, 0.5)} / ${percentile(late, 0.99)}`,
    'p99 that the ceiling, and half of it, imply, plus 1 s': `${implied(ceiling)} / ${implied(ceiling / 2)}`,
    'published per second': ours.toFixed(0),
    'bare loop with the same requests, per second': ceiling.toFixed(0),
    'ratio to the ceiling (>= 0.5)': (ours / ceiling).toFixed(2),
  };
}

async function publishAtOnce(bench: Bench, count: number) {
  const due = new Date(Date.now() + aheadMs);
  const label = await insertDuePosts(bench.pool, { targets: count, at: () => due });
  await sleep(Math.max(0, due.getTime() - Date.now()));
  await untilPublished(bench.pool);
  const { rows } = await bench.pool.query(
    `select count(*)::int as published from platform_posts where content like $1 and status = 'published'`,
    [`${label} %`],
  );
  return { late: await latenessOf(bench, label, () => due.getTime()), published: rows[0].published };
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
  await untilPublished(bench.pool);
  const late = await latenessOf(bench, label, (index) => times.get(index)!);
  return {
    [`${steadyPerSecond} a second for ${steadySeconds} s: late by, median / p99 (ms; p99 < 500)`]: `${percentile(late, 0.5)} / ${percentile(late, 0.99)}`,
  };
}

/** When each post reached the sandbox, by the sandbox's clock, sorted. */
async function latenessOf(bench: Bench, label: string, dueAt: (index: number) => number): Promise<number[]> {
  const posts = await postsOf(bench, label);
  return posts
    .map(({ text, createdAt }) => Date.parse(createdAt) - dueAt(Number(text.slice(label.length + 1))))
    .sort((one, other) => one - other);
}

/** The posts with this label that the sandbox holds. */
export async function postsOf({ sandboxUrl }: Bench, label: string): Promise<{ text: string; createdAt: string }[]> {
  const response = await fetch(`${sandboxUrl}/_control/posts?network=mastodon`);
  const posts = (await response.json()) as { text: string; createdAt: string }[];
  return posts.filter(({ text }) => text.startsWith(`${label} `));
}

export async function untilPublished(pool: pg.Pool) {
  for (;;) {
    // Both queries use a partial index, so that polling does not disturb the measurement.
    const { rows } = await pool.query(
      `select exists (select from platform_posts where run_at is not null) or exists (
        select from post_groups where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= now()
      ) as busy`,
    );
    if (!rows[0].busy) return;
    await sleep(250);
  }
}

/** The ceiling: the same requests from a loop that does nothing else. */
async function bareLoop({ sandboxUrl }: Bench, count: number): Promise<number> {
  const tokens = await Promise.all(
    Array.from({ length: concurrency }, (_, index) => tokenOf(sandboxUrl, `bare${count}x${index}`)),
  );
  let sent = 0;
  const began = performance.now();
  const client = async (token: string) => {
    while (sent < count) {
      sent += 1;
      const response = await fetch(`${sandboxUrl}/mastodon.social/api/v1/statuses`, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'accept-language': 'en',
          'user-agent': 'Crier (social publishing service)',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': `bare${count}x${sent}`,
        },
        body: JSON.stringify({ status: `bare ${sent}`, visibility: 'public' }),
      });
      if (response.status !== 200) throw new Error(`The sandbox answers ${response.status}: ${await response.text()}`);
      await response.text();
    }
  };
  await Promise.all(tokens.map(client));
  return count / ((performance.now() - began) / 1000);
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
