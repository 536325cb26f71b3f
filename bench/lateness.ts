import { setTimeout as sleep } from 'node:timers/promises';
import { insertDuePosts } from './due-posts.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { figureRow } from './harness/compare.ts';
import { percentile } from './harness/percentile.ts';
import { timed } from './harness/processes.ts';
import type { Scale } from './harness/scale.ts';
import { aheadMs, latenessOf, type PublishingStage, untilPublished } from './publishing-stage.ts';
import { keyOf, platformIdOf } from './tenants.ts';

const perSecond = 100;

export const lateness: Benchmark<PublishingStage> = {
  name: 'lateness',
  about: 'how late posts leave at a hundred a second, and on an idle service',
  forms: ['quick', 'smoke'],
  async measure(stage, { scale }) {
    const rounds: Awaited<ReturnType<typeof steady>>[] = [];
    while (rounds.length < scale.of({ full: 3, quick: 1, smoke: 1 })) rounds.push(await steady(stage, scale));
    const figures = (share: number) => rounds.map(({ late }) => percentile(late, share));
    const [first] = rounds;
    const shares = first?.shares ?? null;
    const counted = `${first?.late.length} published once`;
    const alone = await fromTheApi(stage, scale);
    const what = `steady ${perSecond} due a second: lateness`;
    return [
      figureRow({ what: `${what}, p50`, unit: 'ms', figures: figures(0.5), aim: { atMost: 20 }, shares, counted }),
      figureRow({ what: `${what}, p99`, unit: 'ms', figures: figures(0.99), aim: { atMost: 100 }, shares, counted }),
      figureRow({
        what: 'single posts from the API, idle service: lateness, worst',
        unit: 'ms',
        figures: [alone.at(-1)!],
        aim: { atMost: 100 },
        counted: `${alone.length} published once`,
      }),
    ];
  },
};

async function steady(stage: PublishingStage, scale: Scale) {
  const targets = perSecond * scale.of({ full: 60, quick: 10, smoke: 1 });
  const start = Date.now() + aheadMs(targets);
  const dueAt = (index: number) => start + Math.round((index * 1000) / perSecond);
  const label = await insertDuePosts(stage.pool, { targets, at: (index) => new Date(dueAt(index)) });
  await sleep(start - Date.now());
  const { shares } = await timed(stage.parties, async () => {
    await sleep(dueAt(targets) - Date.now());
    await untilPublished(stage.pool);
  });
  return { shares, late: await latenessOf(stage, label, targets, dueAt) };
}

/** Posts scheduled a few seconds ahead, one after the other. */
async function fromTheApi(stage: PublishingStage, scale: Scale): Promise<number[]> {
  const posts = scale.of({ full: 20, quick: 10, smoke: 3 });
  const label = `idle-${Date.now().toString(36)}`;
  const start = Date.now() + 2_000 + posts * 50;
  const dueAt = (index: number) => start + index * 137;
  for (let index = 0; index < posts; index += 1) {
    const content = `${label} ${index}`;
    const scheduledTime = new Date(dueAt(index)).toISOString();
    const response = await fetch(`${stage.criers[0]!.ready.baseUrl}/create-post`, {
      method: 'POST',
      headers: { ...keyOf(stage.author), 'content-type': 'application/json' },
      body: JSON.stringify({ content, platforms: [platformIdOf(stage.author.connections[index]!)], scheduledTime }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  await sleep(dueAt(posts) - Date.now());
  await untilPublished(stage.pool);
  return latenessOf(stage, label, posts, dueAt);
}
