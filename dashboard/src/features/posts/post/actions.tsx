import type { PostGroup } from '@crier/client';
import { Button } from '@mantine/core';
import { IconCopy, IconEdit, IconTrash } from '@tabler/icons-react';
import { ButtonLink } from '../../../components/links.tsx';
import type { BrandSearch } from '../../../lib/brands/brand.ts';
import { useDeletion } from '../deletion/use-deletion.tsx';
import { useDuplicate } from './use-duplicate.ts';

/** All three fit side by side on a phone. */
const padding = { base: 'xs', xs: 'md' };

/** Only drafts and posts still waiting for their time are editable. */
export function PostActions({
  post,
  isEditable,
  brand,
  onDeleted,
}: {
  post: PostGroup;
  isEditable: boolean;
  /** Whose post it is, on a page of all brands. */
  brand?: BrandSearch | undefined;
  onDeleted: () => void;
}) {
  const deletion = useDeletion();
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
          search={brand ?? {}}
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
        onClick={() => deletion.remove([{ ...post, platforms: post.posts }], onDeleted)}
      >
        Delete
      </Button>
      {deletion.dialog}
    </>
  );
}
