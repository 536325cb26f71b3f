import { execFileSync } from 'node:child_process';
import { accountsOf, targetsOf } from './burst.ts';
import type { Benchmark, Row } from './harness/benchmark.ts';
import { figureRow } from './harness/compare.ts';
import { spreadOf } from './harness/percentile.ts';
import { family } from './harness/processes.ts';
import { openPublishingStage, publishAtOnce } from './publishing-stage.ts';

const counts = [1, 2, 4];

/**
 * The burst on one, two and four workers, with the database on the first core and all workers on the second. The shares of
 * the cores say which of the two is full: half of two cores is one of them.
 */
export const workers: Benchmark<AsyncDisposable> = {
  name: 'workers',
  about: 'how a burst scales with 1, 2 and 4 workers, which have a core of their own',
  forms: [],
  async measure(_stage, { scale }) {
    if (!canPin()) return [{ what: 'scaling of workers', skipped: 'there is no taskset here' }];
    const targets = targetsOf(scale);
    const rows: Row[] = [];
    let one: number | null = null;
    for (const processes of counts) {
      await using stage = await openPublishingStage(accountsOf(scale), { processes, launcher: ['taskset', '-c', '1'] });
      for (const pid of family(stage.parties.database)) pin(pid, 0);
      await publishAtOnce(stage, Math.ceil(targets / 3));
      const rounds: Awaited<ReturnType<typeof publishAtOnce>>[] = [];
      while (rounds.length < Math.min(3, scale.rounds)) rounds.push(await publishAtOnce(stage, targets));
      const ours = spreadOf(rounds.map(({ perSecond }) => perSecond));
      one ??= ours.median;
      const { shares = null, counted = '' } = rounds[0] ?? {};
      const row = figureRow({ what: `burst, workers: ${processes}`, unit: 'a second', figures: [], shares, counted });
      const [first, ratio] = [spreadOf([one]), spreadOf([ours.median / one])];
      rows.push({ ...row, ours, against: 'one worker', ceiling: first, ratio, aim: null });
    }
    return rows;
  },
};

/** New backends of the database inherit the core of their parent. */
const pin = (pid: number, core: number) => execFileSync('taskset', ['-pc', String(core), String(pid)]);

function canPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true']);
    return true;
  } catch {
    return false;
  }
}
