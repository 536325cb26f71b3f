import { Button, FileButton, Group, Image, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { describe } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import type { Composing } from './use-composer.ts';

/** The thumbnail of a YouTube video. */
export function ThumbnailField({
  composing: { draft, change },
  postGroupId,
}: {
  composing: Composing;
  postGroupId: string | null;
}) {
  const stored = draft.settings.youtube?.thumbnail as { mediaId?: string; url?: string } | undefined;
  const set = (value: unknown) => change({ type: 'setting', platform: 'youtube', name: 'thumbnail', value });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (thumbnail: File) => crier.uploadYoutubeThumbnail({ thumbnail, postGroupId: postGroupId! }),
    onSuccess: ({ thumbnail: { mediaId, url } }) => set({ mediaId, url }),
  });
  return (
    <div>
      <Text size="sm" fw={500}>
        Thumbnail
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        JPEG or PNG, at most 2 MB and at least 640 × 360 pixels.
        {!postGroupId && ' It can be chosen once something is written.'}
      </Text>
      {stored?.url && <Image src={stored.url} alt="Thumbnail of the video" w={200} radius="md" mb="xs" />}
      <Group gap="xs">
        <FileButton accept="image/jpeg,image/png" onChange={(file) => file && mutate(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={isPending} disabled={!postGroupId}>
              {stored?.url ? 'Choose another' : 'Choose a thumbnail'}
            </Button>
          )}
        </FileButton>
        {stored?.url && (
          <Button size="xs" variant="subtle" onClick={() => set({ mediaId: '', url: '' })}>
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
