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

const lists = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 2 });

/** For lists of many short entries, which take time to write, although they have few characters. */
export async function listInTurn<T>(ownerId: string, read: () => Promise<T>, entriesIn: (found: T) => number) {
  using place = await lists.acquire(ownerId);
  const found = await read();
  if (place) place.restMs = restAfterList(entriesIn(found));
  return found;
}

const searches = createFairTurns({ places: 3, perOwner: 1 });

/** For reads that look through many rows, however few they find. The owner rests as long as the read took. */
export async function searchInTurn<T>(ownerId: string, search: () => Promise<T>): Promise<T> {
  using place = await searches.acquire(ownerId);
  const start = performance.now();
  try {
    return await search();
  } finally {
    if (place) place.restMs = performance.now() - start;
  }
}

/** Long enough for a list of this many entries to be written several times. */
const restAfterList = (entries: number) => (entries < 200 ? 0 : entries / 5);

/** No rest after an ordinary response. Reading and writing a text takes about a twentieth of the rest. */
const restAfter = (characters: number) => (characters < longCharacters ? 0 : characters / 5_000);
