import type { App } from '../../../app.ts';
import { listInTurn, searchInTurn } from '../../../foundation/http/answers/long-reads.ts';
import { clamp } from '../../../foundation/lib/clamp.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { mediaUrl } from '../../files/files.ts';
import type { ListedMediaFile, ListMedia } from '../../files/schema.ts';
import { type MediaRow, selectMediaPage } from './queries.ts';

/** A page of the files that the user has uploaded for posts or to the library. */
export async function listMedia(
  app: Pick<App, 'db' | 'storage'>,
  { userId, ownerId }: Pick<Who, 'userId' | 'ownerId'>,
  query: ListMedia,
) {
  const limit = clamp(query.limit, 20, 1, 100);
  const page = clamp(query.page, 1, 1, Number.MAX_SAFE_INTEGER);
  // The maximum of PostgreSQL's integer type. No list is that long.
  const offset = Math.min((page - 1) * limit, 2_147_483_647);
  const filters = { type: query.type || null, search: query.q?.trim() || null, label: query.label || null };
  const read = () => selectMediaPage(app.db, { userId, ...filters, limit, offset });
  const isSearch = filters.search !== null || filters.label !== null;
  const { total, files } = await (isSearch ? searchInTurn(ownerId, read) : listInTurn(ownerId, read, () => limit));
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
  labels: file.labels,
  status: file.status,
  createdAt: file.createdAt.toISOString(),
  inLibrary: file.inLibrary,
  postCount: file.postCount,
  posts: file.posts,
});
