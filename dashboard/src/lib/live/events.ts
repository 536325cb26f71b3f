import { type Query, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { crier } from '../api.ts';
import { ownAndBrands } from '../brands/own-and-brands.ts';
import { workspaceQuery } from '../brands/workspace.ts';
import { keys } from '../query-keys.ts';
import { onSignedInAgain } from '../session-over.ts';
import { createInvalidator } from './invalidator.ts';

/** Keeps one event stream open per tab, for the person and all brands. Each event invalidates the queries that it affects. */
export function useLiveEvents() {
  const client = useQueryClient();
  const { data: users, isPending } = useQuery(workspaceQuery);
  const hasBrands = users != null && users.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the first brand, the stream is another.
  useEffect(() => {
    if (isPending) return;
    const stopping = new AbortController();
    void follow(client, stopping.signal);
    return () => stopping.abort();
  }, [client, isPending, hasBrands]);
}

async function follow(client: QueryClient, signal: AbortSignal) {
  const invalidate = createInvalidator(client);
  for (let round = 0; !signal.aborted; round += 1) {
    // Events between two streams are unknown.
    if (round > 0) void client.invalidateQueries();
    const ending = new AbortController();
    const end = () => ending.abort();
    // The client backs off between attempts, but the browser knows when the network is back.
    window.addEventListener('online', end);
    try {
      const { userId, ...brands } = await ownAndBrands(client);
      for await (const { event, data } of crier.streamEvents(brands, {
        signal: AbortSignal.any([signal, ending.signal]),
        userId,
      })) {
        if (event === 'reload') void client.invalidateQueries();
        if (event === 'ready' && round === 0) refetchOlder(client);
        invalidate(changedBy(event, data));
      }
    } catch {
      if (!signal.aborted && !ending.signal.aborted) await pause(refusedMs);
    }
    window.removeEventListener('online', end);
  }
}

/**
 * The page was read before its stream began. What changed in between sends no event. A query that is still being read
 * may have read the state before the change, so it is read again afterwards.
 */
function refetchOlder(client: QueryClient) {
  const isLive = ({ queryKey: [kind] }: Query) => liveKinds.has(kind);
  for (const query of client.getQueryCache().findAll({ predicate: isLive })) {
    const { queryKey, state, promise } = query;
    const refetch = () => client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    if (state.data !== undefined) void refetch();
    else if (state.fetchStatus === 'fetching') promise?.then(refetch, () => {});
  }
}

const liveKinds = new Set<unknown>(
  ['post', 'connection', 'media', 'webhook', 'draft'].flatMap((event) => changedBy(event, {}).map(([kind]) => kind)),
);

/** After a rejection: the session has ended, or too many tabs are open. */
const refusedMs = 30_000;

/** Ends early when the user signs in again. */
async function pause(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = onSignedInAgain(resolve);
  await promise;
  clearTimeout(timer);
  stop();
}

/** The queries that an event affects. */
function changedBy(event: string, data: object): readonly (readonly unknown[])[] {
  const { postGroupId, webhookId } = data as { postGroupId?: string; webhookId?: string };
  switch (event) {
    case 'post':
      return [keys.posts, keys.attention, keys.post(postGroupId ?? ''), keys.labels, keys.account];
    case 'target':
    case 'comment':
      return [keys.posts, keys.attention, keys.post(postGroupId ?? ''), keys.account];
    case 'connection':
      // A reconnected channel decides which posts can be retried.
      return [keys.channels, keys.account, keys.attention];
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
