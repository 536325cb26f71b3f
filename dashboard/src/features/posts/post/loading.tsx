import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** Placeholder while the post loads. */
export function PostLoading() {
  return (
    <>
      <VisuallyHidden component="h1">Post</VisuallyHidden>
      <Stack aria-busy="true" role="status" aria-label="Loading post">
        <Skeleton height={34} width="50%" />
        <Skeleton height={20} width={260} />
        <Skeleton height={220} mt="md" />
      </Stack>
    </>
  );
}

/** The same in the side panel, which has its own title. */
export const PanelSkeleton = () => (
  <Stack aria-busy="true" role="status" aria-label="Loading post">
    <Skeleton height={20} width={260} />
    <Skeleton height={34} width="70%" />
    <Skeleton height={220} />
  </Stack>
);
