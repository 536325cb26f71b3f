import { type Inspection, type MediaMetadata, metadataOf } from './inspection/inspection.ts';

/** What the contract shows of a file, and what only we need to know. */
export type StoredMetadata = MediaMetadata & {
  /** More than one: an animation. */
  frames: number | null;
  pages: number | null;
};

export function storedMetadata(inspection: Inspection): StoredMetadata {
  return {
    ...metadataOf(inspection),
    frames: inspection.kind === 'image' ? inspection.frames : null,
    pages: inspection.kind === 'document' ? inspection.pageCount : null,
  };
}

export function shownMetadata({ frames: _frames, pages: _pages, ...shown }: StoredMetadata): MediaMetadata {
  return shown;
}
