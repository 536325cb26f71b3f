import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { inLiveTurn } from '../../auth/api-keys/live-credential.ts';
import { deleteFilesNow, selectStorageKeys } from '../../files/files.ts';
import type { FilesApp } from '../../files/storing/verify-upload.ts';
import { deleteFromLibrary } from './queries.ts';

/** Posts that use the file keep it. Its stored bytes are deleted after the last of them. */
export async function removeFromLibrary(app: FilesApp, who: Who, mediaId: string) {
  const keys = await selectStorageKeys(app.db, who.userId, { mediaId });
  const remove = (tx: Db) => deleteFromLibrary(tx, who.userId, mediaId);
  const deleted = await inLiveTurn(app, who, () => app.db.transaction().execute(remove));
  if (!deleted) throw new Problem('media_not_found');
  await deleteFilesNow(app, keys);
  return { success: true as const };
}
