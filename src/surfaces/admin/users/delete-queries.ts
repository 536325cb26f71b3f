import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** What a deleted user leaves is deleted in batches, so that no transaction is long and a crash loses little. */

/** Nothing is sent to the user's webhooks any more. */
export const stopWebhooks = (db: Db, userId: string) =>
  db.updateTable('webhooks').set({ is_active: false }).where('user_id', '=', userId).execute();

/** With targets, files and logs. Returns how many were deleted. */
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
