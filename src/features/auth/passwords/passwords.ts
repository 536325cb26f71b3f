import { availableParallelism } from 'node:os';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { requireStrongPassword } from './weak-password.ts';

/** Loaded when it is needed, like the rest of better-auth. */
const loadHashing = () => import('better-auth/crypto');

/** The hash of a password that somebody chooses. Takes 100 ms on purpose, in the turn of `caller`: one can name any address. */
export async function hashNewPassword(password: string, email: string, caller: string): Promise<string> {
  await requireStrongPassword(password, email);
  const { hashPassword } = await loadHashing();
  return inPasswordTurn(caller, () => hashPassword(password));
}

export async function isPassword(hash: string, password: string): Promise<boolean> {
  const { verifyPassword } = await loadHashing();
  return inPasswordTurn(hash, () => verifyPassword({ hash, password }));
}

/** One processor stays free for everybody else. */
const turns = createFairTurns({ places: Math.max(1, availableParallelism() - 1), perOwner: 1 });

/** A caller who tries many wrong passwords keeps a processor busy for a part of the time only. */
const restAfterWrongMs = 400;

/**
 * Hashing a password takes a processor for 100 ms on purpose. So somebody who tries many passwords waits for the own ones, and
 * neither other sign-ins nor other requests wait for theirs. `owner` is the address of the caller, whose IPv6 network counts as
 * one caller, or an account.
 */
export async function inPasswordTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
  using turn = await turns.acquire(callerNetwork(owner));
  try {
    return await work();
  } catch (error) {
    if (turn) turn.restMs = restAfterWrongMs;
    throw error;
  }
}
