import type { Media } from '@crier/client';
import { useMemo, useRef } from 'react';
import type { Composing } from '../../use-composer.ts';
import {
  type AddedFile,
  inOrder,
  keyOf,
  type StagedFiles,
  stagedFrom,
  withAltText,
  withFile,
  withoutFile,
} from '../staged-files.ts';
import type { About } from '../use-uploads.ts';
import { copiesOf, type PostFiles, shownOwn } from './own-files.ts';

/** The separate files of channels, and how to change them. They are in the draft until it is saved. */
export interface OwnMedia {
  /** By connection id, for selected channels with separate files. */
  readonly lists: Readonly<Record<string, readonly Media[]>>;
  readonly edits: OwnEdits;
}

export interface OwnEdits {
  /** Gives the channel separate files, initially the shared ones. */
  separate(channel: string): void;
  /** Keeps the files of channels that are being deselected in the draft, as their texts: the post loses them. */
  keep(isDeselected: (channel: string) => boolean): void;
  /** Gives the channel the shared files again. */
  share(channel: string): void;
  add(channel: string, file: AddedFile, about: About): void;
  reorder(channel: string, mediaIds: readonly string[]): void;
  remove(channel: string, mediaId: string): void;
  describe(channel: string, mediaId: string, altText: string): void;
}

export function useOwnMedia(
  { draft: { channels, files, ownFiles }, change, attached }: Composing,
  stored: PostFiles,
  shared: readonly Media[],
  /** Changes the alt text of a file of the post. */
  describeStored: (mediaId: string, altText: string) => void,
): OwnMedia {
  const lists = useMemo(() => {
    const entries = channels.map((channel) => [channel, shownOwn(channel, ownFiles, stored, attached)] as const);
    return Object.fromEntries(entries.flatMap(([channel, list]) => (list ? [[channel, list]] : [])));
  }, [channels, ownFiles, stored, attached]);
  const latest = useRef({ lists, files, ownFiles, stored, shared, describeStored });
  latest.current = { lists, files, ownFiles, stored, shared, describeStored };
  // Stable functions, so that typing doesn't rerender the files.
  const edits = useMemo(() => {
    const storedOf = (channel: string) => latest.current.stored.own[channel] ?? [];
    const edit = (channel: string, how: (files: StagedFiles) => StagedFiles) =>
      change({
        type: 'ownFiles',
        id: channel,
        change: (before) => how(stagedFrom(before ?? null, storedOf(channel), attached)),
      });
    const copy = (channel: string, list: readonly Media[], staged: StagedFiles | null) => {
      const base = storedOf(channel).map(({ mediaId }) => mediaId);
      const copies = copiesOf(list, staged, { base, newKey });
      change({ type: 'ownFiles', id: channel, change: () => copies });
    };
    return {
      separate: (channel: string) => copy(channel, latest.current.shared, latest.current.files),
      keep(isDeselected: (channel: string) => boolean) {
        for (const [channel, list] of Object.entries(latest.current.lists))
          if (isDeselected(channel)) copy(channel, list, latest.current.ownFiles[channel] ?? null);
      },
      share: (channel: string) => change({ type: 'ownFiles', id: channel, change: () => null }),
      add: (channel: string, file: AddedFile, { at, replaces, altText = file.altText }: About) =>
        edit(channel, (before) => withFile(before, newKey(), { ...file, altText }, { at, replaces }, attached)),
      reorder: (channel: string, mediaIds: readonly string[]) => edit(channel, (before) => inOrder(before, mediaIds)),
      remove: (channel: string, mediaId: string) => edit(channel, (before) => withoutFile(before, mediaId)),
      describe(channel: string, mediaId: string, altText: string) {
        const key = keyOf(mediaId, attached);
        // Until all is saved, the draft has the last word on what it adds.
        if (latest.current.ownFiles[channel]?.added[key]) edit(channel, (before) => withAltText(before, key, altText));
        else latest.current.describeStored(mediaId, altText);
      },
    };
  }, [change, attached]);
  return useMemo(() => ({ lists, edits }), [lists, edits]);
}

const newKey = () => `new-${crypto.randomUUID()}`;
