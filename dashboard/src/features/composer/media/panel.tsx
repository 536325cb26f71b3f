import type { Connection, Media, PlatformLimits } from '@crier/client';
import { Skeleton, Stack } from '@mantine/core';
import { lazy, memo, Suspense, useEffect, useRef } from 'react';
import { platformOf } from '../../../lib/platform-name.ts';
import shared from '../composer.module.css';
import type { Fields } from '../use-composer.ts';
import classes from './media.module.css';
import { UploadItem } from './upload-item.tsx';
import type { MediaActions } from './use-media.ts';
import type { Upload, Uploads } from './use-uploads.ts';

const MediaList = lazy(() => import('./list.tsx'));

/** What files are shown with, whether they are shared or of one channel. */
export interface FilesContext {
  readonly fields: Fields;
  readonly postGroupId: string | null;
  /** Stays the same when a file is attached, so that what is being typed about it stays. */
  readonly keyOf: (mediaId: string) => string;
  readonly limits: Readonly<Record<string, PlatformLimits>>;
}

/** Files, with those that are being uploaded. */
export const MediaPanel = memo(function MediaPanel({
  suffix = '',
  media,
  uploading,
  uploads,
  actions,
  chosen,
  ...context
}: FilesContext & {
  /** For the names of the lists. */
  suffix?: string;
  media: readonly Media[];
  uploading: readonly Upload[];
  uploads: Uploads;
  actions: MediaActions;
  /** The channels that get these files. */
  chosen: readonly Connection[];
}) {
  const isEmpty = media.length === 0 && uploading.length === 0;
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef({ uploads: uploading.length, media: media.length });
  // An added file may be off screen, and its item grows once uploaded.
  useEffect(() => {
    const before = shown.current;
    shown.current = { uploads: uploading.length, media: media.length };
    const isAdded = shown.current.uploads > before.uploads || (before.uploads > 0 && media.length > before.media);
    if (isAdded) panel.current?.scrollIntoView({ block: 'nearest' });
  }, [uploading.length, media.length]);
  if (isEmpty) return null;
  return (
    <Stack gap="sm" ref={panel} className={shared.aboveBar}>
      {media.length > 0 && (
        <Suspense fallback={<Skeleton h={220} />}>
          <MediaList label={`Media${suffix}`} media={media} actions={actions} chosen={chosen} {...context} />
        </Suspense>
      )}
      {uploading.length > 0 && (
        <ul className={classes.media} aria-label={`Uploads${suffix}`}>
          {uploading.map((upload) => (
            <UploadItem
              key={upload.id}
              upload={upload}
              uploads={uploads}
              platforms={chosen.map(({ platformId }) => platformOf(platformId))}
            />
          ))}
        </ul>
      )}
    </Stack>
  );
});
