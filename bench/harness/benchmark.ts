import type { Spread } from './percentile.ts';
import type { Shares } from './processes.ts';
import type { Scale } from './scale.ts';

/** Of the ratio if there is something to compare with, otherwise of the figure itself. */
export type Aim = { atLeast: number } | { atMost: number };

/** One line of the table. */
export interface Row {
  what: string;
  /** Of `ours` and `ceiling`: `a second`, `ms`, `MB`. */
  unit: string;
  ours: Spread;
  /** What was measured in the same run to compare with, by its name. */
  against: string | null;
  ceiling: Spread | null;
  ratio: Spread | null;
  aim: Aim | null;
  /** Of all cores, while ours was measured. Null where it would say nothing. */
  shares: Shares | null;
  ceilingShares: Shares | null;
  /** What was counted to see that the work was done. */
  counted: string;
}

/** What a benchmark cannot measure here, and why. */
export interface Skipped {
  what: string;
  skipped: string;
}

export interface Benchmark<Stage> {
  /** `npm run bench -- <name>` */
  readonly name: string;
  readonly about: string;
  /** In which shorter forms it runs. */
  readonly forms: readonly ('quick' | 'smoke')[];
  /** Runs only if it is named, because it takes long. */
  readonly onRequest?: boolean;
  measure(stage: Stage, run: Run): Promise<(Row | Skipped)[]>;
}

export interface Run {
  readonly scale: Scale;
  /** Of `--groups`. */
  readonly groups: readonly number[] | null;
  /** Kept in the JSON beside the rows: query plans, lists of latencies. */
  keep(name: string, detail: unknown): void;
}

/** Benchmarks that share what has to be started for them. */
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

/** For benchmarks that start for themselves what they need. */
export const alone = (benchmark: Benchmark<AsyncDisposable>): Suite =>
  suite(async () => ({ async [Symbol.asyncDispose]() {} }), [benchmark]);

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
