import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

interface Rendition {
  key: string;
  mimeType: string;
  width: number;
  height: number;
}

export async function findRendition(db: Db, mediaId: string, kind: string) {
  const found = await db
    .selectFrom('renditions')
    .select(['storage_key as key', 'mime_type as mimeType', 'width', 'height'])
    .where('media_id', '=', mediaId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return found ? { ...found, version: null } : null;
}

/** Records that the file contains no private metadata, so that it can be sent unchanged. */
export async function setClean(db: Db, id: string) {
  await sql`update media set metadata = metadata || '{"isClean": true}' where id = ${id}`.execute(db);
}

/** Returns false if there already is one, or if the file was deleted in the meantime. */
export async function insertRendition(
  db: Db,
  mediaId: string,
  kind: string,
  { key, mimeType, bytes, width, height }: Rendition & { bytes: number },
): Promise<boolean> {
  const { rows } = await sql`
    with kept as (
      insert into renditions (media_id, kind, storage_key, mime_type, bytes, width, height)
      select id, ${kind}, ${key}, ${mimeType}, ${bytes}, ${width}, ${height} from media where id = ${mediaId}
      on conflict (media_id, kind) do nothing
      returning storage_key
    )
    delete from orphaned_files using kept where orphaned_files.storage_key = kept.storage_key returning 1`.execute(db);
  return rows.length > 0;
}
