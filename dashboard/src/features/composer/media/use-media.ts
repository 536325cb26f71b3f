import type { Media, PostGroup } from '@crier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { pathOf } from '../../../lib/media-path.ts';
import { keys } from '../../../lib/query-keys.ts';
import type { Composing } from '../use-composer.ts';
import { useMediaChanges } from './use-media-changes.ts';
import { useMediaEdits } from './use-media-edits.ts';
import { type Uploads, useUploads } from './use-uploads.ts';

/** Actions on the post's files. All can be undone. */
export interface MediaActions {
  reorder(mediaIds: readonly string[]): void;
  remove(mediaId: string): Promise<void>;
  /** Replaces an image. */
  replace(mediaId: string, file: File): Promise<void>;
  describe(mediaId: string, altText: string): void;
}

export function useMedia(
  { saver, mediaEdits, change }: Composing,
  postGroupId: string | null,
): { uploads: Uploads; actions: MediaActions } {
  const client = useQueryClient();
  const changes = useMediaChanges(postGroupId ?? '');
  const record = useMediaEdits(mediaEdits, change);
  /** A restored file gets a new ID. Edits refer to its first one. */
  const renamed = useRef(new Map<string, string>());
  const idOf = (mediaId: string): string => {
    const next = renamed.current.get(mediaId);
    return next === undefined ? mediaId : idOf(next);
  };
  /** Files uploaded from this page, which don't have to be downloaded again. */
  const sources = useRef(new Map<string, File>());
  const files = () => client.getQueryData<PostGroup>(keys.post(postGroupId ?? ''))?.media ?? [];
  const about = (mediaId: string) => {
    const at = files().findIndex((file) => file.mediaId === mediaId);
    return { at: Math.max(0, at), altText: files()[at]?.altText ?? '' };
  };

  const latest = useRef<MediaActions & { takeAway: typeof takeAway; putBack: typeof putBack }>(null);
  const onAdded = useCallback(
    (mediaId: string, source: File) => {
      sources.current.set(mediaId, source);
      let known = { at: Number.MAX_SAFE_INTEGER, altText: '' };
      record({
        undo: () => {
          known = latest.current!.takeAway(mediaId);
        },
        redo: () => latest.current!.putBack(mediaId, source, known),
      });
    },
    [record],
  );
  const uploads = useUploads(saver, postGroupId, onAdded);

  function takeAway(mediaId: string) {
    const known = about(idOf(mediaId));
    changes.remove.mutate(idOf(mediaId));
    return known;
  }
  function putBack(mediaId: string, source: File, { at, altText }: { at: number; altText: string }, replaces?: string) {
    const onAttached = (newId: string) => void renamed.current.set(idOf(mediaId), newId);
    uploads.add([source], { at, altText, onAttached, ...(replaces && { replaces: idOf(replaces) }) });
  }

  const now: MediaActions = {
    describe: (mediaId, altText) => changes.describeFile.mutate({ mediaId, altText }),
    reorder(mediaIds) {
      const before = files().map((file) => file.mediaId);
      changes.reorder.mutate(mediaIds);
      const arrange = (wanted: readonly string[]) => () => {
        const ids = wanted.map(idOf);
        changes.reorder.mutate(
          files()
            .map((file) => file.mediaId)
            .sort((a, b) => ids.indexOf(a) - ids.indexOf(b)),
        );
      };
      record({ undo: arrange(before), redo: arrange(mediaIds) });
    },
    async remove(mediaId) {
      const file = files().find((one) => one.mediaId === mediaId);
      const source = sources.current.get(mediaId) ?? (file && (await readSource(file)));
      const known = takeAway(mediaId);
      if (!source) return;
      record({ undo: () => putBack(mediaId, source, known), redo: () => void takeAway(mediaId) });
    },
    async replace(mediaId, next) {
      const file = files().find((one) => one.mediaId === mediaId);
      const source = file && (await readSource(file));
      const known = about(mediaId);
      const onAttached = (newId: string) => {
        sources.current.set(newId, next);
        if (!source) return;
        record({
          undo: () => putBack(mediaId, source, about(idOf(newId)), newId),
          redo: () => putBack(newId, next, about(idOf(mediaId)), mediaId),
        });
      };
      uploads.add([next], { ...known, replaces: mediaId, onAttached });
    },
  };
  latest.current = { ...now, takeAway, putBack };
  // A stable object, so that typing doesn't rerender the files.
  const [actions] = useState<MediaActions>(() => ({
    describe: (...args) => latest.current!.describe(...args),
    reorder: (...args) => latest.current!.reorder(...args),
    remove: (...args) => latest.current!.remove(...args),
    replace: (...args) => latest.current!.replace(...args),
  }));
  return { uploads, actions };
}

/** Images are small enough to keep in memory. A video that wasn't added on this page can't be restored. */
async function readSource({ type, url, mimeType, sourceFileName }: Media): Promise<File | null> {
  if (type !== 'image' || !url) return null;
  const response = await fetch(pathOf(url)).catch(() => null);
  if (!response?.ok) return null;
  return new File([await response.blob()], sourceFileName ?? 'picture', { type: mimeType ?? 'image/jpeg' });
}
