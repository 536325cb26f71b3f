import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { hidePosts, refreshPosts } from '../../../lib/posts/hidden-posts.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { consequences, finality } from './consequences.ts';
import { deletionRequests, keepOwners } from './deletion-requests.ts';
import type { Deletable } from './undoable.ts';

/** Explains the consequences of a deletion that can't be undone. */
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
    // Live events shrink the list before the answer arrives, so pass the posts explicitly.
    async mutationFn(chosen: readonly Deletable[]) {
      keepOwners(chosen);
      const failures = await deletionRequests.remove(chosen);
      const remaining = new Set(failures.map(({ post }) => post));
      const gone = chosen.filter((post) => !remaining.has(post));
      hidePosts(
        client,
        gone.map(({ postGroupId }) => postGroupId),
      );
      if (failures[0]) throw failures[0].error;
    },
    onSuccess: (_, { length }) => {
      notifications.show({ message: `Deleted ${count(length, 'post')}.`, withBorder: true });
      onClose();
      onDeleted();
    },
    onSettled: () => refreshPosts(client, []),
  });
  return (
    <ConfirmDialog
      title={posts.length === 1 ? 'Delete this post?' : `Delete ${posts.length} posts?`}
      confirm="Delete"
      opened={opened}
      action={{ ...deletion, mutate: () => deletion.mutate(posts) }}
      onClose={onClose}
    >
      <Consequences sentences={consequences(posts)} />
      <Text size="sm" c="dimmed">
        {finality(posts, new Date())}
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
