import type { Draft } from '../draft.ts';
import { readDraft } from './stored-draft.ts';

/** What is not on the server yet, kept in this browser for the person who wrote it: a lost connection or a closed tab loses nothing. */

const prefix = 'crier:unsaved:';
const keyOf = (userId: string, identity: string) => `${prefix}${userId}:${identity}`;

/** `identity` is the id of the post or the draft, or empty for a new one. */
export function keepBackup(userId: string, identity: string, draft: Draft) {
  try {
    localStorage.setItem(keyOf(userId, identity), JSON.stringify(draft));
  } catch {
    // The storage is full or switched off. The page still says that the draft is not saved.
  }
}

export function readBackup(userId: string, identity: string): Draft | null {
  try {
    return readDraft(JSON.parse(localStorage.getItem(keyOf(userId, identity)) ?? 'null'));
  } catch {
    return null;
  }
}

export function removeBackup(userId: string, identity: string) {
  try {
    localStorage.removeItem(keyOf(userId, identity));
  } catch {
    // There is none if there is no storage.
  }
}

/** Others use the same browser. What is kept for anyone else than this person goes; without one, everything does. */
export function removeBackupsOfOthers(userId?: string) {
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    for (const key of all) if (userId === undefined || !key.startsWith(keyOf(userId, ''))) localStorage.removeItem(key);
  } catch {
    // There is none if there is no storage.
  }
}
