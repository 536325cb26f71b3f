import { Problem } from '../../errors/index.ts';
import { createFairTurns, type Turn } from '../../lib/fair-turns.ts';
import { largeBodies, restMsPerCharacter } from './large-bodies.ts';

/** Of the stored texts, in UTF-8. */
export const longEditBytes = largeBodies.characters;

const turns = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 1 });

/**
 * An edit of a long post reads, measures and stores the whole text, however small its request is. So an owner makes
 * one such edit at a time, with the same rest as after a long text in a body. An edit whose client has gone while it
 * waited is not made.
 */
export async function takeLongEditTurn(ownerId: string, isGone: () => boolean): Promise<Turn | null> {
  if (turns.waiting(ownerId) >= largeBodies.maxWaiting) throw refusal();
  const turn = await turns.acquire(ownerId);
  if (!isGone()) return turn;
  turn?.[Symbol.dispose]();
  throw refusal();
}

export const restAfterEdit = (characters: number, rateFactor: number | null) =>
  characters * restMsPerCharacter(rateFactor);

const refusal = () => new Problem('rate_limit_exceeded', { retryAfterSec: 1 });
