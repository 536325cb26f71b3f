import type { Db } from '../db/database.ts';
import type { AuditEntry } from './audit-log.ts';

export const insertAuditEntry = (
  db: Db,
  { id, at, userId, event, actor, details }: AuditEntry & { id: string; at: Date },
) =>
  db
    .insertInto('audit_log')
    .values({
      id,
      at,
      user_id: userId,
      event,
      actor_kind: actor.kind,
      actor_id: actor.id,
      address: actor.address,
      details: JSON.stringify(details ?? {}),
    })
    .execute();
