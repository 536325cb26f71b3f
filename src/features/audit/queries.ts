import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { deleteInBatches } from '../../foundation/db/delete-in-batches.ts';
import type { ActorKind, AuditEntry } from './audit-entry.ts';

/** Uses arrays, so that the statement is the same for any number of entries. */
export const insertAuditEntries = (db: Db, entries: readonly (AuditEntry & { id: string; at: Date })[]) =>
  sql`
    insert into audit_log (id, at, user_id, event, actor_kind, actor_id, address, details)
    select id, at, user_id, event, actor_kind, actor_id, address, details::jsonb from unnest(
      ${entries.map(({ id }) => id)}::text[],
      ${entries.map(({ at }) => at)}::timestamptz[],
      ${entries.map(({ userId }) => userId)}::text[],
      ${entries.map(({ event }) => event)}::text[],
      ${entries.map(({ actor }) => actor.kind)}::text[],
      ${entries.map(({ actor }) => actor.id)}::text[],
      ${entries.map(({ actor }) => actor.address)}::text[],
      ${entries.map(({ details }) => JSON.stringify(details ?? {}))}::text[]
    ) as entry (id, at, user_id, event, actor_kind, actor_id, address, details)`.execute(db);

export interface AuditRow {
  id: string;
  at: Date;
  event: string;
  actorKind: ActorKind;
  actorId: string | null;
  /** The name of the acting user. */
  userName: string | null;
  address: string | null;
  details: Record<string, string | number | boolean | null>;
}

/** Newest first. `ownerId`: only what this owner of the workspace did for the user. */
export const selectAuditEntries = (
  db: Db,
  userId: string,
  { before, limit, ownerId }: { before: string | null; limit: number; ownerId: string | null },
): Promise<AuditRow[]> =>
  db
    .selectFrom('audit_log')
    .leftJoin('users as actor', (join) =>
      join.onRef('actor.id', '=', 'audit_log.actor_id').on('audit_log.actor_kind', 'in', ['user', 'workspace_owner']),
    )
    .select([
      'audit_log.id',
      'audit_log.at',
      'audit_log.event',
      'audit_log.actor_kind as actorKind',
      'audit_log.actor_id as actorId',
      'actor.name as userName',
      'audit_log.address',
      'audit_log.details',
    ])
    .$narrowType<Pick<AuditRow, 'details'>>()
    .where('audit_log.user_id', '=', userId)
    .$if(ownerId !== null, (entries) =>
      entries.where('audit_log.actor_kind', '=', 'workspace_owner').where('audit_log.actor_id', '=', ownerId),
    )
    .$if(before !== null, (entries) => entries.where('audit_log.id', '<', before))
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute();

export async function deleteOldAuditEntries(db: Db, before: Date | null, signal?: AbortSignal) {
  if (before === null) return;
  await deleteInBatches(
    (limit) =>
      sql`delete from audit_log where id in (select id from audit_log where at < ${before} limit ${limit})`.execute(db),
    signal,
  );
}

/** Far more than anyone reads, and few enough that repeating one change cannot fill the disk. */
const newestKept = 100_000;

/** Fewer in two days do not reach that number in a year. */
const manyInTwoDays = 500;

/**
 * Deletes all but each user's newest entries of each event. Per event, so that nobody can push out a sign-in by
 * repeating another change.
 */
export async function deleteSurplusAuditEntries(db: Db, now: Date, signal?: AbortSignal) {
  const { rows: repeated } = await sql<{ userId: string; event: string }>`
    select user_id as "userId", event from audit_log where at >= ${now}::timestamptz - interval '2 days'
    group by user_id, event having count(*) > ${manyInTwoDays}`.execute(db);
  for (const { userId, event } of repeated) {
    await deleteInBatches(
      (limit) =>
        sql`
        delete from audit_log where id in (
          select id from audit_log where user_id = ${userId} and event = ${event} order by id desc
          offset ${newestKept} limit ${limit}
        )`.execute(db),
      signal,
    );
  }
}
