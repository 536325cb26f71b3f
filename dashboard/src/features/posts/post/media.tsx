import type { PostGroup } from '@crier/client';
import { Group, Stack, Text, Title } from '@mantine/core';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';

/** The post's files in publishing order. */
export function PostMedia({ media }: { media: PostGroup['media'] }) {
  if (media.length === 0) return null;
  return (
    <section aria-label="Media">
      <Title order={2} size="h4" mb="sm">
        Media
      </Title>
      <Group gap="md" align="flex-start">
        {media.map(({ mediaId, type, url, sourceFileName, altText, status, failureReason }) => (
          <Stack key={mediaId} gap={4} w={112}>
            <PostThumbnail thumbnail={{ type: type ?? 'document', url: url ?? '/media/none' }} size={112} />
            <Text size="xs" truncate dir="auto" title={sourceFileName ?? ''}>
              {sourceFileName ?? 'Unnamed file'}
            </Text>
            {altText && (
              <Text size="xs" c="dimmed" lineClamp={3} dir="auto" title={altText}>
                {altText}
              </Text>
            )}
            {status !== 'ready' && (
              <Text size="xs" c={status === 'failed' ? 'red' : 'dimmed'}>
                {status === 'failed' ? (failureReason ?? 'Can’t be published') : 'Processing'}
              </Text>
            )}
          </Stack>
        ))}
      </Group>
    </section>
  );
}
