import type { ImportResult, PostCreated, Problem } from '@crier/client';
import { crier } from '../../../lib/api.ts';
import { brandNow } from '../../../lib/brands/brand.ts';
import { platformName, withPlainNames } from '../../../lib/platform-name.ts';
import type { ReadyRow } from './prepare-rows.ts';

/** The actual or expected result of a row. */
export type RowOutcome =
  | { kind: 'valid' }
  | { kind: 'imported'; postGroupId: string; isRepeated: boolean }
  | { kind: 'refused'; message: string };

/** The most that counts as one write, so that progress is visible at no extra cost. */
const batchSize = 50;

/** Sends the rows, or only validates them. Calls `onOutcomes` with each batch. */
export async function sendRows(
  rows: readonly ReadyRow[],
  { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal },
  onOutcomes: (outcomes: ReadonlyMap<number, RowOutcome>) => void,
) {
  // Later batches are for the same brand, whatever the page shows by then.
  const userId = brandNow();
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize);
    const { results } = await crier.importPosts({ posts: batch.map(({ post }) => post), dryRun }, { signal, userId });
    onOutcomes(new Map(batch.map(({ line }, index) => [line, outcomeOf(results[index]!, dryRun)])));
  }
}

function outcomeOf({ status, response, replayed }: ImportResult, dryRun: boolean): RowOutcome {
  if (status !== 200) return { kind: 'refused', message: withPlainNames(reasonIn(response as Problem)) };
  if (dryRun) return { kind: 'valid' };
  return { kind: 'imported', postGroupId: (response as PostCreated).postGroupId, isRepeated: replayed ?? false };
}

function reasonIn({ message, error, hint, validation }: Problem): string {
  const issues = validation?.errors ?? [];
  if (issues.length > 0) return issues.map((issue) => `${platformName(issue.platform)}: ${issue.message}`).join(' ');
  return [message ?? error, hint].filter((text) => typeof text === 'string').join(' ');
}
