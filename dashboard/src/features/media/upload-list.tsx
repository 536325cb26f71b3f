import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { HevcQuestion } from './hevc-question.tsx';
import type { LibraryUpload, LibraryUploads } from './use-library-uploads.ts';

/** The files that are being uploaded, each with its progress or error. */
export function UploadList({ uploads }: { uploads: LibraryUploads }) {
  if (uploads.list.length === 0) return null;
  return (
    <Stack component="ul" aria-label="Uploads" gap="xs" p={0} m={0} mb="md" style={{ listStyle: 'none' }}>
      {uploads.list.map((upload) => (
        <Row key={upload.id} upload={upload} uploads={uploads} />
      ))}
    </Stack>
  );
}

function Row({ upload: { id, file, state, progress, error, canRetry }, uploads }: RowProps) {
  const end = state === 'failed' || state === 'hevc' ? 'Remove' : 'Cancel';
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex={1} miw={180}>
          <Text size="sm" fw={600} truncate dir="auto">
            {file.name}
          </Text>
          {state === 'uploading' && <Progress value={progress * 100} aria-label={`Uploading ${file.name}`} animated />}
          {(state === 'waiting' || state === 'preparing') && (
            <Text size="sm" c="dimmed">
              {state === 'waiting' ? 'Waiting' : 'Preparing'}
            </Text>
          )}
          {state === 'hevc' && (
            <HevcQuestion platforms={noChannels} name={file.name} onUpload={() => uploads.retry(id)} />
          )}
          {error && state === 'failed' && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {error}
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          {state === 'failed' && canRetry && (
            <Button size="xs" onClick={() => uploads.retry(id)} aria-label={`Try again: ${file.name}`}>
              Try again
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => uploads.remove(id)} aria-label={`${end} ${file.name}`}>
            {end}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

/** Files in the library may be for any of them. */
const noChannels: readonly string[] = [];

interface RowProps {
  upload: LibraryUpload;
  uploads: LibraryUploads;
}
