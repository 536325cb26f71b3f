import { useSyncExternalStore } from 'react';

/** A session can end while pages are open: signed out from another device, or expired. The first rejected request reveals it. */
let isOver = false;
const listeners = new Set<() => void>();

export const useSessionOver = (): boolean => useSyncExternalStore(subscribe, () => isOver);

export function setSessionOver(next: boolean) {
  if (next === isOver) return;
  isOver = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` when the user has signed in again. Returns the unsubscribe function. */
export const onSignedInAgain = (listener: () => void) => subscribe(() => !isOver && listener());

/** Detects responses that mean the session has ended. */
export async function noticeSignedOut(response: Response) {
  if (response.status !== 401) return;
  const { code } = Object(
    await response
      .clone()
      .json()
      .catch(() => null),
  );
  if (code === 'SESSION_REQUIRED' || code === 'API_KEY_REQUIRED') setSessionOver(true);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
