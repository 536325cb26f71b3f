import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { queueMail } from '../../mail/mails.ts';
import { changeNotice } from '../sessions/devices.ts';
import { addWrongCode, updateCodesRefused } from '../two-factor/queries.ts';

/**
 * Three of a million six-digit codes are valid at any time, so few guesses are allowed. `account` is the number of
 * wrong codes strangers get before they must wait; `knownPerHour` is the number for a device or address where the
 * account signed in before.
 */
export const wrongCodeLimits = {
  account: 10,
  firstWaitSeconds: 3600,
  maxWaitSeconds: 86_400,
  knownPerHour: 10,
  mailFrom: 5,
};

/**
 * Rejects codes during the wait that follows wrong ones. The owner can still sign in from a known place, with a
 * recovery code or a passkey, or set a new password, which ends the wait.
 */
export function requireNoWait({ clock }: Pick<App, 'clock'>, refusedUntil: Date | null) {
  const waitMs = (refusedUntil?.getTime() ?? 0) - clock.now().getTime();
  if (waitMs > 0) throw new Problem('two_factor_codes_limited', { retryAfterSec: Math.ceil(waitMs / 1000) });
}

/**
 * Call it under the lock of `lockTwoFactor`, in a transaction that commits. The wait doubles with each further wrong
 * code. The owner gets a mail, because someone knows the password.
 */
export async function countWrongCode(
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>,
  tx: Db,
  { userId, email }: { userId: string; email: string },
  request: FastifyRequest,
) {
  const wrong = await addWrongCode(tx, userId);
  const { account, firstWaitSeconds, maxWaitSeconds, mailFrom } = wrongCodeLimits;
  if (wrong >= account) {
    const seconds = Math.min(firstWaitSeconds * 2 ** (wrong - account), maxWaitSeconds);
    await updateCodesRefused(tx, userId, new Date(app.clock.now().getTime() + seconds * 1000));
  }
  if (wrong >= mailFrom) {
    const data = changeNotice(app, request);
    const once = `wrong_codes ${userId} ${data.at.slice(0, 10)}`;
    await queueMail(app, tx, { to: email, kind: 'wrong_codes', data, once });
  }
}
