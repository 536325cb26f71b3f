import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { userActor } from '../audit/actors.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { Problem } from '../errors.ts';
import { type Credentials, type SignedIn, signIn, startProvenSession } from '../http/session.ts';
import { queueMail } from '../mail/mails.ts';
import { rememberDevice } from './devices.ts';
import { findUserBy } from './queries.ts';
import { countSignIn, isFirstFailureOfMinute } from './sign-in-throttle.ts';
import { useCode } from './two-factor.ts';
import { claimTry, deleteChallenge, insertChallenge } from './two-factor-queries.ts';

export interface PendingSignIn {
  twoFactorRequired: true;
  twoFactorToken: string;
}

/** How long the code may take to follow the password, and how many codes may be tried. */
const challengeMs = 600_000;
const maxTries = 5;

/** Starts a session, or with two-factor sign-in a challenge that `finishSignIn` ends. */
export async function signInWithPassword(
  app: App,
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | PendingSignIn> {
  const giveBack = await countSignIn(app, credentials.email, request);
  const result = await signIn(app, credentials, request, reply).catch((error: unknown) => {
    recordFailure(app, credentials.email, request);
    throw error;
  });
  await giveBack();
  if (!('codeRequiredFrom' in result)) return completeSignIn(app, result, 'password', request, reply);
  return { twoFactorRequired: true, twoFactorToken: await startChallenge(app, result.codeRequiredFrom) };
}

/** Ends a challenge with a code of the app or a recovery code. Wrong codes count as wrong passwords do. */
export async function finishSignIn(
  app: App,
  { twoFactorToken, code }: { twoFactorToken: string; code: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const tokenHash = hashOf(twoFactorToken);
  const challenge = await claimTry(app.db, tokenHash, maxTries, app.clock.now());
  if (!challenge) throw new Problem('two_factor_token_invalid');
  const giveBack = await countSignIn(app, challenge.email, request);
  const { userId } = challenge;
  const used = await app.db.transaction().execute(async (tx) => {
    const factor = await useCode(app, tx, userId, code, userActor(userId, request));
    if (factor && !(await deleteChallenge(tx, tokenHash))) throw new Problem('two_factor_token_invalid');
    return factor;
  });
  if (!used) {
    recordFailure(app, challenge.email, request);
    throw new Problem('two_factor_code_wrong');
  }
  await giveBack();
  const started = await startProvenSession(app, userId, request, reply);
  return completeSignIn(
    app,
    started,
    used === 'app' ? 'password and code' : 'password and recovery code',
    request,
    reply,
  );
}

/** What follows every sign-in: the device is remembered, and the owner can see the sign-in and is told of a new device. */
export async function completeSignIn(
  app: App,
  started: SignedIn,
  method: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const { userId, email } = started.session;
  await app.db.transaction().execute(async (tx) => {
    const { device, isNew } = await rememberDevice(app, tx, userId, request, reply);
    await recordAudit(app, tx, {
      userId,
      event: 'signed_in',
      actor: userActor(userId, request),
      details: { method, device },
    });
    if (!isNew) return;
    const data = { at: app.clock.now().toISOString(), address: request.ip, device };
    await queueMail(app, tx, { to: email, kind: 'new_sign_in', data });
  });
  return started;
}

async function startChallenge({ db, clock }: App, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await insertChallenge(db, hashOf(token), userId, now, new Date(now.getTime() + challengeMs));
  return token;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Not awaited: the time of the answer must not tell whether there is such an account. */
function recordFailure(app: App, email: string, request: FastifyRequest) {
  const record = async () => {
    const user = await findUserBy(app.db, { email });
    if (!user || !(await isFirstFailureOfMinute(app, user.id))) return;
    await recordAudit(app, app.db, { userId: user.id, event: 'sign_in_failed', actor: userActor(null, request) });
  };
  record().catch((error: unknown) => app.log.error({ err: error }, 'a failed sign-in could not be recorded'));
}
