import { availableParallelism } from 'node:os';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { requireStrongPassword } from './weak-password.ts';

/** Loaded on demand, like the rest of better-auth. */
const loadHashing = () => import('better-auth/crypto');

/**
 * Hashes a newly chosen password. Takes 100 ms on purpose, in the turn of `caller` instead of `email`, because a
 * caller can use any email.
 */
export async function hashNewPassword(password: string, email: string, caller: string): Promise<string> {
  await requireStrongPassword(password, email);
  const { hashPassword } = await loadHashing();
  return inPasswordTurn(caller, () => hashPassword(password));
}

export async function isPassword(hash: string, password: string): Promise<boolean> {
  const { verifyPassword } = await loadHashing();
  return inPasswordTurn(hash, () => verifyPassword({ hash, password }));
}

/** Leaves one processor free for all other requests. */
const turns = createFairTurns({ places: Math.max(1, availableParallelism() - 1), perOwner: 1 });

/** A caller who tries many wrong passwords keeps a processor busy only part of the time. */
const restAfterWrongMs = 400;

/**
 * Hashing a password occupies a processor for 100 ms on purpose. A caller who tries many passwords waits for their
 * own turns, without delaying other sign-ins or requests. `owner` is an account or the address of the caller, where
 * an IPv6 network counts as one caller.
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
