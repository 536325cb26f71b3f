import { Skeleton, Stack } from '@mantine/core';

/** Placeholder for the rows of a table. */
export function LoadingRows({ label, rows = 4 }: { label: string; rows?: number }) {
  return (
    <Stack role="status" aria-busy="true" aria-label={label} gap="sm">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <Skeleton key={row} height={52} />
      ))}
    </Stack>
  );
}
