import { setTimeout as sleep } from 'node:timers/promises';
import type { CrierProcess } from '../test/support/crier-process.ts';
import { aheadMs, connections, postsOf, targets, untilPublished } from './burst.ts';
import { insertDuePosts } from './due-posts.ts';
import { startBench } from './setup.ts';

const processes = 3;

/** Three processes on one database: measures how evenly they share the work and that every post is published once. */
export async function sharing() {
  await using bench = await startBench({ connections, processes });
  const due = new Date(Date.now() + aheadMs);
  const label = await insertDuePosts(bench.pool, { targets, at: () => due });
  await sleep(Math.max(0, due.getTime() - Date.now()));
  const began = performance.now();
  await untilPublished(bench.pool);
  const seconds = (performance.now() - began) / 1000;
  const texts = (await postsOf(bench, label)).map(({ text }) => text);
  const shares = await Promise.all(bench.criers.map(publishedBy));
  const even = targets / processes;
  const furthest = Math.max(...shares.map((share) => Math.abs(share - even) / even));
  return {
    'published by each process': shares.join(' / '),
    'furthest from an even share (<= 20 %)': `${(furthest * 100).toFixed(1)} %`,
    'posts at the platform / distinct ones': `${texts.length} / ${new Set(texts).size}`,
    'published per second, all together': (targets / seconds).toFixed(0),
  };
}

async function publishedBy({ ready }: CrierProcess): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', ready.url))).text();
  const counts = metrics.match(/^crier_publish_outcomes_total\{.*outcome="published".*\} (\d+)$/gm) ?? [];
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
