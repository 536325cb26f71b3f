import type { Draft } from '../draft.ts';
import { readDraft } from './stored-draft.ts';

/** What is not on the server yet, kept in this browser: a lost connection or a closed tab loses nothing. */

const prefix = 'crier:unsaved:';

/** `identity` is the id of the post or the draft, or empty for a new one. */
export function keepBackup(identity: string, draft: Draft) {
  try {
    localStorage.setItem(prefix + identity, JSON.stringify(draft));
  } catch {
    // The storage is full or switched off. The page still says that the draft is not saved.
  }
}

export function readBackup(identity: string): Draft | null {
  try {
    return readDraft(JSON.parse(localStorage.getItem(prefix + identity) ?? 'null'));
  } catch {
    return null;
  }
}

export function removeBackup(identity: string) {
  try {
    localStorage.removeItem(prefix + identity);
  } catch {
    // There is none if there is no storage.
  }
}
