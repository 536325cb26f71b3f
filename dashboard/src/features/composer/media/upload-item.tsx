import { Button, Group, Progress, Text } from '@mantine/core';
import { HevcQuestion } from '../../media/hevc-question.tsx';
import classes from './media.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

/** A file being uploaded, with its progress. */
export function UploadItem({
  upload,
  uploads,
  platforms,
}: {
  upload: Upload;
  uploads: Uploads;
  /** Of the selected channels. */
  platforms: readonly string[];
}) {
  const { id, name, previewUrl, type, state, progress, error } = upload;
  const end = state === 'failed' || state === 'refused' || state === 'hevc' ? 'Remove' : 'Cancel';
  return (
    <li>
      <div className={classes.picture}>
        {previewUrl && type.startsWith('image/') && <img src={previewUrl} alt="" />}
        {previewUrl && type.startsWith('video/') && <video src={previewUrl} muted preload="metadata" />}
      </div>
      <Text size="sm" truncate mt={6}>
        {name}
      </Text>
      {state === 'uploading' && <Progress value={progress * 100} size="sm" mt={4} aria-label={`Uploading ${name}`} />}
      {(state === 'waiting' || state === 'preparing') && (
        <Text size="sm" c="dimmed">
          {state === 'waiting' ? 'Waiting' : 'Preparing'}
        </Text>
      )}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {state === 'hevc' && <HevcQuestion platforms={platforms} name={name} onUpload={() => uploads.retry(id)} />}
      <Group gap={4} mt={4}>
        {state === 'failed' && (
          <Button size="compact-xs" onClick={() => uploads.retry(id)} aria-label={`Try again: ${name}`}>
            Try again
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => uploads.cancel(id)} aria-label={`${end} ${name}`}>
          {end}
        </Button>
      </Group>
    </li>
  );
}
