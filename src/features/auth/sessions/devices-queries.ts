import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

export interface SeenAt {
  address: string;
  tokenHash: Buffer | null;
}

/** Whether the account with this email has signed in with this device cookie or from this address. */
export async function selectAcquaintance(db: Db, { email, address, tokenHash }: SeenAt & { email: string }) {
  const { rows } = await sql<{ byDevice: boolean; byAddress: boolean }>`
    select coalesce(bool_or(token_hash = ${tokenHash}), false) as "byDevice",
      coalesce(bool_or(address = ${address}), false) as "byAddress"
    from known_devices
    where user_id = (select id from users where email = ${email})`.execute(db);
  return rows[0]!;
}

/**
 * `isKnown`: the user signed in with this cookie, or with a similar device from this address. `isFirst`: the user has
 * no device yet. `isIssued`: the cookie was issued by us.
 */
export async function selectDevice(
  tx: Db,
  userId: string,
  { address, tokenHash, device }: SeenAt & { device: string },
) {
  const { rows } = await sql<{ isKnown: boolean; isFirst: boolean; isIssued: boolean }>`
    select coalesce(bool_or(token_hash = ${tokenHash}), false)
        or coalesce(bool_or(address = ${address} and device = ${device}), false) as "isKnown",
      count(*) = 0 as "isFirst",
      exists (select from known_devices where token_hash = ${tokenHash}) as "isIssued"
    from known_devices where user_id = ${userId}`.execute(tx);
  return rows[0]!;
}

/** Keeps only the last hundred devices of a user. */
export async function upsertDevice(
  tx: Db,
  userId: string,
  { address, tokenHash, device }: SeenAt & { tokenHash: Buffer; device: string },
  now: Date,
) {
  await sql`
    insert into known_devices (user_id, token_hash, address, device, first_seen_at, last_seen_at)
    values (${userId}, ${tokenHash}, ${address}, ${device}, ${now}, ${now})
    on conflict (user_id, token_hash, address) do update set device = excluded.device, last_seen_at = excluded.last_seen_at`.execute(
    tx,
  );
  await sql`
    delete from known_devices where user_id = ${userId} and (token_hash, address) in (
      select token_hash, address from known_devices where user_id = ${userId} order by last_seen_at desc offset 100
    )`.execute(tx);
}

export const deleteDevices = (tx: Db, userId: string) =>
  tx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
