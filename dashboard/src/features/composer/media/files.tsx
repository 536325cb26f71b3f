import type { Connection } from '@crier/client';
import { useMemo } from 'react';
import { DropArea } from '../../../components/drop-area.tsx';
import { labelOf } from '../channels/label.ts';
import { OwnPanel } from './own-panel.tsx';
import { type FilesContext, MediaPanel } from './panel.tsx';
import type { ComposerMedia } from './use-media.ts';
import type { Upload } from './use-uploads.ts';

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
            <OwnPanel
              key={channel.platformId}
              channel={channel}
              label={labelOf(channel, chosen)}
              media={own.lists[channel.platformId]!}
              uploading={uploading.get(channel.platformId) ?? none}
              uploads={uploads}
              edits={own.edits}
              onPreview={onPreview}
              {...context}
            />
          ),
      )}
    </>
  );
}

const none: readonly Upload[] = [];
