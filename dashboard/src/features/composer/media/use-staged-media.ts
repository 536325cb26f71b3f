import type { Media } from '@crier/client';
import { useMemo, useRef } from 'react';
import type { Composing } from '../use-composer.ts';
import {
  type AddedFile,
  inOrder,
  type StagedFiles,
  shownFiles,
  stagedFrom,
  withAltText,
  withFile,
  withoutFile,
} from './staged-files.ts';
import type { About } from './use-uploads.ts';

/** The files as they will be once the changes are saved, and how to change them in the draft only. */
export function useStagedMedia({ draft: { files }, change, attached }: Composing, stored: readonly Media[]) {
  const latest = useRef(stored);
  latest.current = stored;
  // Stable functions, so that typing doesn't rerender the files.
  const actions = useMemo(() => {
    const edit = (how: (files: StagedFiles) => StagedFiles) =>
      change({ type: 'files', change: (before) => how(stagedFrom(before, latest.current, attached)) });
    return {
      add(file: AddedFile, { at, replaces, altText = file.altText }: About) {
        const key = `new-${crypto.randomUUID()}`;
        edit((before) => withFile(before, key, { ...file, altText }, { at, replaces }, attached));
      },
      reorder: (mediaIds: readonly string[]) => edit((before) => inOrder(before, mediaIds)),
      remove: (mediaId: string) => edit((before) => withoutFile(before, mediaId)),
      describe: (mediaId: string, altText: string) => edit((before) => withAltText(before, mediaId, altText)),
    };
  }, [change, attached]);
  const media = useMemo(() => shownFiles(files, stored, attached), [files, stored, attached]);
  return { media, actions };
}
