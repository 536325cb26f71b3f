import type { Media, PlatformPost, PostGroup } from '@crier/client';
import { Group, Stack, Text, Title } from '@mantine/core';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { platformName } from '../../../lib/platform-name.ts';

/** The post's files in publishing order, without the separate files of channels. */
export function PostMedia({ media, posts }: Pick<PostGroup, 'media' | 'posts'>) {
  const shared = media.filter((file) => file.shared);
  if (shared.length === 0) return null;
  return (
    <section aria-label="Media">
      <Title order={2} size="h4" mb="sm">
        {posts.some(({ mediaIds }) => mediaIds) ? 'Shared media' : 'Media'}
      </Title>
      <Files files={shared} />
    </section>
  );
}

/** What the channel gets instead of the shared files, if anything. */
export function TargetMedia({ target, media }: { target: PlatformPost; media: readonly Media[] }) {
  if (!target.mediaIds) return null;
  const files = target.mediaIds.flatMap((id) => media.find(({ mediaId }) => mediaId === id) ?? []);
  return (
    <section aria-label={`Files for ${platformName(target.platform)}`}>
      <Text size="sm" c="dimmed" mb={6}>
        {files.length > 0 ? 'Separate files' : 'No files, unlike other channels'}
      </Text>
      <Files files={files} />
    </section>
  );
}

const Files = ({ files }: { files: readonly Media[] }) => (
  <Group gap="md" align="flex-start">
    {files.map(({ mediaId, type, url, sourceFileName, altText, status, failureReason }) => (
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
);
