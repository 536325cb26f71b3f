import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { PlatformError } from '../../../platforms/kit/index.ts';
import type { MediaRecord } from '../queries.ts';
import type { RenditionApp } from './renditions.ts';
import { isShrinkable, type OutgoingFile, renditionOf } from './renditions.ts';

/** Twice the size shown on a page, for high-resolution screens. */
const limit = { max: 1, types: [], maxBytes: 100_000, rendition: { types: [], maxSide: 480 } };

/** Images for publishing are converted in the same places, and wait for at most one of these. */
const thumbnails = createFairTurns({ places: 1, perOwner: 1 });

/** The thumbnail of a stored image for lists: created once, then kept. Null if the file itself is good enough. */
export async function thumbnailOf(app: RenditionApp, record: MediaRecord): Promise<OutgoingFile | null> {
  if (!isShrinkable(record) || (record.metadata?.size ?? 0) <= limit.maxBytes) return null;
  using _turn = await thumbnails.acquire(record.ownerId);
  try {
    return await renditionOf(app, record, limit);
  } catch (error) {
    // The target network may be able to read the file.
    if (error instanceof PlatformError) return null;
    throw error;
  }
}
