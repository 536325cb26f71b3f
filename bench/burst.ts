import { insertFuturePosts } from './due-posts.ts';
import type { Benchmark, Row } from './harness/benchmark.ts';
import { compare, figureRow, type Side } from './harness/compare.ts';
import { percentile } from './harness/percentile.ts';
import type { Scale } from './harness/scale.ts';
import { bareRequests, openPublishingStage, type PublishingStage, publishAtOnce } from './publishing-stage.ts';

/** The number of lanes of a worker. */
const concurrency = 256;

export const accountsOf = (scale: Scale) => scale.of({ full: 500, quick: 300, smoke: 20 });
export const targetsOf = (scale: Scale) => scale.of({ full: 10_000, quick: 3_000, smoke: 60 });

export const burst: Benchmark<PublishingStage> = {
  name: 'burst',
  about: 'posts that are due in the same second',
  forms: ['quick', 'smoke'],
  measure: (stage, { scale }) => measureBurst(stage, scale, ''),
};

const futureGroups = 1_000_000;

export const million: Benchmark<AsyncDisposable> = {
  name: 'million',
  about: 'the same beside a million posts that wait for their time',
  forms: [],
  onRequest: true,
  async measure(_stage, { scale }) {
    await using stage = await openPublishingStage(accountsOf(scale));
    const waiting = scale.of({ full: futureGroups, smoke: 1_000 });
    await insertFuturePosts(stage.pool, waiting);
    return await measureBurst(stage, scale, `, beside ${waiting.toLocaleString('en')} that wait`);
  },
};

async function measureBurst(stage: PublishingStage, scale: Scale, beside: string): Promise<Row[]> {
  const targets = targetsOf(scale);
  const late: number[][] = [];
  const ours: Side = {
    warmUp: () => publishAtOnce(stage, Math.ceil(targets / 3)),
    async measure() {
      const burst = await publishAtOnce(stage, targets);
      late.push(burst.late);
      return { figure: burst.perSecond, shares: burst.shares, counted: burst.counted };
    },
  };
  const accounts = scale.of({ full: concurrency, smoke: 20 });
  const requests = await bareRequests(stage, accounts);
  const plan = { origins: [stage.sandboxUrl], requests, connections: accounts };
  const ceiling: Side = {
    warmUp: () => stage.client.send({ ...plan, count: Math.ceil(targets / 3) }),
    async measure() {
      const { value, shares } = await stage.client.sendTimed(stage.parties, { ...plan, count: targets });
      return { figure: targets / value.seconds, shares, counted: `${value.answered} responses` };
    },
  };
  const size = `${targets.toLocaleString('en')} due together on ${accountsOf(scale)} connections${beside}`;
  return [
    await compare(scale, {
      what: `due burst: ${size}`,
      unit: 'a second',
      ours,
      against: 'bare undici loop to the same sandbox',
      ceiling,
      aim: { atLeast: 0.7 },
    }),
    figureRow({
      what: 'due burst: lateness, p50',
      unit: 'ms',
      figures: late.map((round) => percentile(round, 0.5)),
      counted: size,
    }),
  ];
}
