import type { Connection, Media, PlatformLimits } from '@crier/client';
import { Skeleton, Stack } from '@mantine/core';
import { lazy, memo, Suspense, useEffect, useRef } from 'react';
import { DropArea } from '../../../components/drop-area.tsx';
import { platformOf } from '../../../lib/platform-name.ts';
import shared from '../composer.module.css';
import type { Fields } from '../use-composer.ts';
import classes from './media.module.css';
import { UploadItem } from './upload-item.tsx';
import type { MediaActions } from './use-media.ts';
import type { Uploads } from './use-uploads.ts';

const MediaList = lazy(() => import('./list.tsx'));

/** The post's files and uploads. Files can also be dropped or pasted anywhere on the page. */
export const MediaPanel = memo(function MediaPanel({
  media,
  uploads,
  actions,
  fields,
  postGroupId,
  chosen,
  limits,
}: {
  media: readonly Media[];
  uploads: Uploads;
  actions: MediaActions;
  fields: Fields;
  postGroupId: string | null;
  chosen: readonly Connection[];
  limits: Readonly<Record<string, PlatformLimits>>;
}) {
  const isEmpty = media.length === 0 && uploads.list.length === 0;
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef({ uploads: uploads.list.length, media: media.length });
  // An added file may be off screen, and its item grows once uploaded.
  useEffect(() => {
    const before = shown.current;
    shown.current = { uploads: uploads.list.length, media: media.length };
    const isAdded = shown.current.uploads > before.uploads || (before.uploads > 0 && media.length > before.media);
    if (isAdded) panel.current?.scrollIntoView({ block: 'nearest' });
  }, [uploads.list.length, media.length]);
  return (
    <>
      <DropArea invitation="Drop to add to the post" onFiles={uploads.add} />
      {!isEmpty && (
        <Stack gap="sm" ref={panel} className={shared.aboveBar}>
          {media.length > 0 && (
            <Suspense fallback={<Skeleton h={220} />}>
              <MediaList
                media={media}
                actions={actions}
                fields={fields}
                postGroupId={postGroupId}
                chosen={chosen}
                limits={limits}
              />
            </Suspense>
          )}
          {uploads.list.length > 0 && (
            <ul className={classes.media} aria-label="Uploads">
              {uploads.list.map((upload) => (
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
      )}
    </>
  );
});
