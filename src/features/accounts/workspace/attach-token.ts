import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { inLiveSession } from '../../auth/sessions/sessions.ts';
import { deleteAttachToken, findAttachToken, upsertAttachToken } from './queries.ts';

const validMs = 10 * 60_000;
/** Distinguishes the token from an access token, which has only letters and digits, and from an API key. */
const mark = 'at_';

/**
 * A token with which its user consents to join one workspace, once. It opens no route, so its recipient can neither
 * read nor change anything else in the account. A new token replaces the previous one, and it ends with the session
 * that created it.
 */
export async function createAttachToken(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  session: { userId: string; sessionId: string },
  actor: Actor,
) {
  const { userId } = session;
  const attachToken = mark + newSecret();
  const expiresAt = new Date(app.clock.now().getTime() + validMs);
  await inLiveSession(app, session, async (tx) => {
    await upsertAttachToken(tx, session, hashSecret(attachToken), expiresAt);
    await recordAudit(app, tx, {
      userId,
      event: 'attach_token_created',
      actor,
      details: { expiresAt: expiresAt.toISOString() },
    });
  });
  return { attachToken, expiresAt };
}

export const isAttachToken = (token: string) => token.startsWith(mark);

/** Null if the token was used or replaced, or has expired. */
export const userOfAttachToken = ({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) =>
  findAttachToken(db, hashSecret(token), clock.now());

/** Returns false if another request was faster. */
export const useAttachToken = ({ clock }: Pick<App, 'clock'>, tx: Db, token: string) =>
  deleteAttachToken(tx, hashSecret(token), clock.now());
