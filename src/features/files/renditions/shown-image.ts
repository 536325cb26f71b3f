import { findImage } from '../queries.ts';
import type { RenditionApp } from './renditions.ts';
import { type OutgoingFile, renditionOf } from './renditions.ts';
import { thumbnailOf } from './thumbnails.ts';

/**
 * An image for anyone who knows its URL: upright and without metadata, which can reveal where and by whom it was
 * taken. Created once, then kept. Null for other files and for uploads that were not inspected yet: only the uploader
 * knows their URL. Throws PlatformError if the image cannot be shown in this form.
 */
export async function shownImage(app: RenditionApp, key: string, isThumbnail: boolean): Promise<OutgoingFile | null> {
  const record = await findImage(app.db, key);
  if (!record) return null;
  return (isThumbnail ? await thumbnailOf(app, record) : null) ?? renditionOf(app, record, null);
}
