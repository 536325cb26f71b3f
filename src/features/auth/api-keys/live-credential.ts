import type { FastifyRequest, onSendAsyncHookHandler, preValidationAsyncHookHandler } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { lockWithManaged } from '../../users/queries.ts';
import { type Credential, type Who, whoByKeyNow, whoBySession } from '../access/api-key.ts';
import { requireSessionNow } from '../access/session.ts';
import { hasSession } from '../sessions/queries.ts';

export type { Credential } from '../access/api-key.ts';

/** What a check needs of the user of a request. */
export type Caller = Pick<Who, 'userId' | 'ownerId' | 'credential'>;

/** The session or API key that authorized the request. */
export const credentialOf = ({ who, session }: FastifyRequest): Credential => who?.credential ?? session;

/**
 * For work that creates something that outlives the session or key, such as another key. The owner may have revoked
 * the credential after this request was authorized, along with everything a thief had created. After that, nothing
 * more may be created. Until the transaction ends, the credential cannot be revoked, and neither can the membership
 * of the managed user concerned.
 */
export async function requireLive(
  app: Pick<App, 'clock'>,
  tx: Db,
  credential: Credential,
  managedId: string | null = null,
): Promise<void> {
  const { userId } = credential;
  await lockWithManaged(tx, userId, managedId);
  if ('keyId' in credential) {
    await whoByKeyNow(tx, credential, app.clock.now());
    return;
  }
  if (!(await hasSession(tx, userId, credential.sessionId))) throw new Problem('session_required');
  await requireSessionNow(tx, credential, app.clock.now());
}

/**
 * For slow work that then stores posts or files: the credential that authorized the request must still be valid.
 * Returns what it allows now. Takes no locks, because anything stored just before access ended is kept as well.
 */
export async function requireStillAllowed(
  app: Pick<App, 'clock'>,
  db: Db,
  { userId, ownerId, credential }: Caller,
): Promise<Who | null> {
  if (!credential) return null;
  const actAs = userId === credential.userId ? null : userId;
  const isByKey = 'keyId' in credential;
  if (!isByKey) await requireSessionNow(db, credential, app.clock.now());
  const who = isByKey
    ? await whoByKeyNow(db, credential, app.clock.now())
    : await whoBySession(app, db, credential, actAs);
  // A user who has left or joined a workspace is on a different plan.
  if (who.ownerId === ownerId) return who;
  throw new Problem(actAs ? 'user_not_managed' : isByKey ? 'invalid_api_key' : 'session_required');
}

/**
 * For a stream. Only a refusal ends it, not a database that does not respond. `alsoRequire` gets the current permissions
 * of the credential.
 */
export async function isStillAllowed(
  app: Pick<App, 'db' | 'clock'>,
  who: Who,
  alsoRequire?: (now: Who) => Promise<void>,
): Promise<boolean> {
  try {
    const now = await requireStillAllowed(app, app.db, who);
    await alsoRequire?.(now ?? who);
    return true;
  } catch (error) {
    return !(error instanceof Problem) || error.status >= 500;
  }
}

/** How long a request relies on the last check of its credential. */
const reliedUponMs = 1_000;

/**
 * Like `requireStillAllowed`, for work in several steps: call it before each step. Steps of normal speed cost no
 * query.
 */
export function recheckWhenSlow(app: Pick<App, 'clock'>, who: Caller): (db: Db) => Promise<void> {
  let checkedAt = app.clock.now().getTime();
  return async (db) => {
    const now = app.clock.now().getTime();
    if (now - checkedAt < reliedUponMs) return;
    await requireStillAllowed(app, db, who);
    checkedAt = now;
  };
}

/** Like `inLockTurn`: the caller's own requests can delay the turn, so the credential must still be valid after it. */
export function inLiveTurn<T>(app: Pick<App, 'db' | 'clock'>, who: Caller, work: () => Promise<T>): Promise<T> {
  const recheck = recheckWhenSlow(app, who);
  return inLockTurn(who.ownerId, async () => {
    await recheck(app.db);
    return work();
  });
}

/**
 * A body may take minutes to arrive, and the request acts on it afterwards. A body that arrives at normal speed costs
 * no query.
 */
export function recheckAfterBody(app: Pick<App, 'db' | 'clock'>): preValidationAsyncHookHandler {
  return async ({ letInAt, who, session }) => {
    if (!letInAt || app.clock.now().getTime() - letInAt.getTime() < reliedUponMs) return;
    if (who) await requireStillAllowed(app, app.db, who);
    else await requireSessionNow(app.db, session, app.clock.now());
  };
}

/**
 * A read may wait for its turn behind other requests of the caller. What it then read is not sent if access has ended
 * in the meantime. A write has its own check, because it must not happen at all.
 */
export function recheckBeforeAnswer(app: Pick<App, 'db' | 'clock'>): onSendAsyncHookHandler {
  return async ({ method, letInAt, who, session }, { statusCode }) => {
    if (method !== 'GET' || statusCode >= 300 || !letInAt) return;
    if (app.clock.now().getTime() - letInAt.getTime() < reliedUponMs) return;
    if (who) await requireStillAllowed(app, app.db, who);
    else await requireSessionNow(app.db, session, app.clock.now());
  };
}
