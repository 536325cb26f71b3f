import type { CrierProcess } from '../test/support/processes/crier.ts';
import { accountsOf, targetsOf } from './burst.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { figureRow } from './harness/compare.ts';
import { openPublishingStage, publishAtOnce } from './publishing-stage.ts';

const processes = 3;

/** Three processes on one database: how evenly they share the work, and that every post is published exactly once. */
export const sharing: Benchmark<AsyncDisposable> = {
  name: 'sharing',
  about: 'how evenly three processes share a burst',
  forms: [],
  async measure(_stage, { scale }) {
    await using stage = await openPublishingStage(accountsOf(scale), { processes });
    const { perSecond, shares, counted } = await publishAtOnce(stage, targetsOf(scale));
    const published = await Promise.all(stage.criers.map(publishedBy));
    const even = targetsOf(scale) / processes;
    const furthest = Math.max(...published.map((count) => Math.abs(count - even) / even));
    return [
      figureRow({
        what: `burst on ${processes} processes: furthest from an even share`,
        unit: '%',
        figures: [furthest * 100],
        aim: { atMost: 20 },
        shares,
        counted: `${counted}: ${published.join(' / ')}`,
      }),
      figureRow({ what: `burst on ${processes} processes`, unit: 'a second', figures: [perSecond], shares, counted }),
    ];
  },
};

async function publishedBy({ ready }: CrierProcess): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', ready.url))).text();
  const counts = metrics.match(/^crier_publish_outcomes_total\{.*outcome="published".*\} (\d+)$/gm) ?? [];
  return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
