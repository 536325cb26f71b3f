import { createFairTurns } from '../../foundation/lib/fair-turns.ts';

const turns = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 2 });

/**
 * For work that locks a post or what its owner has. Such requests wait for each other, and each occupies a database
 * connection while it waits. So an owner makes few of them at a time, and the others wait without a connection.
 */
export async function inLockTurn<T>(ownerId: string, work: () => Promise<T>): Promise<T> {
  using _turn = await turns.acquire(ownerId);
  return await work();
}
