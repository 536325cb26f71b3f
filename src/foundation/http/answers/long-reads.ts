import { createFairTurns } from '../../lib/fair-turns.ts';
import { requireFewLongAnswers } from './long-answers.ts';

/**
 * A page, a post or a log can hold megabytes of text, and reading it occupies a database connection. So owners take
 * turns, and a caller who requests a lot at the same time waits for their own turn.
 */
const turns = createFairTurns({ places: 6, perOwner: 2 });

/** Shorter responses are written in one go. */
export const longCharacters = 200_000;

export async function readInTurn<T>(
  ownerId: string,
  read: () => Promise<T>,
  charactersIn: (found: T) => number,
): Promise<T> {
  using place = await turns.acquire(ownerId);
  requireFewLongAnswers(ownerId);
  const found = await read();
  if (place) place.restMs = restAfter(charactersIn(found));
  return found;
}

/** No rest after an ordinary response. Reading and writing a text takes about a twentieth of the rest. */
const restAfter = (characters: number) => (characters < longCharacters ? 0 : characters / 5_000);
