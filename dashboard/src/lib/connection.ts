import { useSyncExternalStore } from 'react';
import { noticeSignedOut } from './session-over.ts';

/** `live`: what happens on the server shows up here at once. `offline`: the service does not answer. */
export type Connection = 'connecting' | 'live' | 'offline';

let connection: Connection = 'connecting';
const listeners = new Set<(next: Connection, before: Connection) => void>();

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => onConnection(listener),
    () => connection,
  );

/** Calls `listener` when the service answers again. Returns what ends that. */
export const onBack = (listener: () => void): (() => void) =>
  onConnection((_, before) => {
    if (before === 'offline') listener();
  });

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

/** `fetch`, which notes with each answer how the connection is. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    const { pathname } = new URL(String(input), window.location.origin);
    if (response.ok && pathname.endsWith('/events')) setConnection('live');
    else if (connection === 'offline') setConnection('connecting');
    await noticeSignedOut(response);
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) setConnection('offline');
    throw error;
  }
};
