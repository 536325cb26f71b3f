import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { passkeyLimits } from '../../../foundation/errors/sign-in.ts';
import { deviceName } from '../../../foundation/lib/device-name.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { queueMail } from '../../mail/mails.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { lockUser } from '../../users/queries.ts';
import type { SignedIn } from '../access/session.ts';
import { changeNotice } from '../sessions/devices.ts';
import { deleteSessionsSince, hasSession } from '../sessions/queries.ts';
import { completeSignIn } from '../sign-in/sign-in.ts';
import { countPasskeySignIn } from '../sign-in/throttle.ts';
import { type Assertion, addPasskey, passkeyOptions, signInByPasskey } from './better-auth.ts';
import {
  deletePasskeyById,
  deleteUsedPasskey,
  type PasskeyRow,
  selectPasskeys,
  updateAddedPasskey,
  updatePasskeyName,
  updatePasskeyUse,
} from './queries.ts';

/** A passkey outlives the session that adds it, so a session stolen later must not be able to add one. */
const recentSignInMs = 3_600_000;

export const listPasskeys = ({ db }: Pick<App, 'db'>, userId: string) => selectPasskeys(db, userId);

export async function startPasskey(app: App, request: FastifyRequest, reply: FastifyReply) {
  requireRecentSignIn(app, request);
  await requireRoom(app, request.session.userId);
  return passkeyOptions(app, request, reply);
}

export async function createPasskey(
  app: App,
  { name, response }: { name?: string | undefined; response: object },
  request: FastifyRequest,
): Promise<PasskeyRow> {
  requireRecentSignIn(app, request);
  const { userId } = request.session;
  await requireRoom(app, userId);
  const given = name ?? deviceName(request.headers['user-agent']);
  const begunAt = app.clock.now();
  const id = await addPasskey(app, { name: given, response }, request);
  const isKept = await keepPasskey(app, { id, name: given, begunAt }, request).catch(async (error: unknown) => {
    await deletePasskeyById(app.db, userId, id);
    throw error;
  });
  if (!isKept) throw new Problem('session_required');
  const added = (await selectPasskeys(app.db, userId)).find((passkey) => passkey.id === id);
  if (!added) throw new Problem('passkey_not_found');
  return added;
}

/**
 * A passkey signs in without the password, so its owner must be notified of one that a thief adds. Returns false if
 * the owner has ended the session in the meantime: the passkey is removed, along with any sessions started with it.
 */
function keepPasskey(
  app: App,
  { id, name, begunAt }: { id: string; name: string; begunAt: Date },
  request: FastifyRequest,
): Promise<boolean> {
  const { userId, email, sessionId } = request.session;
  const keep = async (tx: Db) => {
    await lockUser(tx, userId);
    if (!(await hasSession(tx, userId, sessionId))) {
      if (await deleteUsedPasskey(tx, userId, id)) await deleteSessionsSince(tx, userId, begunAt);
      return false;
    }
    await updateAddedPasskey(tx, userId, id, app.clock.now());
    // This one is stored already, and so may be others that were added at the same time.
    if ((await selectPasskeys(tx, userId)).length > passkeyLimits.perUser) throw new Problem('passkey_limit');
    const actor = userActor(userId, request);
    await recordAudit(app, tx, { userId, event: 'passkey_added', actor, details: { name } });
    await queueMail(app, tx, { to: email, kind: 'passkey_added', data: { name, ...changeNotice(app, request) } });
    return true;
  };
  return inLockTurn(userId, () => app.db.transaction().execute(keep));
}

export async function renamePasskey({ db }: Pick<App, 'db'>, userId: string, id: string, name: string) {
  const renamed = await updatePasskeyName(db, userId, id, name);
  if (!renamed) throw new Problem('passkey_not_found');
  return renamed;
}

export async function removePasskey(app: App, id: string, request: FastifyRequest) {
  const { userId } = request.session;
  await app.db.transaction().execute(async (tx) => {
    const name = await deletePasskeyById(tx, userId, id);
    if (name === null) throw new Problem('passkey_not_found');
    const actor = userActor(userId, request);
    await recordAudit(app, tx, { userId, event: 'passkey_removed', actor, details: { name } });
  });
}

export async function signInWithPasskey(
  app: App,
  response: Assertion,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const giveBack = await countPasskeySignIn(app, request);
  const started = await signInByPasskey(app, response, request, reply);
  await giveBack();
  const isStillProof = (tx: Db) => updatePasskeyUse(tx, started.session.userId, response.id, app.clock.now());
  return completeSignIn(app, started, { method: 'passkey', isStillProof }, request, reply);
}

function requireRecentSignIn({ clock }: Pick<App, 'clock'>, { session: { signedInAt } }: FastifyRequest) {
  if (clock.now().getTime() - signedInAt.getTime() > recentSignInMs) throw new Problem('recent_sign_in_required');
}

async function requireRoom({ db }: Pick<App, 'db'>, userId: string) {
  if ((await selectPasskeys(db, userId)).length >= passkeyLimits.perUser) throw new Problem('passkey_limit');
}
