import { type Inspection, type MediaMetadata, metadataOf } from './inspection/inspection.ts';

/** The metadata that the contract shows, and some that only this service uses. */
export type StoredMetadata = MediaMetadata & {
  /** An animation has more than one. */
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
