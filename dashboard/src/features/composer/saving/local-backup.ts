import type { Draft } from '../draft.ts';
import { readDraft } from './stored-draft.ts';

/** Local backups of unsaved changes, so that a lost connection or closed tab loses nothing. */

const prefix = 'crier:unsaved:';
const keyOf = (userId: string, identity: string) => `${prefix}${userId}:${identity}`;

/** `identity` is the ID of the post or draft, or empty for a new one. */
export function keepBackup(userId: string, identity: string, draft: Draft) {
  try {
    localStorage.setItem(keyOf(userId, identity), JSON.stringify(draft));
  } catch {
    // Storage is full or disabled. The page still shows that the draft isn't saved.
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
    // Without storage there is no backup.
  }
}
