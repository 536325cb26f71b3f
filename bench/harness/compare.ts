import type { Aim, Row } from './benchmark.ts';
import { spreadOf } from './percentile.ts';
import type { Shares } from './processes.ts';
import type { Scale } from './scale.ts';

/** One side of a comparison. It counts its work, and throws if the count is wrong. */
export interface Side {
  /** Not part of the result. Without it, the first round warms up. */
  warmUp?(): Promise<unknown>;
  measure(): Promise<Measured>;
}

export interface Measured {
  /** A rate or a duration. */
  figure: number;
  shares: Shares | null;
  counted: string;
}

export interface Comparison {
  what: string;
  unit: string;
  ours: Side;
  against: string;
  ceiling: Side;
  aim: Aim | null;
}

/** Measures both in turn and compares round by round, because the speed of a machine changes during a run. */
export async function compare({ rounds }: Scale, { ours, ceiling, ...row }: Comparison): Promise<Row> {
  await ours.warmUp?.();
  await ceiling.warmUp?.();
  const measured: { ours: Measured; ceiling: Measured }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The sides take turns going first, so that neither always gets the fresh machine.
    const first = round % 2 === 0 ? await ours.measure() : null;
    const other = await ceiling.measure();
    measured.push({ ours: first ?? (await ours.measure()), ceiling: other });
  }
  const middle = (side: 'ours' | 'ceiling') => {
    const { median } = spreadOf(measured.map((round) => round[side].figure));
    return measured.map((round) => round[side]).find(({ figure }) => figure === median) ?? null;
  };
  return {
    ...row,
    ours: spreadOf(measured.map((round) => round.ours.figure)),
    ceiling: spreadOf(measured.map((round) => round.ceiling.figure)),
    ratio: spreadOf(measured.map((round) => round.ours.figure / round.ceiling.figure)),
    shares: middle('ours')?.shares ?? null,
    ceilingShares: middle('ceiling')?.shares ?? null,
    counted: measured.at(-1)?.ours.counted ?? '',
  };
}

/** A row without a ceiling: the aim applies to the figure itself. */
export const figureRow = (
  row: Pick<Row, 'what' | 'unit' | 'counted'> & { figures: readonly number[]; aim?: Aim; shares?: Shares | null },
): Row => {
  const { figures, aim = null, shares = null, ...rest } = row;
  return {
    ...rest,
    ours: spreadOf(figures),
    against: null,
    ceiling: null,
    ratio: null,
    aim,
    shares,
    ceilingShares: null,
  };
};

/** A wrong count is a bug in the measured program or in the benchmark, never noise. */
export function requireCount(what: string, expected: number, found: number) {
  if (found !== expected) throw new Error(`${what}: expected ${expected}, found ${found}.`);
}
