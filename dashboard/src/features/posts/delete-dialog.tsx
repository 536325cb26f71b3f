import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { crier } from '../../lib/api.ts';
import { batches, failureIn } from '../../lib/move-posts.ts';
import { count } from '../../lib/post-summary.ts';
import { postsApi } from '../../lib/posts-api.ts';
import { keys } from '../../lib/query-keys.ts';
import { consequences } from './deletion.ts';
import type { PostRow } from './list/queries.ts';

type Deletable = Pick<PostRow, 'postGroupId' | 'draftId' | 'status'>;

/** Explains the consequences of a deletion, which can't be undone. */
export function DeleteDialog({
  posts,
  opened,
  onClose,
  onDeleted,
}: {
  posts: readonly Deletable[];
  opened: boolean;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: () => deleteAll(posts),
    onSuccess: () => {
      notifications.show({ message: `Deleted ${count(posts.length, 'post')}.`, withBorder: true });
      onClose();
      onDeleted();
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.posts });
      void client.invalidateQueries({ queryKey: keys.drafts });
    },
  });
  return (
    <ConfirmDialog
      title={posts.length === 1 ? 'Delete this post?' : `Delete ${posts.length} posts?`}
      confirm="Delete"
      opened={opened}
      action={deletion}
      onClose={onClose}
    >
      <Consequences sentences={consequences(posts)} />
      <Text size="sm" c="dimmed">
        This can’t be undone.
      </Text>
    </ConfirmDialog>
  );
}

function Consequences({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 1) return <Text size="sm">{sentences[0]}</Text>;
  return (
    <List size="sm" spacing={4}>
      {sentences.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}

async function deleteAll(posts: readonly Deletable[]) {
  for (const { draftId } of posts) if (draftId) await postsApi.deleteDraft(draftId);
  const ids = posts.filter(({ draftId }) => !draftId).map(({ postGroupId }) => postGroupId);
  if (ids.length === 1) return void (await crier.deletePost({ postGroupId: ids[0]! }));
  for (const batch of batches(ids)) {
    const failure = failureIn((await postsApi.deletePosts(batch)).results);
    if (failure) throw failure;
  }
}
