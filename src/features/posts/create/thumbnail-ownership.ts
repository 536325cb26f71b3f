import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { parseUrl } from '../../../foundation/lib/parse-url.ts';
import { isStorageKey } from '../../../foundation/storage/storage-key.ts';
import {
  attachedImages,
  type ImageReference,
  imageIn,
  type PlatformImage,
} from '../../../platforms/attached-images.ts';
import { findMedia } from '../../files/files.ts';
import { staticFault } from '../../files/ingestion/ingest-urls.ts';
import type { EditableGroup } from '../update/edit-queries.ts';

/** The URL of an image must be public, like any URL from a user, or point to a file of this service. */
export function requirePublicImages(
  app: Pick<App, 'config' | 'storage'>,
  settings: Record<string, Json>,
  before: Record<string, Json> = {},
) {
  for (const image of attachedImages.filter(({ reference }) => reference === 'url')) {
    const { url } = imageIn(settings, image) ?? {};
    if (!url || url === imageIn(before, image)?.url || isStoredFile(app, url)) continue;
    const fault = faultIn(app, url);
    if (!fault) continue;
    const field = `${image.platform}.${image.setting}`;
    const error = `platformSettings.${field} must be a public http(s) URL. ${fault}`;
    throw new Problem('platform_setting_invalid', { error, field });
  }
}

/** The platform fetches the image and also accepts http. */
function faultIn(app: Pick<App, 'config'>, url: string): string | undefined {
  const { protocol = 'https:' } = parseUrl(url) ?? {};
  if (!/^https?:$/.test(protocol)) return `Only http:// and https:// URLs are allowed (got ${protocol}).`;
  return staticFault(app, url.replace(/^http:/i, 'https:'))?.message;
}

function isStoredFile({ storage }: Pick<App, 'storage'>, url: string): boolean {
  const key = url.split('/').slice(-2).join('/');
  return isStorageKey(key) && storage.publicUrl(key) === url;
}

/** A setting that refers to an uploaded image must refer to one uploaded for that setting and for this post. */
export async function requireOwnThumbnail(
  app: Pick<App, 'db' | 'storage'>,
  group: EditableGroup,
  settings: Record<string, Json>,
) {
  for (const image of attachedImages.filter(({ reference }) => reference === 'media')) {
    const wanted = imageIn(settings, image);
    if (!wanted || JSON.stringify(wanted) === JSON.stringify(imageIn(group.platform_settings, image))) continue;
    if (await isOwn(app, group, image, wanted)) continue;
    const { platform, setting, uploadPath } = image;
    throw new Problem('platform_setting_invalid', {
      error: `platformSettings.${platform}.${setting} must be the mediaId and url returned by POST ${uploadPath} for this post`,
      field: `${platform}.${setting}`,
    });
  }
}

async function isOwn(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  group: EditableGroup,
  { purpose }: PlatformImage,
  { mediaId, url = '' }: ImageReference,
): Promise<boolean> {
  const found = mediaId ? await findMedia(db, group.user_id, mediaId) : null;
  if (found?.purpose !== purpose || found.postGroupId !== group.id || found.storageKey === null) return false;
  return url === '' || url === storage.publicUrl(found.storageKey);
}
