import type { PostGroup } from '@crier/client';
import { Box } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LabelsField } from '../../../components/labels/labels-field.tsx';
import { notifyError } from '../../../components/notify.tsx';
import { postsApi } from '../../../lib/posts/posts-api.ts';
import { keys } from '../../../lib/query-keys.ts';

/** The labels of a post, which can be changed in any status. */
export function PostLabels({ post: { postGroupId, labels = [] } }: { post: PostGroup }) {
  const client = useQueryClient();
  const change = useMutation({
    // One after the other, so that the last change is stored last.
    scope: { id: `labels ${postGroupId}` },
    mutationFn: (wanted: string[]) => postsApi.relabelPost(postGroupId, wanted),
    onError: (error) => notifyError('Couldn’t change the labels', error),
    onSettled: () =>
      Promise.all(
        [keys.post(postGroupId), keys.posts, keys.labels].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Box maw={560}>
      <LabelsField value={change.isPending ? change.variables : labels} onChange={(wanted) => change.mutate(wanted)} />
    </Box>
  );
}
