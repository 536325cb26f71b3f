import { getHeapStatistics } from 'node:v8';
import { Problem } from '../../errors/index.ts';

/** The texts of a response stay in memory until the client has read it, so an owner can have only a few at a time. */
const maxPerOwner = 4;
/** A text with characters beyond Latin-1 takes two bytes for each of its characters. */
const bytesPerCharacter = 2;
/** Of the memory of the process, for all responses together. */
const share = 1 / 4;
const graceMs = 5 * 60_000;
/** After the grace period, 100 kB a second. */
const charactersPerMs = 100;

/** The long responses that clients are reading. */
export function createHeldAnswers(maxBytes = share * getHeapStatistics().heap_size_limit) {
  const ofOwners = new Map<string, number>();
  const maxCharacters = maxBytes / bytesPerCharacter;
  let held = 0;

  /** Throws if the owner has too many long responses in progress. Call it before reading the texts of a long response. */
  function requireRoom(owner: string, characters = 0) {
    const count = ofOwners.get(owner) ?? 0;
    // An owner's first response may take the rest of the memory, further ones only half of it.
    const most = count === 0 ? maxCharacters : maxCharacters / 2;
    const isFull = held > 0 && held + characters > most;
    if (count >= maxPerOwner || isFull) throw new Problem('rate_limit_exceeded', { retryAfterSec: 1 });
  }

  return {
    requireRoom,
    /** Counts a response. Returns how long its client may take, and the function to call when it is read or given up. */
    hold(owner: string, characters: number): { mostMs: number; release(): void } {
      requireRoom(owner, characters);
      ofOwners.set(owner, (ofOwners.get(owner) ?? 0) + 1);
      held += characters;
      const release = () => {
        held -= characters;
        const left = ofOwners.get(owner)! - 1;
        if (left > 0) ofOwners.set(owner, left);
        else ofOwners.delete(owner);
      };
      return { mostMs: graceMs + characters / charactersPerMs, release };
    },
  };
}
