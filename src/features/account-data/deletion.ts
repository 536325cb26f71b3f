import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { byMember, recordForBoth } from '../accounts/workspace/membership-audit.ts';
import { userActor } from '../audit/actors.ts';
import type { AuditEntry, AuditEvent } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { changeNotice } from '../auth/sessions/devices.ts';
import { endSessions, inLiveSession } from '../auth/sessions/sessions.ts';
import { type Proof, requireProof } from '../auth/sign-in/proof.ts';
import { lockFirstUser } from '../auth/sign-up/queries.ts';
import { queueMail } from '../mail/mails.ts';
import { cancelDeletion, findLeaving, hasOtherPeople, startDeletion } from './queries.ts';

/** How long the user can keep the account after all. */
export const graceMs = 7 * 86_400_000;

/**
 * From now on, nothing of the account or its managed users is published or changed, and only this session is left.
 * Returns when the account will be erased. Repeating it changes nothing.
 */
export async function requestDeletion(app: App, proof: Proof, request: FastifyRequest): Promise<Date> {
  await requireProof(app, proof, request);
  const { userId, email, sessionId } = request.session;
  return inLiveSession(app, request.session, async (tx) => {
    await requireOthers(app, tx, userId);
    const now = app.clock.now();
    const deletionAt = new Date(now.getTime() + graceMs);
    if (!(await startDeletion(tx, userId, deletionAt, now))) return (await findLeaving(tx, userId))!.deletionAt!;
    const details = { deletionAt: deletionAt.toISOString() };
    await record(app, tx, 'deletion_requested', request, details);
    await endSessions(app, tx, userId, sessionId, userActor(userId, request));
    const data = { ...details, keepUrl: `${app.publicUrl}/signin`, ...changeNotice(app, request) };
    await queueMail(app, tx, { to: email, kind: 'deletion_requested', data });
    return deletionAt;
  });
}

/** The account is again as it was. Posts that were due in the meantime are drafts. */
export function keepAccount(app: App, request: FastifyRequest): Promise<void> {
  const { userId, email } = request.session;
  return inLiveSession(app, request.session, async (tx) => {
    const now = app.clock.now();
    if (!(await findLeaving(tx, userId))?.deletionAt) return;
    if (!(await cancelDeletion(tx, userId, now))) throw new Problem('deletion_started');
    await record(app, tx, 'deletion_cancelled', request);
    await queueMail(app, tx, { to: email, kind: 'deletion_cancelled', data: { at: now.toISOString() } });
  });
}

/** Where only the first user may sign up, a stranger must not become the first one again. */
async function requireOthers({ config }: App, tx: Db, userId: string) {
  if (config.signUp !== null) return;
  // Two people who are the last ones must not both leave at the same time.
  await lockFirstUser(tx);
  if (!(await hasOtherPeople(tx, userId))) throw new Problem('last_account');
}

/** The owner of a workspace sees that a member leaves. */
async function record(
  app: App,
  tx: Db,
  event: AuditEvent,
  request: FastifyRequest,
  details: NonNullable<AuditEntry['details']> = {},
) {
  const { userId, email } = request.session;
  const ownerId = (await findLeaving(tx, userId))?.ownerId ?? null;
  if (ownerId === null) await recordAudit(app, tx, { userId, event, actor: userActor(userId, request), details });
  else await recordForBoth(app, tx, event, { ownerId, userId, email }, byMember(userId, request), details);
}
