import { Badge, VisuallyHidden } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { allBrands } from '../../lib/brands/brand.ts';
import { shownCount, useAttention } from './use-attention.ts';

/** Next to the links to Channels and Posts: how many of them need attention. */
export function AttentionBadge({ page, className }: { page: string; className?: string | undefined }) {
  const { broken, failed, stranded } = useAttention();
  const { brand } = useSearch({ strict: false });
  const waiting: Record<string, readonly { userId?: string }[]> = {
    '/channels': broken,
    '/posts': [...failed, ...stranded],
  };
  // The link leads to the chosen brand. Otherwise, what waits in any brand counts.
  const isOfOne = brand !== undefined && brand !== allBrands;
  const number = (waiting[page] ?? []).filter(({ userId }) => !isOfOne || userId === brand).length;
  if (number === 0) return null;
  return (
    <>
      <Badge size="sm" circle={number < 10} color="red.9" className={className} aria-hidden>
        {shownCount(number)}
      </Badge>
      <VisuallyHidden>
        {shownCount(number)} {number === 1 ? 'needs' : 'need'} attention
      </VisuallyHidden>
    </>
  );
}
