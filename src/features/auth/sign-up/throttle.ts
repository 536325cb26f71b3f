import { createHash } from 'node:crypto';
import type { App } from '../../../app.ts';
import { windowAt } from '../../../foundation/http/rate-limits/counters.ts';
import { addToRateCounters } from '../../../foundation/http/rate-limits/queries.ts';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';

/** Mails per hour caused by sign-ups with one address. Above `address`, one per turn. */
export const signUpMailLimits = { addressAndNetwork: 5, address: 10, windowSeconds: 3600, turnSeconds: 600 };

/**
 * Whether a sign-up may send another mail to its address. Does not check whether the address has an account, so it
 * reveals nothing.
 *
 * Strangers on one network cannot use up the owner's mails, because networks are counted separately. Strangers on
 * many networks slow the mails down without stopping them. The owner then has mails with working links, and any of
 * them will do, because the password is chosen after opening the link.
 */
export async function mayMailSignUp(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  email: string,
  { ip }: { ip: string },
): Promise<boolean> {
  const { addressAndNetwork, address: toAddress, windowSeconds, turnSeconds } = signUpMailLimits;
  const address = createHash('sha256').update(email).digest('hex').slice(0, 32);
  const isWithin = async (name: string, limit: number, seconds = windowSeconds) => {
    const [used = 0] = await addToRateCounters(db, [{ ...windowAt(name, seconds, clock), used: 1 }]);
    return used <= limit;
  };
  // Check one after the other: a mail rejected here does not count there.
  if (!(await isWithin(`sign-up mail ${address} ${callerNetwork(ip)}`, addressAndNetwork))) return false;
  if (await isWithin(`sign-up mail ${address}`, toAddress)) return true;
  return isWithin(`sign-up mail turn ${address}`, 1, turnSeconds);
}
