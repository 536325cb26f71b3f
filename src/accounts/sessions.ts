import type { App } from '../app.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { maxSessionMs } from '../http/session.ts';
import { deviceWords } from '../lib/device-words.ts';
import { lockUser } from './queries.ts';
import { deleteSession, deleteSessionsExcept, hasSession, selectSessions } from './sessions-queries.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId'>;

export const listSessions = ({ db, clock }: Needs, userId: string) =>
  selectSessions(db, userId, new Date(clock.now().getTime() - maxSessionMs));

/**
 * Runs work that makes something which outlives the session, such as a key. The owner may have ended all sessions after this
 * request was let in, with everything else that a thief had made, and then nothing more may be made.
 */
export function inLiveSession<T>(
  { db }: Pick<Needs, 'db'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (!(await hasSession(tx, userId, sessionId))) throw new Problem('session_required');
    return work(tx);
  });
}

export function endSession(app: Needs, userId: string, sessionId: string, actor: Actor): Promise<void> {
  return app.db.transaction().execute(async (tx) => {
    const [ended] = await deleteSession(tx, userId, sessionId);
    if (!ended) throw new Problem('session_not_found');
    const details = { sessions: 1, device: deviceWords(ended.userAgent) };
    await recordAudit(app, tx, { userId, event: 'session_ended', actor, details });
  });
}

/** Ends all sessions of the user but one, or all of them. Answers how many. */
export function endSessions(
  app: Omit<Needs, 'db'>,
  db: Db,
  userId: string,
  kept: string | null,
  actor: Actor,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const sessions = await deleteSessionsExcept(tx, userId, kept);
    if (sessions > 0) await recordAudit(app, tx, { userId, event: 'session_ended', actor, details: { sessions } });
    return sessions;
  });
}
