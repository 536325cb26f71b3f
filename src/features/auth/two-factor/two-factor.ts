import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { secretMinutes } from '../../../foundation/errors/sign-in.ts';
import { fromBase32, toBase32 } from '../../../foundation/lib/base32.ts';
import { seal, twoFactorContext, unseal } from '../../../foundation/lib/seal.ts';
import { matchingStep, totpUri } from '../../../foundation/lib/totp.ts';
import { userActor } from '../../audit/actors.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { queueMail } from '../../mail/mails.ts';
import { hasTwoFactor } from '../access/queries.ts';
import type { CurrentSession } from '../access/session.ts';
import { changeNotice } from '../sessions/devices.ts';
import { endSessions, inLiveSession } from '../sessions/sessions.ts';
import { countCodeCheck } from '../sign-in/throttle.ts';
import { countWrongCode, requireNoWait } from '../sign-in/wrong-codes.ts';
import {
  claimStep,
  clearWrongCodes,
  confirmSecret,
  countCodes,
  deleteCode,
  deleteTwoFactor,
  lockTwoFactor,
  replaceCodes,
  upsertSecret,
} from './queries.ts';

type TwoFactorApp = Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys'>;

export async function readTwoFactor({ db }: Pick<App, 'db'>, userId: string) {
  const [enabled, recoveryCodesLeft] = await Promise.all([hasTwoFactor(db, userId), countCodes(db, userId)]);
  return { enabled, recoveryCodesLeft };
}

/** Creates the secret for an authenticator app. Nothing changes until its first code is confirmed. */
export async function startTwoFactor(app: TwoFactorApp, session: CurrentSession) {
  const { userId, email } = session;
  const secret = toBase32(randomBytes(20));
  const sealed = seal(secret, twoFactorContext(userId), app.sealingKeys);
  const isStored = await inLiveSession(app, session, (tx) => upsertSecret(tx, userId, sealed, app.clock.now()));
  if (!isStored) throw new Problem('two_factor_on');
  return { secret, uri: totpUri(secret, { issuer: 'Crier', account: email }) };
}

/**
 * Enables two-factor sign-in and creates the recovery codes, which are returned only once. Other sessions end,
 * because they started with the password alone. The user gets a mail: if a thief did this, the owner can no longer
 * sign in with the password.
 */
export function confirmTwoFactor(
  app: TwoFactorApp & Pick<App, 'publicUrl'>,
  code: string,
  request: FastifyRequest,
): Promise<string[]> {
  const { userId, sessionId, email } = request.session;
  // A concurrent sign-in waits for the lock on the user, and then needs a code.
  return inLiveSession(app, request.session, async (tx) => {
    const [now, actor] = [app.clock.now(), userActor(userId, request)];
    const found = await lockTwoFactor(tx, userId);
    if (found?.confirmedAt) throw new Problem('two_factor_on');
    if (!found || now.getTime() - found.createdAt.getTime() >= secretMinutes * 60_000)
      throw new Problem('two_factor_not_started');
    if (!(await useAppCode(app, tx, userId, found.secret, code))) throw new Problem('two_factor_code_invalid');
    await confirmSecret(tx, userId, now);
    await recordAudit(app, tx, { userId, event: 'two_factor_enabled', actor });
    await endSessions(app, tx, userId, sessionId, actor);
    await queueMail(app, tx, { to: email, kind: 'two_factor_enabled', data: changeNotice(app, request) });
    return makeRecoveryCodes(tx, userId);
  });
}

interface Person {
  userId: string;
  email: string;
}

/** Requires a code from the app or a recovery code. */
export const disableTwoFactor = (
  app: TwoFactorApp & Pick<App, 'publicUrl'>,
  code: string,
  request: FastifyRequest,
): Promise<void> => withCode(app, code, request, (tx, actor) => switchOff(app, tx, request.session, actor));

/** For operators, if the user has lost the app and the recovery codes. */
export const disableTwoFactorOf = (app: TwoFactorApp, person: Person, actor: Actor): Promise<void> =>
  app.db.transaction().execute((tx) => switchOff(app, tx, person, actor));

async function switchOff(app: TwoFactorApp, tx: Db, { userId, email }: Person, actor: Actor) {
  if (!(await deleteTwoFactor(tx, userId))) throw new Problem('two_factor_off');
  await recordAudit(app, tx, { userId, event: 'two_factor_disabled', actor });
  const data = { at: app.clock.now().toISOString(), byOperator: actor.kind === 'operator' };
  await queueMail(app, tx, { to: email, kind: 'two_factor_disabled', data });
}

