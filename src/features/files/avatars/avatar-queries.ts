import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

export interface AvatarRow {
  /** The URL that was last tried. */
  address: string;
  image: Buffer | null;
  fetchedAt: Date | null;
  /** When fetching that URL failed. Null if it succeeded. */
  failedAt: Date | null;
}

export async function findAvatar(db: Db, connectionId: string): Promise<AvatarRow | null> {
  const found = await db
    .selectFrom('connection_avatars')
    .select(['address', 'image', 'fetched_at as fetchedAt', 'failed_at as failedAt'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Without an image, the previously stored one stays. Stores nothing if the account was disconnected in the meantime.
 */
export async function storeAvatar(
  db: Db,
  connectionId: string,
  { address, image, now }: { address: string; image: Uint8Array | null; now: Date },
) {
  const [fetchedAt, failedAt] = image ? [now, null] : [null, now];
  await sql`
    insert into connection_avatars as avatar (connection_id, address, image, fetched_at, failed_at)
    select id, ${address}, ${image}::bytea, ${fetchedAt}::timestamptz, ${failedAt}::timestamptz
    from connections where id = ${connectionId}
    for key share
    on conflict (connection_id) do update set address = excluded.address, failed_at = excluded.failed_at,
      image = coalesce(excluded.image, avatar.image), fetched_at = coalesce(excluded.fetched_at, avatar.fetched_at)`.execute(
    db,
  );
}

export const storeBrandAvatar = (tx: Db, userId: string, image: Uint8Array, now: Date) =>
  sql`
    insert into brand_avatars (user_id, image, updated_at) values (${userId}, ${image}::bytea, ${now})
    on conflict (user_id) do update set image = excluded.image, updated_at = excluded.updated_at`.execute(tx);

export const deleteBrandAvatar = (tx: Db, userId: string) =>
  tx.deleteFrom('brand_avatars').where('user_id', '=', userId).execute();

export async function findBrandAvatar(db: Db, ownerId: string, userId: string): Promise<Buffer | null> {
  const found = await db
    .selectFrom('brand_avatars')
    .innerJoin('users', 'users.id', 'brand_avatars.user_id')
    .select('brand_avatars.image')
    .where('users.id', '=', userId)
    .where('parent_user_id', '=', ownerId)
    .executeTakeFirst();
  return found?.image ?? null;
}
