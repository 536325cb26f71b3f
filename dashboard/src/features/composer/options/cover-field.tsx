import { Button, FileButton, Group, Image, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { describe } from '../../../components/error-state.tsx';
import { pathOf } from '../../../lib/files/media-path.ts';
import type { Cover } from '../media/covers.ts';
import type { Fields } from '../use-composer.ts';

/** The cover image of a video. */
export function CoverField({
  cover: { platform, setting, help, types, upload, none, urlIn },
  label,
  fields: { draft, change },
  postGroupId,
}: {
  cover: Cover;
  label: string;
  fields: Fields;
  postGroupId: string | null;
}) {
  const url = urlIn(draft.settings[platform]?.[setting]);
  const set = (value: unknown) => change({ type: 'setting', platform, name: setting, value });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (picture: File) => upload(picture, postGroupId!),
    onSuccess: set,
  });
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {help}
        {!postGroupId && ' Available once the post has text.'}
      </Text>
      {url && <Image src={pathOf(url)} alt={`${label} for the video`} w={200} radius="md" mb="xs" />}
      <Group gap="xs">
        <FileButton accept={types} onChange={(file) => file && mutate(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={isPending} disabled={!postGroupId}>
              {url ? 'Replace image' : 'Choose image'}
            </Button>
          )}
        </FileButton>
        {url && (
          <Button size="xs" variant="subtle" onClick={() => set(none)}>
            Remove
          </Button>
        )}
      </Group>
      {error && (
        <Text size="sm" c="red" role="alert" mt="xs">
          {describe(error).message}
        </Text>
      )}
    </div>
  );
}
