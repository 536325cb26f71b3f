import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Access } from './auth.ts';

/** Who a key speaks for. Notes the use of the key, at most once a minute. */
export async function findAccess(db: Db, keyHash: Buffer, actAs: string | null, now: Date): Promise<Access | null> {
  const { rows } = await sql<Access>`
    with used as (
      update api_keys set last_used_at = ${now}
      where key_hash = ${keyHash} and revoked_at is null
        and (last_used_at is null or last_used_at <= ${now}::timestamptz - interval '1 minute')
    )
    select
      key_user.id as "keyUserId",
      owner.id as "ownerId",
      key_user.is_active and coalesce(owner.is_active, true) as "ownerActive",
      coalesce(owner.plan, key_user.plan) as "plan",
      key_user.workspace_enabled as "workspaceEnabled",
      exists (select from users where id = lower(${actAs}) and parent_user_id = key_user.id and is_active) as "managed"
    from api_keys
    join users key_user on key_user.id = api_keys.user_id
    left join users owner on owner.id = key_user.parent_user_id
    where api_keys.key_hash = ${keyHash} and api_keys.revoked_at is null`.execute(db);
  return rows[0] ?? null;
}
