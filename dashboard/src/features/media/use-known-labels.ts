import type { ListMediaResult } from '@crier/client';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../lib/query-keys.ts';

/** The labels of the files that are loaded, to choose from. */
export function useKnownLabels(): string[] {
  const lists = useQueryClient().getQueriesData<InfiniteData<ListMediaResult>>({ queryKey: keys.media });
  const files = lists.flatMap(([, list]) => list?.pages.flatMap(({ media }) => media) ?? []);
  return [...new Set(files.flatMap(({ labels }) => labels))].toSorted((a, b) => a.localeCompare(b));
}
