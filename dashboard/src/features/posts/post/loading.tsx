import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

/** What a post page shows until its post is there. */
export function PostLoading() {
  return (
    <>
      <VisuallyHidden component="h1">Post</VisuallyHidden>
      <Stack aria-busy="true" role="status" aria-label="Loading the post">
        <Skeleton height={34} width="50%" />
        <Skeleton height={20} width={260} />
        <Skeleton height={220} mt="md" />
      </Stack>
    </>
  );
}
