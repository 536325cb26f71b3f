import { type Inspection, type MediaMetadata, metadataOf } from './inspection/inspection.ts';

/** The metadata of the contract, and some that only this service uses. */
export type StoredMetadata = MediaMetadata & {
  /** Animations have more than one. */
  frames: number | null;
  pages: number | null;
  /** The file contains no EXIF or other metadata. Absent until it was checked. */
  isClean?: true;
};

export function storedMetadata(inspection: Inspection): StoredMetadata {
  return {
    ...metadataOf(inspection),
    frames: inspection.kind === 'image' ? inspection.frames : null,
    pages: inspection.kind === 'document' ? inspection.pageCount : null,
  };
}

export function shownMetadata({ frames: _1, pages: _2, isClean: _3, ...shown }: StoredMetadata): MediaMetadata {
  return shown;
}
