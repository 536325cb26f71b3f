import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** A deleted user's data is removed in batches, so that no transaction is long and a crash loses little. */

/** Nothing more is sent to the user's webhooks. */
export const stopWebhooks = (db: Db, userId: string) =>
  db.updateTable('webhooks').set({ is_active: false }).where('user_id', '=', userId).execute();

/** Includes targets, files and logs. Returns how many groups were deleted. */
export async function deleteSomeGroups(db: Db, userId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from post_groups where id in (
      select id from post_groups where user_id = ${userId} order by created_at, id limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows);
}

export async function deleteSomeDeliveries(db: Db, userId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_deliveries where id in (
      select webhook_deliveries.id from webhooks join webhook_deliveries on webhook_id = webhooks.id
      where webhooks.user_id = ${userId} limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows);
}
