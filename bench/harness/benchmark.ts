import type { Spread } from './percentile.ts';
import type { Shares } from './processes.ts';
import type { Scale } from './scale.ts';

/** Applies to the ratio if there is a comparison, otherwise to the figure itself. */
export type Aim = { atLeast: number } | { atMost: number };

/** One line of the table. */
export interface Row {
  what: string;
  /** The unit of `ours` and `ceiling`: `a second`, `ms`, `MB`. */
  unit: string;
  ours: Spread;
  /** The name of the comparison measured in the same run. */
  against: string | null;
  ceiling: Spread | null;
  ratio: Spread | null;
  aim: Aim | null;
  /** Share of all cores while ours was measured. Null if it would be meaningless. */
  shares: Shares | null;
  ceilingShares: Shares | null;
  /** What was counted to verify that the work was done. */
  counted: string;
}

/** Something that cannot be measured here, and the reason. */
export interface Skipped {
  what: string;
  skipped: string;
}

export interface Benchmark<Stage> {
  /** `npm run bench -- <name>` */
  readonly name: string;
  readonly about: string;
  /** The shorter forms in which it runs. */
  readonly forms: readonly ('quick' | 'smoke')[];
  /** Runs only if named, because it takes long. */
  readonly onRequest?: boolean;
  measure(stage: Stage, run: Run): Promise<(Row | Skipped)[]>;
}

export interface Run {
  readonly scale: Scale;
  /** The value of `--groups`. */
  readonly groups: readonly number[] | null;
  /** Stored in the JSON next to the rows: query plans, lists of latencies. */
  keep(name: string, detail: unknown): void;
}

/** Benchmarks that share a stage. */
export interface Suite {
  readonly benchmarks: readonly Omit<Benchmark<never>, 'measure'>[];
  /** Starts the stage, runs the benchmarks with these names in turn, and stops the stage. */
  run(
    names: readonly string[],
    run: Run,
    report: (name: string, rows: (Row | Skipped)[] | Error) => void,
  ): Promise<void>;
}

export function suite<Stage extends AsyncDisposable>(
  open: (run: Run) => Promise<Stage>,
  benchmarks: readonly Benchmark<Stage>[],
): Suite {
  return {
    benchmarks,
    async run(names, run, report) {
      await using stage = await open(run);
      for (const benchmark of benchmarks) {
        if (!names.includes(benchmark.name)) continue;
        report(benchmark.name, await benchmark.measure(stage, run).catch(asError));
      }
    },
  };
}

/** For benchmarks that start what they need themselves. */
export const alone = (benchmark: Benchmark<AsyncDisposable>): Suite =>
  suite(async () => ({ async [Symbol.asyncDispose]() {} }), [benchmark]);

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
