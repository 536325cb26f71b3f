import type { ListedMedia } from '@crier/client';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';
import { consequenceOf } from './deletion.ts';
import { PostLinks } from './used-in.tsx';

/** Deletes a file, after saying what happens to the posts that use it. */
export default function DeleteDialog({ media, onClose }: { media: ListedMedia; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => crier.deleteMedia({ mediaId: media._id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.media });
      onClose();
    },
  });
  const { isPossible, explanation } = consequenceOf(media);
  const title = `Delete ${media.fileName}?`;
  const about = (
    <Stack gap="xs">
      <Text size="sm">{explanation}</Text>
      <PostLinks posts={media.posts} />
    </Stack>
  );
  if (isPossible) {
    return (
      <ConfirmDialog opened title={title} confirm="Delete" action={remove} onClose={onClose}>
        {about}
      </ConfirmDialog>
    );
  }
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Stack>
        {about}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