/** Replaces the recovery codes. Requires a code, because a new recovery code could disable two-factor sign-in. */
export function replaceRecoveryCodes(
  app: TwoFactorApp & Pick<App, 'publicUrl'>,
  code: string,
  request: FastifyRequest,
): Promise<string[]> {
  const { userId, email } = request.session;
  return withCode(app, code, request, async (tx, actor) => {
    await recordAudit(app, tx, { userId, event: 'recovery_codes_replaced', actor });
    await queueMail(app, tx, { to: email, kind: 'recovery_codes_replaced', data: changeNotice(app, request) });
    return makeRecoveryCodes(tx, userId);
  });
}

/** For changes that require more than a session and the password. Without two-factor sign-in, no code is needed. */
export async function requireCodeIfOn(
  app: TwoFactorApp & Pick<App, 'publicUrl'>,
  code: string | undefined,
  request: FastifyRequest,
): Promise<void> {
  const { userId } = request.session;
  if (!(await hasTwoFactor(app.db, userId))) return;
  if (code === undefined) throw new Problem('two_factor_code_required');
  const giveBack = await countCodeCheck(app, userId);
  await withCode(app, code, request, async () => {});
  await giveBack();
}

/**
 * Runs `work` if the code is correct. A wrong code is counted, so the transaction commits before the error is thrown.
 */
async function withCode<T>(
  app: TwoFactorApp & Pick<App, 'publicUrl'>,
  code: string,
  request: FastifyRequest,
  work: (tx: Db, actor: Actor) => Promise<T>,
): Promise<T> {
  const { session } = request;
  const done = await inLiveSession(app, session, async (tx) => {
    if (!(await hasTwoFactor(tx, session.userId))) throw new Problem('two_factor_off');
    const used = await useCode(app, tx, session, code, { request, isKnown: true });
    return used && { result: await work(tx, userActor(session.userId, request)) };
  });
  if (!done) throw new Problem('two_factor_code_invalid');
  return done.result;
}

/**
 * Consumes a code from the app or a recovery code. Null if the code is wrong or was already used; it counts as wrong
 * when the transaction commits. Recovery codes are never rejected because of earlier wrong codes: they cannot be
 * guessed.
 */
export async function useCode(
  app: TwoFactorApp & Pick<App, 'publicUrl'>,
  tx: Db,
  person: Person,
  code: string,
  { request, isKnown }: { request: FastifyRequest; isKnown: boolean },
): Promise<'app' | 'recovery' | null> {
  const { userId } = person;
  const found = await lockTwoFactor(tx, userId);
  if (!found?.confirmedAt) return null;
  if (isAppCode(code) && !isKnown) requireNoWait(app, found.codesRefusedUntil);
  const isApp = await useAppCode(app, tx, userId, found.secret, code);
  if (!isApp && !(await useRecoveryCode(app, tx, userId, code, request))) {
    await countWrongCode(app, tx, person, request);
    return null;
  }
  await clearWrongCodes(tx, userId);
  return isApp ? 'app' : 'recovery';
}

const digitsOf = (code: string) => code.replaceAll(' ', '');
const isAppCode = (code: string) => /^\d{6}$/.test(digitsOf(code));

async function useAppCode({ clock, sealingKeys }: TwoFactorApp, tx: Db, userId: string, sealed: string, code: string) {
  if (!isAppCode(code)) return false;
  const secret = fromBase32(unseal(sealed, twoFactorContext(userId), sealingKeys));
  const step = matchingStep(secret, digitsOf(code), clock.now());
  return step !== null && claimStep(tx, userId, step);
}

async function useRecoveryCode(app: TwoFactorApp, tx: Db, userId: string, code: string, request: FastifyRequest) {
  if (!(await deleteCode(tx, userId, recoveryHash(code)))) return false;
  const details = { left: await countCodes(tx, userId) };
  await recordAudit(app, tx, { userId, event: 'recovery_code_used', actor: userActor(userId, request), details });
  return true;
}

const recoveryCodeCount = 10;

async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, recoveryCode);
  await replaceCodes(tx, userId, codes.map(recoveryHash));
  return codes;
}

/** Four groups of four letters and digits: 80 random bits, too many to recover from the hash. */
const recoveryCode = () => (toBase32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-');

/** Users may type capitals, and spaces instead of hyphens. */
const recoveryHash = (code: string) => createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
