import type { PostGroup } from '@crier/client';
import { Button } from '@mantine/core';
import { IconCopy, IconEdit, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ButtonLink } from '../../components/links.tsx';
import { notifyError } from '../../components/notify.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { duplicatePost } from './duplicate-post.ts';

/** What was published or has failed stays as it is, so only what still waits can be edited. */
export function PostActions({ post }: { post: PostGroup }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const isEditable = post.status === 'draft' || post.status === 'scheduled';
  const duplicate = useMutation({
    mutationFn: () => duplicatePost(post),
    onSuccess: (postGroupId) => navigate({ to: '/compose/$postGroupId', params: { postGroupId } }),
    onError: (error) => notifyError('The post could not be duplicated', error),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        loading={duplicate.isPending}
        onClick={() => duplicate.mutate()}
      >
        Duplicate
      </Button>
      {isEditable && (
        <ButtonLink
          to="/compose/$postGroupId"
          params={{ postGroupId: post.postGroupId }}
          variant="default"
          leftSection={<IconEdit size={16} aria-hidden />}
        >
          Edit
        </ButtonLink>
      )}
      <Button
        variant="light"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setDeleting(true)}
      >
        Delete
      </Button>
      <DeleteDialog
        posts={[post]}
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/posts' })}
      />
    </>
  );
}
