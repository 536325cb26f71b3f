import type { App } from '../../../app.ts';
import { clamp } from '../../../foundation/lib/clamp.ts';
import { mediaUrl } from '../../files/files.ts';
import type { ListedMediaFile, ListMedia } from '../../files/schema.ts';
import { type MediaRow, selectMediaPage } from './queries.ts';

/** A page of the files that the user has uploaded for posts. */
export async function listMedia(app: Pick<App, 'db' | 'storage'>, { userId }: { userId: string }, query: ListMedia) {
  const limit = clamp(query.limit, 20, 1, 100);
  const page = clamp(query.page, 1, 1, Number.MAX_SAFE_INTEGER);
  // The maximum of PostgreSQL's integer type. No list is that long.
  const offset = Math.min((page - 1) * limit, 2_147_483_647);
  const { total, files } = await selectMediaPage(app.db, { userId, type: query.type || null, limit, offset });
  const totalPages = Math.ceil(total / limit);
  return {
    success: true as const,
    media: files.map((file) => present(app, file)),
    pagination: { page, limit, totalItems: total, totalPages, hasNextPage: page < totalPages, hasPrevPage: page > 1 },
  };
}

const present = (app: Pick<App, 'storage'>, file: MediaRow): ListedMediaFile => ({
  _id: file.id,
  fileName: file.sourceFileName,
  url: mediaUrl(app, file),
  type: file.type,
  contentType: file.mimeType,
  bytes: file.bytes,
  width: file.metadata?.width ?? null,
  height: file.metadata?.height ?? null,
  durationSeconds: file.metadata?.duration ?? null,
  altText: file.altText,
  status: file.status,
  createdAt: file.createdAt.toISOString(),
  posts: file.post ? [file.post] : [],
});
