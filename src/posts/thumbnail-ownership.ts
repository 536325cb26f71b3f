import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import { findMedia } from '../media/media.ts';
import type { EditableGroup } from './edit-queries.ts';

/** A thumbnail is a file that was uploaded as one, for this very post. */
export async function requireOwnThumbnail(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  group: EditableGroup,
  settings: Record<string, Json>,
) {
  const thumbnail = thumbnailIn(settings);
  if (!thumbnail || JSON.stringify(thumbnail) === JSON.stringify(thumbnailIn(group.platform_settings))) return;
  const found = thumbnail.mediaId ? await findMedia(db, group.user_id, thumbnail.mediaId) : null;
  const isOurs =
    found?.purpose === 'youtube_thumbnail' &&
    found.postGroupId === group.id &&
    found.storageKey !== null &&
    ['', storage.publicUrl(found.storageKey)].includes(thumbnail.url ?? '');
  if (isOurs) return;
  throw new Problem('platform_setting_invalid', {
    error:
      'platformSettings.youtube.thumbnail must be the mediaId and url that POST /upload-youtube-thumbnail gave for this post',
    field: 'youtube.thumbnail',
  });
}

function thumbnailIn(settings: Record<string, Json>): { mediaId?: string; url?: string } | undefined {
  const { youtube } = settings as { youtube?: { thumbnail?: { mediaId?: string; url?: string } } };
  return youtube?.thumbnail;
}
