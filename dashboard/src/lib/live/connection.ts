import { useSyncExternalStore } from 'react';
import { noticeSignedOut } from '../session-over.ts';

/** `live`: server events arrive in real time. `offline`: the service is unreachable. */
export type Connection = 'connecting' | 'live' | 'offline';

let connection: Connection = 'connecting';
const listeners = new Set<(next: Connection, before: Connection) => void>();

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => onConnection(listener),
    () => connection,
  );

/** Calls `listener` when the service is, or may be, reachable again. Returns the unsubscribe function. */
export function onReconnect(listener: () => void): () => void {
  const stop = onConnection((_, before) => {
    if (before === 'offline') listener();
  });
  window.addEventListener('online', listener);
  return () => {
    stop();
    window.removeEventListener('online', listener);
  };
}

function onConnection(listener: (next: Connection, before: Connection) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setConnection(next: Connection) {
  const before = connection;
  if (next === before) return;
  connection = next;
  for (const listener of listeners) listener(next, before);
}

window.addEventListener('offline', () => setConnection('offline'));

/** `fetch` that updates the connection state from each response. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    const { pathname } = new URL(String(input), window.location.origin);
    if (response.ok && pathname.endsWith('/events')) setConnection('live');
    // A response that was in flight when the connection was lost doesn't mean it is back.
    else if (connection === 'offline' && navigator.onLine) setConnection('connecting');
    return await noticeSignedOut(response);
  } catch (error) {
    if (!init?.signal?.aborted) setConnection('offline');
    throw error;
  }
};
