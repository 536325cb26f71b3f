import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { windowAt } from '../../../foundation/http/rate-limits/counters.ts';
import { addToRateCounters } from '../../../foundation/http/rate-limits/queries.ts';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';
import { deviceHashOf } from '../sessions/devices.ts';
import { selectAcquaintance } from '../sessions/devices-queries.ts';
import { wrongCodeLimits } from './wrong-codes.ts';

/** Failed sign-ins per ten minutes. Above `account`, strangers get one attempt every ten seconds. */
export const signInLimits = { accountAndAddress: 20, address: 100, account: 50, windowSeconds: 600, turnSeconds: 10 };

/** Uncounts an attempt that turned out to be correct. */
export type GiveBack = () => Promise<void>;

/**
 * Counts a sign-in attempt before it is made, so that concurrent attempts cannot exceed a limit. Throws if a limit is
 * exceeded. Does not check whether the account exists, so the response does not reveal it.
 *
 * No one can lock out the owner: attempts with the device cookie of an earlier sign-in, and attempts from an address
 * where the account signed in before, are counted separately. Strangers have three limits: by account and address, by
 * address over all accounts, and by account over all addresses. The last one slows down instead of locking: an owner
 * in a new place can sign in at the next turn. An attempt without a turn also counts for its address, so a flood of
 * them ends soon.
 */
export async function countSignIn(
  app: Pick<App, 'db' | 'clock' | 'publicUrl'>,
  email: string,
  request: FastifyRequest,
): Promise<GiveBack> {
  const caller = await callerOf(app, email, request);
  if (caller.known === null) return countStranger(app, caller);
  return count(app, [[`sign-in ${caller.known}`, signInLimits.accountAndAddress]]);
}

/**
 * Counts a code that follows a correct password. Codes from strangers count like sign-ins, and the account counts the
 * wrong codes of all strangers together: see `wrong-codes.ts`.
 */
export async function countSignInCode(
  app: Pick<App, 'db' | 'clock' | 'publicUrl'>,
  email: string,
  request: FastifyRequest,
): Promise<{ giveBack: GiveBack; isKnown: boolean }> {
  const caller = await callerOf(app, email, request);
  if (caller.known === null) return { giveBack: await countStranger(app, caller), isKnown: false };
  return { giveBack: await countCode(app, caller.known), isKnown: true };
}

interface Caller {
  account: string;
  address: string;
  /** The device or address that is counted separately from strangers. Null for a stranger. */
  known: string | null;
}

async function callerOf(
  app: Pick<App, 'db' | 'clock' | 'publicUrl'>,
  email: string,
  request: FastifyRequest,
): Promise<Caller> {
  const account = createHash('sha256').update(email).digest('hex').slice(0, 32);
  const address = callerNetwork(request.ip);
  const device = deviceHashOf(app, request);
  const { byDevice, byAddress } = await selectAcquaintance(app.db, { email, address, tokenHash: device });
  const byAddressOnly = byAddress ? `known ${account} ${address}` : null;
  return { account, address, known: byDevice ? `device ${account} ${device?.toString('hex')}` : byAddressOnly };
}

async function countStranger(app: Pick<App, 'db' | 'clock'>, { account, address }: Caller): Promise<GiveBack> {
  const giveBack = await count(app, [
    [`sign-in ${account} ${address}`, signInLimits.accountAndAddress],
    [`sign-in address ${address}`, signInLimits.address],
  ]);
  const giveBackTurn = await countForAccount(app, account);
  return async () => void (await Promise.all([giveBack(), giveBackTurn()]));
}

type Limit = readonly [name: string, limit: number];

/** Counts in every window, including those that are not full. */
async function count(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  limits: readonly Limit[],
  seconds = signInLimits.windowSeconds,
) {
  const windows = limits.map(([name, limit]) => ({ limit, ...windowAt(name, seconds, clock) }));
  const totals = await add(db, windows, 1);
  const isFull = windows.some(({ limit }, index) => (totals[index] ?? 0) > limit);
  if (isFull) throw new Problem('too_many_requests', { retryAfterSec: windows[0]?.endsInSeconds });
  return async () => void (await add(db, windows, -1));
}

async function countForAccount(app: Pick<App, 'db' | 'clock'>, account: string): Promise<GiveBack> {
  const window = windowAt(`sign-in account ${account}`, signInLimits.windowSeconds, app.clock);
  const [total = 0] = await add(app.db, [window], 1);
  if (total > signInLimits.account) await count(app, [[`sign-in turn ${account}`, 1]], signInLimits.turnSeconds);
  return async () => void (await add(app.db, [window], -1));
}

const add = (db: App['db'], windows: readonly { name: string; start: Date }[], used: number) =>
  addToRateCounters(
    db,
    windows.map(({ name, start }) => ({ name, start, used })),
  );

/** Limits how often a signed-in user can guess their own password, for example a stranger at an unlocked screen. */
export const countPasswordCheck = (app: Pick<App, 'db' | 'clock'>, userId: string): Promise<GiveBack> =>
  count(app, [[`password ${userId}`, signInLimits.accountAndAddress]]);

/** The same limit for codes. */
export const countCodeCheck = (app: Pick<App, 'db' | 'clock'>, userId: string): Promise<GiveBack> =>
  countCode(app, userId);

const countCode = (app: Pick<App, 'db' | 'clock'>, who: string): Promise<GiveBack> =>
  count(app, [[`code ${who}`, wrongCodeLimits.knownPerHour]], 3600);

/** Limits sign-ins without an account name, by address. */
export const countPasskeySignIn = (app: Pick<App, 'db' | 'clock'>, { ip }: FastifyRequest): Promise<GiveBack> =>
  count(app, [[`sign-in address ${callerNetwork(ip)}`, signInLimits.address]]);

/** True at most once a minute for each account, so that an attack does not fill the audit log. */
export async function isFirstFailureOfMinute(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
): Promise<boolean> {
  const [total] = await add(db, [windowAt(`sign-in failed ${userId}`, 60, clock)], 1);
  return total === 1;
}
