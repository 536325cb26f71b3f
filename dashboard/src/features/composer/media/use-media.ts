import type { Media, PostGroup } from '@crier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { pathOf } from '../../../lib/files/media-path.ts';
import { platformOf } from '../../../lib/platform-name.ts';
import { keys } from '../../../lib/query-keys.ts';
import { hasFileChanges } from '../draft.ts';
import { isScheduled } from '../saving/autosaver.ts';
import type { Composing } from '../use-composer.ts';
import type { PostFiles } from './own/own-files.ts';
import { type OwnMedia, useOwnMedia } from './own/use-own-media.ts';
import { type AddedFile, keyOf } from './staged-files.ts';
import { useMediaChanges } from './use-media-changes.ts';
import { useMediaEdits } from './use-media-edits.ts';
import { useStagedMedia } from './use-staged-media.ts';
import { type About, type LibraryFile, type Uploads, useUploads } from './use-uploads.ts';

/** Actions on the files. All can be undone. */
export interface MediaActions {
  reorder(mediaIds: readonly string[]): void;
  remove(mediaId: string): Promise<void>;
  /** Replaces an image. */
  replace(mediaId: string, file: File): Promise<void>;
  describe(mediaId: string, altText: string): void;
}

/** The files as they will be, and what can be done with them. */
export interface ComposerMedia {
  /** The shared files. */
  readonly media: readonly Media[];
  readonly own: OwnMedia;
  readonly uploads: Uploads;
  readonly actions: MediaActions;
}

/**
 * Files of a draft change immediately. Those of a scheduled post change when it is saved, and those of a draft that is
 * no post yet are attached once it is one.
 */
export function useMedia(composing: Composing, postGroupId: string | null, stored: PostFiles): ComposerMedia {
  const { saver, draft, mediaEdits, attached, change } = composing;
  // While separate files are being saved, the shared ones that they are copies of have to stay.
  const isStaged = postGroupId === null || isScheduled(saver.place) || hasFileChanges(draft);
  const staged = useStagedMedia(composing, stored.shared);
  const client = useQueryClient();
  const changes = useMediaChanges(postGroupId ?? '', saver);
  const own = useOwnMedia(composing, stored, staged.media, (mediaId, altText) =>
    changes.describeFile.mutate({ mediaId, altText }),
  );
  const record = useMediaEdits(mediaEdits, change);
  /** A restored file gets a new ID. Edits refer to its first one. */
  const renamed = useRef(new Map<string, string>());
  const idOf = (mediaId: string): string => {
    const next = renamed.current.get(mediaId);
    return next === undefined ? mediaId : idOf(next);
  };
  /** Files added on this page, which don't have to be downloaded again. */
  const sources = useRef(new Map<string, File | LibraryFile>());
  const files = () => client.getQueryData<PostGroup>(keys.post(postGroupId ?? ''))?.media ?? [];
  const about = (mediaId: string) => {
    const shared = files().filter((file) => file.shared);
    const at = shared.findIndex((file) => file.mediaId === mediaId);
    return { at: Math.max(0, at), altText: shared[at]?.altText ?? '' };
  };

  const latest = useRef<MediaActions & { takeAway: typeof takeAway; putBack: typeof putBack }>(null);
  const onAdded = useCallback(
    (mediaId: string, source: File | LibraryFile) => {
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
  const { edits } = own;
  const { add } = staged.actions;
  const onStaged = useCallback(
    (file: AddedFile, about: About) => (about.channel ? edits.add(about.channel, file, about) : add(file, about)),
    [edits, add],
  );
  const uploads = useUploads({
    saver,
    postGroupId: isStaged ? null : postGroupId,
    platforms: draft.channels.map(platformOf),
    onAdded,
    onStaged,
  });

  function takeAway(mediaId: string) {
    const known = about(idOf(mediaId));
    changes.remove.mutate(idOf(mediaId));
    return known;
  }
  function putBack(
    mediaId: string,
    source: File | LibraryFile,
    { at, altText }: { at: number; altText: string },
    replaces?: string,
  ) {
    const onAttached = (newId: string) => void renamed.current.set(idOf(mediaId), newId);
    uploads.add([source], { at, altText, onAttached, ...(replaces && { replaces: idOf(replaces) }) });
  }

  const held: MediaActions = {
    describe(mediaId, altText) {
      const key = keyOf(mediaId, attached);
      // Until all is saved, the draft has the last word on what it adds.
      if (draft.files?.added[key]) staged.actions.describe(key, altText);
      // A scheduled post stays scheduled if only an alt text changes.
      else changes.describeFile.mutate({ mediaId, altText });
    },
    reorder: staged.actions.reorder,
    remove: async (mediaId) => staged.actions.remove(mediaId),
    async replace(mediaId, file) {
      const altText = staged.media.find((one) => one.mediaId === mediaId)?.altText ?? '';
      uploads.add([file], { replaces: mediaId, altText });
    },
  };
  const immediate: MediaActions = {
    describe: (mediaId, altText) => changes.describeFile.mutate({ mediaId, altText }),
    reorder(mediaIds) {
      const before = files().map((file) => file.mediaId);
      const after = [...mediaIds, ...before.filter((id) => !mediaIds.includes(id))];
      changes.reorder.mutate(after);
      const arrange = (wanted: readonly string[]) => () => {
        const ids = wanted.map(idOf);
        changes.reorder.mutate(
          files()
            .map((file) => file.mediaId)
            .sort((a, b) => ids.indexOf(a) - ids.indexOf(b)),
        );
      };
      record({ undo: arrange(before), redo: arrange(after) });
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
      const source = sources.current.get(mediaId) ?? (file && (await readSource(file)));
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
  latest.current = { ...(isStaged ? held : immediate), takeAway, putBack };
  // A stable object, so that typing doesn't rerender the files.
  const [actions] = useState<MediaActions>(() => ({
    describe: (...args) => latest.current!.describe(...args),
    reorder: (...args) => latest.current!.reorder(...args),
    remove: (...args) => latest.current!.remove(...args),
    replace: (...args) => latest.current!.replace(...args),
  }));
  return { media: staged.media, own, uploads, actions };
}

/** Images are small enough to keep in memory. A video that wasn't added on this page can't be restored. */
async function readSource({ type, url, mimeType, sourceFileName }: Media): Promise<File | null> {
  if (type !== 'image' || !url) return null;
  const response = await fetch(pathOf(url)).catch(() => null);
  if (!response?.ok) return null;
  return new File([await response.blob()], sourceFileName ?? 'picture', { type: mimeType ?? 'image/jpeg' });
}
