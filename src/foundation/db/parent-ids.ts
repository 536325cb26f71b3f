import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { deleteInBatches } from './delete-in-batches.ts';

/** How many deleted parents one batch serves, and how many rows it changes of each: a few milliseconds together. */
const parentsInBatch = 10;
export const rowsOfParent = 100;

/**
 * Deleted connections or webhooks with rows that still refer to them. Owners take turns, so that one with many rows does
 * not delay the others.
 */
export const removedParents = (
  kind: 'connections' | 'webhooks',
  hasRows: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select id from parent_ids where removed_at is not null and kind = ${kind} and ${hasRows}
  order by row_number() over (
    partition by coalesce((select coalesce(parent_user_id, id) from users where users.id = user_id), user_id)
    order by removed_at
  ), removed_at limit ${parentsInBatch}`;

/** A request that read the parent before it was deleted may still store rows that refer to it. */
const graceSeconds = 3_600;

/** Forgets deleted parents without rows, as many as there are: those of all users slow down `removedParents`. */
export const forgetParents = (
  db: Db,
  kind: 'connections' | 'webhooks',
  hasRows: RawBuilder<unknown>,
  signal?: AbortSignal,
) =>
  deleteInBatches(
    (limit) =>
      sql`
        delete from parent_ids where id in (
          select id from parent_ids where removed_at < now() - make_interval(secs => ${graceSeconds}) and kind = ${kind}
            and not ${hasRows} limit ${limit}
        )`.execute(db),
    signal,
  );

/** A deleted user has no connections, webhooks or rows that refer to them. */
export const forgetParentsOf = (tx: Db, userId: string) =>
  tx.deleteFrom('parent_ids').where('user_id', '=', userId).execute();
