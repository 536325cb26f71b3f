import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { crier } from './api.ts';
import { createInvalidator } from './invalidator.ts';
import { keys } from './query-keys.ts';
import { onSignedInAgain } from './session-over.ts';

type Connection = 'connecting' | 'live' | 'offline';

let connection: Connection = 'connecting';
const listeners = new Set<() => void>();

/** Whether what happens on the server shows up here at once. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}

function setConnection(next: Connection) {
  connection = next;
  for (const listener of listeners) listener();
}

/** Keeps one event stream open for this tab. Each event marks what it is about as out of date, so that it is read again. */
export function useLiveEvents() {
  const client = useQueryClient();
  useEffect(() => {
    const stopping = new AbortController();
    void follow(client, stopping.signal);
    return () => stopping.abort();
  }, [client]);
}

async function follow(client: QueryClient, signal: AbortSignal) {
  const invalidate = createInvalidator(client);
  let pauseMs = 1000;
  while (!signal.aborted) {
    try {
      for await (const { event, data } of crier.streamEvents({}, { signal })) {
        pauseMs = 1000;
        setConnection('live');
        if (event === 'reload') void client.invalidateQueries();
        invalidate(changedBy(event, data));
      }
    } catch {
      if (signal.aborted) return;
    }
    setConnection('offline');
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, 30_000);
  }
}

/** Ends early when the person signs in again. */
async function pause(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = onSignedInAgain(resolve);
  await promise;
  clearTimeout(timer);
  stop();
}

/** The queries whose answers an event has changed. */
function changedBy(event: string, data: object): readonly (readonly unknown[])[] {
  const { postGroupId, webhookId } = data as { postGroupId?: string; webhookId?: string };
  switch (event) {
    case 'post':
    case 'target':
    case 'comment':
      return [keys.posts, keys.post(postGroupId ?? ''), keys.account];
    case 'connection':
      return [keys.channels, keys.account];
    case 'media':
      return [keys.media, keys.post(postGroupId ?? '')];
    case 'webhook':
      return [keys.webhooks, keys.webhook(webhookId ?? '')];
    case 'draft':
      return [keys.drafts];
    case 'import':
      return [keys.posts];
    default:
      return [];
  }
}
