import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { queueMail } from '../../mail/mails.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { findUserBy, lockUser } from '../../users/queries.ts';
import { hasTwoFactor } from '../access/queries.ts';
import { type Credentials, type SignedIn, signIn, startProvenSession } from '../access/session.ts';
import { findPasswordHash, findPasswordHashOf } from '../passwords/queries.ts';
import { rememberDevice } from '../sessions/devices.ts';
import { deleteSessionByToken } from '../sessions/queries.ts';
import { hashSessionToken } from '../sessions/token-hashing.ts';
import { claimTry, deleteChallenge, insertChallenge } from '../two-factor/queries.ts';
import { useCode } from '../two-factor/two-factor.ts';
import { countSignIn, countSignInCode, isFirstFailureOfMinute } from './throttle.ts';

export interface PendingSignIn {
  twoFactorRequired: true;
  twoFactorToken: string;
}

/** How long the user has to enter the code after the password, and how many codes they can try. */
const challengeMs = 600_000;
const maxTries = 5;

/** Starts a session or, with two-factor sign-in, a challenge that `finishSignIn` completes. */
export async function signInWithPassword(
  app: App,
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | PendingSignIn> {
  const giveBack = await countSignIn(app, credentials.email, request);
  const passwordHash = await findPasswordHashOf(app.db, credentials.email);
  const result = await signIn(app, credentials, request, reply).catch((error: unknown) => {
    recordFailure(app, credentials.email, request);
    throw error;
  });
  await giveBack();
  if ('codeRequiredFrom' in result) {
    const twoFactorToken = await startChallenge(app, result.codeRequiredFrom, passwordHash);
    return { twoFactorRequired: true, twoFactorToken };
  }
  const { userId } = result.session;
  const isStillProof = async (tx: Db) =>
    (await findPasswordHash(tx, userId)) === passwordHash && !(await hasTwoFactor(tx, userId));
  return completeSignIn(app, result, { method: 'password', isStillProof }, request, reply);
}

/** Completes a challenge with a code from the app or a recovery code. */
export async function finishSignIn(
  app: App,
  { twoFactorToken, code }: { twoFactorToken: string; code: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const tokenHash = hashSecret(twoFactorToken);
  const challenge = await claimTry(app.db, tokenHash, maxTries, app.clock.now());
  if (!challenge) throw new Problem('two_factor_token_invalid');
  const { giveBack, isKnown } = await countSignInCode(app, challenge.email, request);
  const { userId } = challenge;
  const passwordHash = await findPasswordHash(app.db, userId);
  const use = async (tx: Db) => {
    const factor = await useCode(app, tx, challenge, code, { request, isKnown });
    if (factor && !(await deleteChallenge(tx, tokenHash))) throw new Problem('two_factor_token_invalid');
    return factor;
  };
  const used = await inLockTurn(userId, () => app.db.transaction().execute(use));
  if (!used) {
    recordFailure(app, challenge.email, request);
    throw new Problem('two_factor_code_wrong');
  }
  await giveBack();
  const started = await startProvenSession(app, userId, request, reply);
  const method = used === 'app' ? 'password and code' : 'password and recovery code';
  const isStillProof = async (tx: Db) => (await findPasswordHash(tx, userId)) === passwordHash;
  return completeSignIn(app, started, { method, isStillProof }, request, reply);
}

export interface SignInProof {
  method: string;
  /** Whether the proof that the user gave would still sign in. */
  isStillProof(tx: Db): Promise<boolean>;
}

/**
 * Runs after every sign-in: remembers the device, makes the sign-in visible to the owner, and notifies the owner of a
 * new device. The owner may have ended all sessions between the password check and the start of this session, so the
 * proof is checked again.
 */
export async function completeSignIn(
  app: App,
  started: SignedIn,
  { method, isStillProof }: SignInProof,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const { userId, email } = started.session;
  const complete = async (tx: Db) => {
    await lockUser(tx, userId);
    if (!(await isStillProof(tx))) {
      await deleteSessionByToken(tx, userId, hashSessionToken(started.accessToken));
      return true;
    }
    const { device, isNew } = await rememberDevice(app, tx, userId, request, reply);
    await recordAudit(app, tx, {
      userId,
      event: 'signed_in',
      actor: userActor(userId, request),
      details: { method, device },
    });
    const data = { at: app.clock.now().toISOString(), address: request.ip, device };
    if (isNew) await queueMail(app, tx, { to: email, kind: 'new_sign_in', data });
    return false;
  };
  const isRefused = await inLockTurn(userId, () => app.db.transaction().execute(complete));
  if (isRefused) throw new Problem('invalid_credentials');
  return started;
}

async function startChallenge({ db, clock }: App, userId: string, passwordHash: string | null): Promise<string> {
  const token = newSecret();
  const now = clock.now();
  const insert = async (tx: Db) => {
    await lockUser(tx, userId);
    if ((await findPasswordHash(tx, userId)) !== passwordHash) throw new Problem('invalid_credentials');
    await insertChallenge(tx, hashSecret(token), userId, now, new Date(now.getTime() + challengeMs));
  };
  await inLockTurn(userId, () => db.transaction().execute(insert));
  return token;
}

/** Not awaited: the response time must not reveal whether the account exists. */
function recordFailure(app: App, email: string, request: FastifyRequest) {
  const record = async () => {
    const user = await findUserBy(app.db, { email });
    if (!user || !(await isFirstFailureOfMinute(app, user.id))) return;
    await recordAudit(app, app.db, { userId: user.id, event: 'sign_in_failed', actor: userActor(null, request) });
  };
  record().catch((error: unknown) => app.log.error({ err: error }, 'a failed sign-in could not be recorded'));
}
