import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

export interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  userAgent: string | null;
  address: string | null;
}

/** Active sessions, most recently used first. */
export function selectSessions(db: Db, userId: string, startedAfter: Date): Promise<SessionRow[]> {
  return (
    db
      .selectFrom('auth_sessions')
      .select([
        'id',
        'created_at as createdAt',
        'last_used_at as lastUsedAt',
        'user_agent as userAgent',
        'ip_address as address',
      ])
      .where('user_id', '=', userId)
      .where('created_at', '>', startedAfter)
      // Set by better-auth, which uses its own clock.
      .where('expires_at', '>', sql<Date>`now()`)
      .orderBy('last_used_at', 'desc')
      .orderBy('id', 'desc')
      .limit(200)
      .execute()
  );
}

/** An existing session cannot be deleted until the transaction ends. */
export async function hasSession(tx: Db, userId: string, id: string): Promise<boolean> {
  const sessions = tx.selectFrom('auth_sessions').select('id').where('user_id', '=', userId).where('id', '=', id);
  return (await sessions.forKeyShare().executeTakeFirst()) !== undefined;
}

/** Like `hasSession`, by the hash of the token. */
export async function hasSessionOfToken(tx: Db, userId: string, tokenHash: string): Promise<boolean> {
  const sessions = tx.selectFrom('auth_sessions').select('id').where('user_id', '=', userId);
  return (await sessions.where('token', '=', tokenHash).executeTakeFirst()) !== undefined;
}

/** Also deletes everything the session began (`session_id` of other tables). Returns the deleted sessions. */
export function deleteSession(tx: Db, userId: string, id: string): Promise<{ userAgent: string | null }[]> {
  return tx
    .deleteFrom('auth_sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('user_agent as userAgent')
    .execute();
}

export const deleteSessionByToken = (tx: Db, userId: string, tokenHash: string) =>
  tx.deleteFrom('auth_sessions').where('user_id', '=', userId).where('token', '=', tokenHash).execute();

export async function deleteSessionsExcept(tx: Db, userId: string, keptId: string | null): Promise<number> {
  const all = tx.deleteFrom('auth_sessions').where('user_id', '=', userId);
  const { numDeletedRows } = await (keptId === null ? all : all.where('id', '<>', keptId)).executeTakeFirst();
  return Number(numDeletedRows);
}

export const deleteSessionsSince = (tx: Db, userId: string, since: Date) =>
  tx.deleteFrom('auth_sessions').where('user_id', '=', userId).where('created_at', '>=', since).execute();
