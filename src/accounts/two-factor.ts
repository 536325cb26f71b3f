import { createHash, randomBytes } from 'node:crypto';
import type { App } from '../app.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import type { Db } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { hasTwoFactor } from '../http/queries.ts';
import { fromBase32, toBase32 } from '../lib/base32.ts';
import { seal, twoFactorContext, unseal } from '../lib/seal.ts';
import { matchingStep, totpUri } from '../lib/totp.ts';
import { queueMail } from '../mail/mails.ts';
import { lockUser } from './queries.ts';
import { endSessions } from './sessions.ts';
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

interface Person {
  userId: string;
  email: string;
}

export async function readTwoFactor({ db }: Pick<App, 'db'>, userId: string) {
  const [enabled, recoveryCodesLeft] = await Promise.all([hasTwoFactor(db, userId), countCodes(db, userId)]);
  return { enabled, recoveryCodesLeft };
}

/** Makes the secret for an authenticator app. Nothing changes until its first code is confirmed. */
export async function startTwoFactor({ db, clock, sealingKeys }: Needs, user: Person) {
  const secret = toBase32(randomBytes(20));
  const sealed = seal(secret, twoFactorContext(user.userId), sealingKeys);
  if (!(await upsertSecret(db, user.userId, sealed, clock.now()))) throw new Problem('two_factor_on');
  return { secret, uri: totpUri(secret, { issuer: 'Crier', account: user.email }) };
}

/**
 * Switches two-factor sign-in on and makes the recovery codes, which are shown this once. Other sessions end, because they began
 * with the password alone.
 */
export function confirmTwoFactor(
  app: Needs,
  { userId, sessionId }: { userId: string; sessionId: string | null },
  code: string,
  actor: Actor,
): Promise<string[]> {
  return app.db.transaction().execute(async (tx) => {
    // A sign-in that runs meanwhile waits, and then needs a code.
    await lockUser(tx, userId);
    const found = await lockTwoFactor(tx, userId);
    if (!found) throw new Problem('two_factor_not_started');
    if (found.confirmedAt) throw new Problem('two_factor_on');
    if (!(await useAppCode(app, tx, userId, found.secret, code))) throw new Problem('two_factor_code_invalid');
    await confirmSecret(tx, userId, app.clock.now());
    await recordAudit(app, tx, { userId, event: 'two_factor_enabled', actor });
    await endSessions(app, tx, userId, sessionId, actor);
    return makeRecoveryCodes(tx, userId);
  });
}

/**
 * With a code of the app or a recovery code, or without one by an operator, if the user has lost both. The user gets a mail.
 */
export function disableTwoFactor(
  app: Needs,
  { userId, email }: Person,
  code: string | null,
  actor: Actor,
): Promise<void> {
  return app.db.transaction().execute(async (tx) => {
    if (code !== null) await requireCode(app, tx, userId, code, actor);
    if (!(await deleteTwoFactor(tx, userId))) throw new Problem('two_factor_off');
    await recordAudit(app, tx, { userId, event: 'two_factor_disabled', actor });
    const data = { at: app.clock.now().toISOString(), byOperator: actor.kind === 'operator' };
    await queueMail(app, tx, { to: email, kind: 'two_factor_disabled', data });
  });
}

/** Makes new recovery codes. The earlier ones end. It takes a code, because a new one could switch two-factor sign-in off. */
export function replaceRecoveryCodes(app: Needs, userId: string, code: string, actor: Actor): Promise<string[]> {
  return app.db.transaction().execute(async (tx) => {
    await requireCode(app, tx, userId, code, actor);
    await recordAudit(app, tx, { userId, event: 'recovery_codes_replaced', actor });
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
