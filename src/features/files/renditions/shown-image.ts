import { findImage } from '../queries.ts';
import type { RenditionApp } from './renditions.ts';
import { type OutgoingFile, renditionOf } from './renditions.ts';
import { thumbnailOf } from './thumbnails.ts';

/**
 * An image as anyone may see it who knows its address: without metadata, which can say where and by whom it was taken, and
 * upright. Made once, then kept. Null for other files, and for uploads that were not inspected yet: only the person who uploads
 * one knows its address. Throws PlatformError if it cannot be shown so.
 */
export async function shownImage(app: RenditionApp, key: string, isThumbnail: boolean): Promise<OutgoingFile | null> {
  const record = await findImage(app.db, key);
  if (!record) return null;
  return (isThumbnail ? await thumbnailOf(app, record) : null) ?? renditionOf(app, record, null);
}
