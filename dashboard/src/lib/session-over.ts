import { useSyncExternalStore } from 'react';

/** A session can end while pages are open: because of another device, or of its age. The first refused request shows it. */
let isOver = false;
const listeners = new Set<() => void>();

export const useSessionOver = (): boolean => useSyncExternalStore(subscribe, () => isOver);

export function setSessionOver(next: boolean) {
  if (next === isOver) return;
  isOver = next;
  for (const listener of listeners) listener();
}

/** Calls back when the person has signed in again. Returns what ends it. */
export const onSignedInAgain = (listener: () => void) => subscribe(() => !isOver && listener());

/** Looks at an answer of the service: it may say that no one is signed in. */
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
