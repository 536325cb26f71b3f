import type { App } from '../../../app.ts';
import { type Db, inTransaction } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { deviceName } from '../../../foundation/lib/device-name.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { maxSessionMs } from '../access/session.ts';
import { requireLive } from '../api-keys/live-credential.ts';
import { deleteSession, deleteSessionsExcept, selectSessions } from './queries.ts';

export const listSessions = ({ db, clock }: Pick<App, 'db' | 'clock' | 'newId'>, userId: string) =>
  selectSessions(db, userId, new Date(clock.now().getTime() - maxSessionMs));

/** For work that creates something that outlives the session, such as a key. */
export function inLiveSession<T>(
  app: Pick<App, 'db' | 'clock'>,
  session: { userId: string; sessionId: string },
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const live = async (tx: Db) => {
    await requireLive(app, tx, session);
    return work(tx);
  };
  return inLockTurn(session.userId, () => app.db.transaction().execute(live));
}

export function endSession(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  userId: string,
  sessionId: string,
  actor: Actor,
): Promise<void> {
  return app.db.transaction().execute(async (tx) => {
    const [ended] = await deleteSession(tx, userId, sessionId);
    if (!ended) throw new Problem('session_not_found');
    const details = { sessions: 1, device: deviceName(ended.userAgent) };
    await recordAudit(app, tx, { userId, event: 'session_ended', actor, details });
  });
}

/** Ends all sessions of the user, optionally except one. Returns their number. */
export function endSessions(
  app: Omit<Pick<App, 'db' | 'clock' | 'newId'>, 'db'>,
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
