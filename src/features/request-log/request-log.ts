import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { offsetOf, type Page, paginationOf } from '../../foundation/http/pages.ts';
import type { Server } from '../../foundation/http/server.ts';
import { deleteSomeCalls, insertCalls, type LoggedCall, selectCalls, usersWithMoreCalls } from './queries.ts';

/** The number of calls kept per user. */
export const keptCalls = 1_000;
/** The pruning threshold. Higher than `keptCalls`, so that a user with occasional calls is not pruned every minute. */
const prunedFrom = keptCalls * 1.2;
const pruneBatch = 1_000;

const flushMs = 1_000;
/** About 5 MB. A process that cannot write this many in a second drops the rest. */
const maxWaiting = 10_000;
const flushBatch = 2_000;

const prefix = '/api/v1';
const maxClientLength = 50;

/**
 * Logs the calls made with each API key. Calls are buffered in memory and flushed every second, so that they add no
 * latency to requests. A crash or a database outage loses the last second.
 */
export function logCalls(server: Server, app: Pick<App, 'db' | 'clock' | 'newId' | 'log'>) {
  const waiting: LoggedCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  function flushSoon() {
    timer ??= setTimeout(flush, flushMs).unref();
  }

  /** One flush at a time: a slow database gets larger batches, not more of them. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running ??= storeWaiting().finally(() => {
      running = null;
      if (waiting.length > 0) flushSoon();
    });
    return running;
  }

  async function storeWaiting() {
    for (let left = waiting.length; left > 0; left -= flushBatch) {
      const batch = waiting.splice(0, Math.min(left, flushBatch));
      await insertCalls(app.db, batch).catch((err) =>
        app.log.warn({ err, calls: batch.length }, 'API calls could not be logged'),
      );
    }
  }

  server.addHook('onResponse', (request, reply, done) => {
    done();
    if (waiting.length >= maxWaiting) return;
    const call = callOf(app, request, reply);
    if (!call) return;
    waiting.push(call);
    flushSoon();
  });
  server.addHook('onClose', async () => {
    await running;
    await flush();
    clearTimeout(timer);
  });
}

/** Null if the call was not made with a key. Contains the pattern of the route, because a URL can contain anything. */
function callOf(
  { clock, newId }: Pick<App, 'clock' | 'newId'>,
  request: FastifyRequest,
  reply: FastifyReply,
): LoggedCall | null {
  const { keyHolder, who, method, id: requestId, routeOptions, problem } = request;
  const { url = '' } = routeOptions;
  // An MCP tool call is logged as the call of the route that it makes.
  if (!keyHolder || !url.startsWith(prefix)) return null;
  return {
    ...keyHolder,
    id: newId(),
    actedFor: who?.userId ?? keyHolder.userId,
    at: clock.now(),
    method,
    path: url.slice(prefix.length).replace(/:(\w+)/g, '{$1}'),
    status: reply.statusCode,
    code: problem?.code ?? null,
    durationMs: Math.round(reply.elapsedTime),
    client: String(request.headers['x-service-client'] || 'api').slice(0, maxClientLength),
    requestId,
  };
}

/** A page of the newest calls, newest first. */
export async function listCalls(
  { db }: Pick<App, 'db'>,
  userId: string,
  { errors, ...page }: Page & { errors: boolean },
) {
  const wanted = { userId, onlyErrors: errors, newest: keptCalls, limit: page.limit, offset: offsetOf(page) };
  const { total, calls } = await selectCalls(db, wanted);
  return { calls, pagination: paginationOf(page, total) };
}

/** Prunes users with too many calls, a small batch at a time. Does not read the calls of other users. */
export async function pruneCalls({ db }: Pick<App, 'db'>, signal: AbortSignal) {
  for (const userId of await usersWithMoreCalls(db, prunedFrom)) {
    let deleted = pruneBatch;
    while (deleted === pruneBatch && !signal.aborted)
      deleted = await deleteSomeCalls(db, userId, keptCalls, pruneBatch);
  }
}
