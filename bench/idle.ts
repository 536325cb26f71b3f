import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataFolder, dataFolder, startCrier } from '../test/support/processes/crier.ts';
import type { Benchmark, Row } from './harness/benchmark.ts';
import { startChild } from './harness/child.ts';
import { figureRow } from './harness/compare.ts';
import { spreadOf } from './harness/percentile.ts';
import { cpuSeconds, memoryMegabytes } from './harness/processes.ts';
import type { Scale } from './harness/scale.ts';

const against = 'bare Node, Fastify and PostgreSQL';

export const idle: Benchmark<AsyncDisposable> = {
  name: 'idle',
  about: 'starting on an existing database, and memory and processor of all processes at idle',
  forms: [],
  async measure(_stage, { scale }) {
    if (process.platform !== 'linux') return [{ what: 'idle', skipped: 'there is no /proc here' }];
    await using stack = new AsyncDisposableStack();
    const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
    const bareFolder = stack.adopt(await dataFolder(), ({ remove }) => remove());
    const rounds: { ours: Idle; bare: Idle }[] = [];
    // The first start creates the database.
    await startOurs(folder, null);
    await startBare(bareFolder, null);
    while (rounds.length < Math.min(3, scale.rounds)) {
      rounds.push({ ours: await startOurs(folder, scale), bare: await startBare(bareFolder, scale) });
    }
    const longer = rounds.map(({ ours, bare }) => ours.readySeconds - bare.readySeconds);
    const medians = (['ours', 'bare'] as const).map((side) =>
      spreadOf(rounds.map((round) => round[side].readySeconds)).median.toFixed(2),
    );
    return [
      figureRow({
        what: 'startup with an existing database: extra time over bare',
        unit: 's',
        figures: longer,
        aim: { atMost: 1 },
        counted: `${medians[0]} s, ${against} ${medians[1]} s`,
      }),
      ratioRow('memory at idle, all processes, with the sandbox', 'MB', rounds, ({ megabytes }) => megabytes),
      ratioRow('CPU at idle, all processes', '% of a core', rounds, ({ cpuPercent }) => cpuPercent),
    ];
  },
};

interface Idle {
  readySeconds: number;
  /** Shared pages are counted once. */
  megabytes: number;
  cpuPercent: number;
}

function ratioRow(
  what: string,
  unit: string,
  rounds: readonly { ours: Idle; bare: Idle }[],
  figureOf: (idle: Idle) => number,
): Row {
  const row = figureRow({
    what,
    unit,
    figures: rounds.map(({ ours }) => figureOf(ours)),
    aim: { atMost: 1.4 },
    counted: '',
  });
  const ceiling = spreadOf(rounds.map(({ bare }) => figureOf(bare)));
  const ratio = spreadOf(rounds.map(({ ours, bare }) => figureOf(ours) / figureOf(bare)));
  return { ...row, against, ceiling, ratio };
}

async function startOurs(folder: DataFolder, scale: Scale | null): Promise<Idle> {
  const began = performance.now();
  const crier = await startCrier({ folder });
  const readySeconds = (performance.now() - began) / 1000;
  try {
    return { readySeconds, ...(await watchIdle(crier.ready.pid, scale)) };
  } finally {
    await crier.stop();
  }
}

async function startBare({ path }: DataFolder, scale: Scale | null): Promise<Idle> {
  const began = performance.now();
  await using bare = await startChild(new URL('bare/idle.ts', import.meta.url), { folder: join(path, 'postgres') });
  const readySeconds = (performance.now() - began) / 1000;
  return { readySeconds, ...(await watchIdle(bare.pid, scale)) };
}

/** The database is a child of the process that started it. */
async function watchIdle(pid: number, scale: Scale | null): Promise<Omit<Idle, 'readySeconds'>> {
  if (!scale) return { megabytes: 0, cpuPercent: 0 };
  const seconds = scale.of({ full: 20, smoke: 1 });
  await sleep(seconds * 1000);
  const before = cpuSeconds([pid]);
  await sleep(seconds * 1000);
  // The system counts in hundredths of a second. Less than one counts as one, so that ratios stay finite.
  const used = Math.max(0.01, cpuSeconds([pid]) - before);
  return { megabytes: memoryMegabytes([pid]), cpuPercent: (used / seconds) * 100 };
}
