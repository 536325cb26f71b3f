import type { Connection } from '@crier/client';
import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { DropArea } from '../../../components/drop-area.tsx';
import { usePreload } from '../../../lib/preload.ts';
import { labelOf } from '../channels/label.ts';
import { type FilesContext, MediaPanel } from './panel.tsx';
import type { ComposerMedia } from './use-media.ts';
import type { Upload } from './use-uploads.ts';

const loadOwnPanel = () => import('./own/own-panel.tsx');
const OwnPanel = lazy(loadOwnPanel);

/** The shared files, to which files can also be dropped or pasted anywhere on the page, and those of single channels. */
export function Files({
  media: { media, own, uploads, actions },
  chosen,
  sharing,
  onPreview,
  ...context
}: FilesContext & {
  media: ComposerMedia;
  chosen: readonly Connection[];
  /** The channels that get the shared files. */
  sharing: readonly Connection[];
  /** The preview follows the files that have the focus. */
  onPreview: (platformId: string) => void;
}) {
  usePreload(loadOwnPanel);
  const uploading = useMemo(() => Map.groupBy(uploads.list, ({ about }) => about.channel), [uploads.list]);
  return (
    <>
      <DropArea invitation="Drop to add to the post" onFiles={uploads.add} />
      <MediaPanel
        media={media}
        uploading={uploading.get(undefined) ?? none}
        uploads={uploads}
        actions={actions}
        chosen={sharing}
        {...context}
      />
      {chosen.map(
        (channel) =>
          channel.platformId in own.lists && (
            <Suspense key={channel.platformId} fallback={<Skeleton h={320} />}>
              <OwnPanel
                channel={channel}
                label={labelOf(channel, chosen)}
                media={own.lists[channel.platformId]!}
                uploading={uploading.get(channel.platformId) ?? none}
                uploads={uploads}
                edits={own.edits}
                onPreview={onPreview}
                {...context}
              />
            </Suspense>
          ),
      )}
    </>
  );
}

const none: readonly Upload[] = [];
