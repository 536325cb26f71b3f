import type { PostGroup } from '@crier/client';
import { Button } from '@mantine/core';
import { IconCopy, IconEdit, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ButtonLink } from '../../../components/links.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { useDuplicate } from './use-duplicate.ts';

/** All three fit side by side on a phone. */
const padding = { base: 'xs', xs: 'md' };

/** Only drafts and posts still waiting for their time are editable. */
export function PostActions({ post, isEditable }: { post: PostGroup; isEditable: boolean }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const duplicate = useDuplicate(post);
  return (
    <>
      <Button
        variant="default"
        px={padding}
        leftSection={<IconCopy size={16} aria-hidden />}
        loading={duplicate.isPending}
        onClick={() => duplicate.mutate(null)}
      >
        Duplicate
      </Button>
      {isEditable && (
        <ButtonLink
          to="/compose/$postGroupId"
          params={{ postGroupId: post.postGroupId }}
          variant="default"
          px={padding}
          leftSection={<IconEdit size={16} aria-hidden />}
        >
          Edit
        </ButtonLink>
      )}
      <Button
        variant="light"
        color="red"
        px={padding}
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
