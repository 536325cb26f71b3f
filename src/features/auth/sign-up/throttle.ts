import { createHash } from 'node:crypto';
import type { App } from '../../../app.ts';
import { windowAt } from '../../../foundation/http/rate-limits/counters.ts';
import { addToRateCounters } from '../../../foundation/http/rate-limits/queries.ts';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';

/** Mails that sign-ups with one address cause in an hour. Beyond `address`, one in each turn. */
export const signUpMailLimits = { addressAndNetwork: 5, address: 10, windowSeconds: 3600, turnSeconds: 600 };

/**
 * Whether a sign-up may send one more mail to its address. It does not ask whether the address has an account, so it tells nobody.
 *
 * Strangers at one network cannot use up what the owner of the address needs: they count apart. Strangers at many networks slow
 * the mails down and do not stop them. Then the owner has mails with links that work, and any of them is as good as the own one,
 * because the password is chosen behind the link.
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
  // One after the other: what is refused here does not count there.
  if (!(await isWithin(`sign-up mail ${address} ${callerNetwork(ip)}`, addressAndNetwork))) return false;
  if (await isWithin(`sign-up mail ${address}`, toAddress)) return true;
  return isWithin(`sign-up mail turn ${address}`, 1, turnSeconds);
}
