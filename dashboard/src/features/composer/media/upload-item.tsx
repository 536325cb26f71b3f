import { Button, Group, Progress, Text } from '@mantine/core';
import classes from './media.module.css';
import type { Upload, Uploads } from './use-uploads.ts';

/** A file being uploaded, with its progress. */
export function UploadItem({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const { id, name, previewUrl, type, state, progress, error } = upload;
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
      {state === 'waiting' && (
        <Text size="sm" c="dimmed">
          Waiting
        </Text>
      )}
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <Group gap={4} mt={4}>
        {state === 'failed' && (
          <Button size="compact-xs" onClick={() => uploads.retry(id)} aria-label={`Try again: ${name}`}>
            Try again
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => uploads.cancel(id)}
          aria-label={`${state === 'failed' ? 'Remove' : 'Cancel'} ${name}`}
        >
          {state === 'failed' ? 'Remove' : 'Cancel'}
        </Button>
      </Group>
    </li>
  );
}
