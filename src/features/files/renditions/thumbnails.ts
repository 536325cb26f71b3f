import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { PlatformError } from '../../../platforms/kit/index.ts';
import type { MediaRecord } from '../queries.ts';
import type { RenditionApp } from './renditions.ts';
import { isShrinkable, type OutgoingFile, renditionOf } from './renditions.ts';

/** Twice what a page shows, for sharp screens. */
const limit = { max: 1, types: [], maxBytes: 100_000, rendition: { types: [], maxSide: 480 } };

/** Images that are published are converted in the same places, and wait for at most one of these. */
const thumbnails = createFairTurns({ places: 1, perOwner: 1 });

/** A stored image as lists show it: made small once, then kept. Null if the file itself is as good. */
export async function thumbnailOf(app: RenditionApp, record: MediaRecord): Promise<OutgoingFile | null> {
  if (!isShrinkable(record) || (record.metadata?.size ?? 0) <= limit.maxBytes) return null;
  using _turn = await thumbnails.acquire(record.userId);
  try {
    return await renditionOf(app, record, limit);
  } catch (error) {
    // The network that the post goes to may be able to read it.
    if (error instanceof PlatformError) return null;
    throw error;
  }
}
