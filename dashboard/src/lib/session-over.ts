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

/**
 * Notices a response that means the session has ended. The page behind the dialog shows the error, too, so its words must be for
 * people: the API explains how programs send a key.
 */
export async function noticeSignedOut(response: Response): Promise<Response> {
  if (response.status !== 401) return response;
  const { code, requestId } = Object(
    await response
      .clone()
      .json()
      .catch(() => null),
  );
  if (code !== 'SESSION_REQUIRED' && code !== 'API_KEY_REQUIRED') return response;
  setSessionOver(true);
  return Response.json({ success: false, error: 'You’ve been signed out.', code, requestId }, { status: 401 });
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
