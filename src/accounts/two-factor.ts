import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { userActor } from '../audit/actors.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import type { Db } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { hasTwoFactor } from '../http/queries.ts';
import type { CurrentSession } from '../http/session.ts';
import { fromBase32, toBase32 } from '../lib/base32.ts';
import { seal, twoFactorContext, unseal } from '../lib/seal.ts';
import { matchingStep, totpUri } from '../lib/totp.ts';
import { queueMail } from '../mail/mails.ts';
import { changeNotice } from './devices.ts';
import { endSessions, inLiveSession } from './sessions.ts';
import {
  claimStep,
  confirmSecret,
  countCodes,
  deleteCode,
  deleteTwoFactor,
  lockTwoFactor,
  replaceCodes,
  upsertSecret,
} from './two-factor-queries.ts';

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys'>;
type NeedsToNotify = Needs & Pick<App, 'publicUrl'>;

/** How long a secret waits for its first code. */
const secretMs = 900_000;

export async function readTwoFactor({ db }: Pick<App, 'db'>, userId: string) {
  const [enabled, recoveryCodesLeft] = await Promise.all([hasTwoFactor(db, userId), countCodes(db, userId)]);
  return { enabled, recoveryCodesLeft };
}

/** Makes the secret for an authenticator app. Nothing changes until its first code is confirmed. */
export async function startTwoFactor(app: Needs, session: CurrentSession) {
  const { userId, email } = session;
  const secret = toBase32(randomBytes(20));
  const sealed = seal(secret, twoFactorContext(userId), app.sealingKeys);
  const isStored = await inLiveSession(app, session, (tx) => upsertSecret(tx, userId, sealed, app.clock.now()));
  if (!isStored) throw new Problem('two_factor_on');
  return { secret, uri: totpUri(secret, { issuer: 'Crier', account: email }) };
}

/**
 * Switches two-factor sign-in on and makes the recovery codes, which are shown this once. Other sessions end, because they began
 * with the password alone. The user gets a mail: if it was a thief, the password no longer signs its owner in.
 */
export function confirmTwoFactor(app: NeedsToNotify, code: string, request: FastifyRequest): Promise<string[]> {
  const { userId, sessionId, email } = request.session;
  // A sign-in that runs meanwhile waits for the lock on the user, and then needs a code.
  return inLiveSession(app, request.session, async (tx) => {
    const [now, actor] = [app.clock.now(), userActor(userId, request)];
    const found = await lockTwoFactor(tx, userId);
    if (found?.confirmedAt) throw new Problem('two_factor_on');
    if (!found || now.getTime() - found.createdAt.getTime() >= secretMs) throw new Problem('two_factor_not_started');
    if (!(await useAppCode(app, tx, userId, found.secret, code))) throw new Problem('two_factor_code_invalid');
    await confirmSecret(tx, userId, now);
    await recordAudit(app, tx, { userId, event: 'two_factor_enabled', actor });
    await endSessions(app, tx, userId, sessionId, actor);
    await queueMail(app, tx, { to: email, kind: 'two_factor_enabled', data: changeNotice(app, request) });
    return makeRecoveryCodes(tx, userId);
  });
}

/** With a code of the app or a recovery code. */
export function disableTwoFactor(app: Needs, code: string, request: FastifyRequest): Promise<void> {
  const { session } = request;
  const actor = userActor(session.userId, request);
  return inLiveSession(app, session, async (tx) => {
    await requireCode(app, tx, session.userId, code, actor);
    await switchOff(app, tx, session, actor);
  });
}

interface Person {
  userId: string;
  email: string;
}

/** By an operator, if the user has lost the app and the recovery codes. */
export const disableTwoFactorOf = (app: Needs, person: Person, actor: Actor): Promise<void> =>
  app.db.transaction().execute((tx) => switchOff(app, tx, person, actor));

async function switchOff(app: Needs, tx: Db, { userId, email }: Person, actor: Actor) {
  if (!(await deleteTwoFactor(tx, userId))) throw new Problem('two_factor_off');
  await recordAudit(app, tx, { userId, event: 'two_factor_disabled', actor });
  const data = { at: app.clock.now().toISOString(), byOperator: actor.kind === 'operator' };
  await queueMail(app, tx, { to: email, kind: 'two_factor_disabled', data });
}

/** Makes new recovery codes. The earlier ones end. It takes a code, because a new one could switch two-factor sign-in off. */
export function replaceRecoveryCodes(app: NeedsToNotify, code: string, request: FastifyRequest): Promise<string[]> {
  const { userId, email } = request.session;
  const actor = userActor(userId, request);
  return inLiveSession(app, request.session, async (tx) => {
    await requireCode(app, tx, userId, code, actor);
    await recordAudit(app, tx, { userId, event: 'recovery_codes_replaced', actor });
    await queueMail(app, tx, { to: email, kind: 'recovery_codes_replaced', data: changeNotice(app, request) });
    return makeRecoveryCodes(tx, userId);
  });
}

async function requireCode(app: Needs, tx: Db, userId: string, code: string, actor: Actor) {
  const found = await lockTwoFactor(tx, userId);
  if (!found?.confirmedAt) throw new Problem('two_factor_off');
  if (!(await useCode(app, tx, userId, code, actor))) throw new Problem('two_factor_code_invalid');
}

/** Uses up a code of the app or a recovery code. Null: the code is wrong, or it was used before. */
export async function useCode(
  app: Needs,
  tx: Db,
  userId: string,
  code: string,
  actor: Actor,
): Promise<'app' | 'recovery' | null> {
  const found = await lockTwoFactor(tx, userId);
  if (!found?.confirmedAt) return null;
  if (await useAppCode(app, tx, userId, found.secret, code)) return 'app';
  if (!(await deleteCode(tx, userId, recoveryHash(code)))) return null;
  const details = { left: await countCodes(tx, userId) };
  await recordAudit(app, tx, { userId, event: 'recovery_code_used', actor, details });
  return 'recovery';
}

async function useAppCode({ clock, sealingKeys }: Needs, tx: Db, userId: string, sealed: string, code: string) {
  const digits = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(digits)) return false;
  const secret = fromBase32(unseal(sealed, twoFactorContext(userId), sealingKeys));
  const step = matchingStep(secret, digits, clock.now());
  return step !== null && claimStep(tx, userId, step);
}

const recoveryCodeCount = 10;

async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, recoveryCode);
  await replaceCodes(tx, userId, codes.map(recoveryHash));
  return codes;
}

/** Four groups of four letters and digits: 80 random bits, too many to find from the hash. */
const recoveryCode = () => (toBase32(randomBytes(10)).toLowerCase().match(/.{4}/g) ?? []).join('-');

/** People may type capitals, and spaces in place of hyphens. */
const recoveryHash = (code: string) => createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
