import { Button, FileButton, Group, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ButtonLink } from '../../components/links.tsx';
import { notifyError } from '../../components/notify.tsx';
import { crier } from '../../lib/api.ts';
import { count } from '../../lib/post-summary.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';

/** Uploads files to a new draft, because every file belongs to a post, and offers to open that draft. */
export function UploadButton() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: channels } = useQuery(channelsQuery);
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    mutationFn: (files: File[]) => uploadInto(files, channels?.[0]?.platformId ?? '', setProgress),
    onSuccess: ({ postGroupId, number }) =>
      offerToCompose(number, () => void navigate({ to: '/compose/$postGroupId', params: { postGroupId } })),
    onError: (error) => notifyError('Some files weren’t uploaded', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.media }),
  });
  if (channels?.length === 0) {
    return (
      <ButtonLink to="/channels" search={{ add: 'networks' }}>
        Connect a channel to upload
      </ButtonLink>
    );
  }
  return (
    <Group gap="sm">
      {upload.isPending && <Progress value={progress * 100} w={120} aria-label="Upload" animated />}
      <FileButton
        multiple
        accept="image/*,video/*,application/pdf"
        onChange={(files) => files.length > 0 && upload.mutate(files)}
      >
        {(props) => (
          <Button
            {...props}
            leftSection={<IconUpload size={18} aria-hidden />}
            loading={upload.isPending}
            disabled={!channels}
          >
            Upload
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

async function uploadInto(files: readonly File[], platformId: string, onProgress: (part: number) => void) {
  onProgress(0);
  const content = (files[0]?.name ?? 'New files').replace(/\.[^.]*$/, '') || 'New files';
  const { postGroupId } = await crier.createPost({ content, platforms: [platformId], status: 'draft' });
  for (const [index, file] of files.entries()) {
    await crier.uploadMedia(file, {
      postGroupId,
      fileName: file.name,
      onProgress: ({ loaded, total }) => onProgress((index + (total ? loaded / total : 0)) / files.length),
    });
  }
  return { postGroupId, number: files.length };
}

/** Notifications are outside the router, so they can't contain a link. */
function offerToCompose(number: number, onCompose: () => void) {
  const id = notifications.show({
    autoClose: 20_000,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">Uploaded {count(number, 'file')} to a new draft.</Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            onCompose();
          }}
        >
          Open draft
        </Button>
      </Group>
    ),
  });
}
