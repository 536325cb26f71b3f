import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { deleteInBatches } from '../../foundation/db/delete-in-batches.ts';
import type { ActorKind, AuditEntry } from './audit-entry.ts';

export const insertAuditEntries = (db: Db, entries: readonly (AuditEntry & { id: string; at: Date })[]) =>
  db
    .insertInto('audit_log')
    .values(
      entries.map(({ id, at, userId, event, actor, details }) => ({
        id,
        at,
        user_id: userId,
        event,
        actor_kind: actor.kind,
        actor_id: actor.id,
        address: actor.address,
        details: JSON.stringify(details ?? {}),
      })),
    )
    .execute();

export interface AuditRow {
  id: string;
  at: Date;
  event: string;
  actorKind: ActorKind;
  actorId: string | null;
  /** The name of the user who did it. */
  userName: string | null;
  address: string | null;
  details: Record<string, string | number | boolean | null>;
}

/** The newest first. */
export const selectAuditEntries = (db: Db, userId: string, before: string | null, limit: number): Promise<AuditRow[]> =>
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
