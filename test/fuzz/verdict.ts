import type { FuzzReport } from './fuzz.ts';

/**
 * Memory is flat if its low points stay within these bounds. A leak of 1 kB per request would add 80 MB in a full run.
 */
const maxGrowth = {
  residentMb: { factor: 1.5, plus: 64 },
  heapMb: { factor: 1.3, plus: 24 },
  retainedMb: { factor: 1.2, plus: 16 },
  openFiles: { factor: 1, plus: 60 },
};

/** A shorter run ends before enough collections have shown the low points of the heap. */
const enoughSeconds = 120;

/**
 * Many concurrent requests can keep the loop busy together, and some load code on first use. One request that blocks
 * the loop alone is a finding, but more than one such second in fifty is too many.
 */
const maxUnexplained = 0.02;

/** The violations in a report. */
export function complaints({ findings, memory, blocks }: FuzzReport): string[] {
  const watched =
    blocks.seconds < enoughSeconds
      ? (['retainedMb', 'openFiles'] as const)
      : (['residentMb', 'heapMb', 'retainedMb', 'openFiles'] as const);
  const grown = watched.flatMap((of) => {
    const { early, late } = memory[of];
    const { factor, plus } = maxGrowth[of];
    return late > early * factor + plus ? [`${of} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`] : [];
  });
  const { unexplained, seconds } = blocks;
  const blocked =
    unexplained > 1 + maxUnexplained * seconds
      ? [`the loop was blocked in ${unexplained} of ${seconds} seconds, and not by collections of garbage`]
      : [];
  return [...findings.map(({ what, curl }) => `${what}\n  ${curl}`), ...grown, ...blocked];
}
