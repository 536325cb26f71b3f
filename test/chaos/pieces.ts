import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { ChaosReport } from './chaos.ts';

/** The counts of one piece, or the sums over all pieces. */
const Counts = z.object({
  targets: z.number(),
  equalTargets: z.number(),
  published: z.number(),
  failed: z.number(),
  duplicates: z.number(),
  losses: z.number(),
  unfinished: z.number(),
  untrue: z.number(),
  kills: z.number(),
  suspensions: z.number(),
  databaseRestarts: z.number(),
  networkFaults: z.number(),
  tracesChecked: z.number(),
  tracesRefused: z.number(),
  seconds: z.number(),
});
export type Counts = z.output<typeof Counts>;

const Progress = z.object({
  /** Pieces of different runs cannot be added up. */
  settings: z.record(z.string(), z.unknown()),
  pieces: z.array(z.object({ seed: z.number(), counts: Counts })),
});
type Progress = z.output<typeof Progress>;

export interface Pieces {
  targets: number;
  /** Targets of one piece. */
  piece: number;
  /** The seed of the first piece. Each following piece uses the next number. */
  seed: number;
  settings: Record<string, unknown>;
  stateFile: string;
  run(piece: { seed: number; targets: number }): Promise<ChaosReport>;
  say(line: string): void;
}

export class OtherRun extends Error {
  override name = 'OtherRun';
}

/**
 * Runs the targets piece by piece, each with its own database and networks. The state file keeps the counts, so an
 * interrupted run continues with the piece it was in.
 */
export async function runPieces({ targets, piece, seed, settings, stateFile, run, say }: Pieces): Promise<Counts> {
  const progress = await readProgress(stateFile, settings);
  let sum = sumOf(progress);
  if (sum.targets > 0) say(`${stateFile} has ${sum.targets} targets in ${progress.pieces.length} pieces: going on.`);
  while (sum.targets < targets) {
    const next = { seed: seed + progress.pieces.length, targets: Math.min(piece, targets - sum.targets) };
    say(`piece ${progress.pieces.length + 1}, seed ${next.seed}: ${next.targets} targets`);
    const report = await run(next);
    progress.pieces.push({ seed: next.seed, counts: countsOf(report) });
    await writeProgress(stateFile, progress);
    sum = sumOf(progress);
    say(`${sum.targets} of ${targets} targets, ${wrongIn(sum)} wrong: ${JSON.stringify(sum)}`);
  }
  return sum;
}

export const wrongIn = ({ duplicates, losses, unfinished, untrue, tracesRefused }: Counts) =>
  duplicates + losses + unfinished + untrue + tracesRefused;

async function readProgress(file: string, settings: Record<string, unknown>): Promise<Progress> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return { settings, pieces: [] };
  const progress = Progress.parse(JSON.parse(text));
  if (JSON.stringify(progress.settings) === JSON.stringify(settings)) return progress;
  const were = JSON.stringify(progress.settings);
  throw new OtherRun(
    `${file} belongs to a run with other options: ${were}. Repeat them, delete it, or name another --state.`,
  );
}

/** Writes atomically: a process killed while writing leaves the old file. */
async function writeProgress(file: string, progress: Progress) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(progress, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

function countsOf({ outcomes, injected, traces, ...report }: ChaosReport): Counts {
  const sumWhere = (counts: Record<string, number>, fits: (name: string) => boolean) =>
    Object.entries(counts).reduce((sum, [name, count]) => sum + (fits(name) ? count : 0), 0);
  const ofProcesses = ['kill -9', 'suspend', 'database restart'];
  const published = sumWhere(outcomes, (name) => name.endsWith(' published'));
  return {
    targets: report.targets,
    equalTargets: report.equalTargets,
    published,
    failed: report.targets - published - report.unfinished.length,
    duplicates: report.duplicates.length,
    losses: report.losses.length,
    unfinished: report.unfinished.length,
    untrue: report.untrue.length,
    kills: injected['kill -9'] ?? 0,
    suspensions: injected.suspend ?? 0,
    databaseRestarts: injected['database restart'] ?? 0,
    networkFaults: sumWhere(injected, (name) => !ofProcesses.includes(name)),
    tracesChecked: traces?.checked ?? 0,
    tracesRefused: traces?.refused.length ?? 0,
    seconds: report.seconds,
  };
}

function sumOf({ pieces }: Progress): Counts {
  const names = Object.keys(Counts.shape) as (keyof Counts)[];
  const sum = (name: keyof Counts) => pieces.reduce((total, { counts }) => total + counts[name], 0);
  return Counts.parse(Object.fromEntries(names.map((name) => [name, sum(name)])));
}
