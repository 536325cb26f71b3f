import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { offsetOf, type Page, paginationOf } from '../../foundation/http/pages.ts';
import type { Server } from '../../foundation/http/server.ts';
import { isId } from '../../foundation/lib/ids.ts';
import { shorten } from '../../foundation/text/shorten.ts';
import type { Actor } from '../audit/audit-entry.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { bodyLimits, loggedBody, noteBodies } from './logged-bodies.ts';
import { requestHeaders, responseHeaders, withoutSecrets } from './logged-headers.ts';
import {
  type CallFilter,
  type DetailedCall,
  deleteOldBodies,
  deleteSomeCalls,
  findCall,
  insertBodies,
  insertCalls,
  selectBodiesUntil,
  selectCalls,
  updateBodiesUntil,
  usersWithMoreCalls,
} from './queries.ts';

/** The number of calls kept per user. */
export const keptCalls = 1_000;
/** The pruning threshold. Higher than `keptCalls`, so that a user with occasional calls is not pruned every minute. */
const prunedFrom = keptCalls * 1.2;
const pruneBatch = 1_000;

const flushMs = 1_000;
/** About 20 MB. A process that cannot write this many in a second drops the rest. */
const maxWaiting = 10_000;
const flushBatch = 2_000;

const prefix = '/api/v1';
const maxClientLength = 50;
const maxTextLength = 500;

declare module 'fastify' {
  interface FastifyRequest {
    /** How long the request took until its handler ran. */
    waitedMs?: number;
  }
}

/** Stores the calls that this process has answered so far. */
export type FlushCalls = () => Promise<void>;

/**
 * Logs the calls made with each API key. Calls are buffered in memory and flushed every second, so that they add no
 * latency to requests. A crash or a database outage loses the last second.
 */
export function logCalls(server: Server, app: Pick<App, 'db' | 'clock' | 'newId' | 'log'>): FlushCalls {
  const waiting: DetailedCall[] = [];
  let waitingBodies = 0;
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
      await storeCalls(batch).catch((err) =>
        app.log.warn({ err, calls: batch.length }, 'API calls could not be logged'),
      );
    }
  }

  async function storeCalls(batch: DetailedCall[]) {
    const withBodies = batch.filter((call) => lengthOf(call) > 0);
    for (const call of withBodies) waitingBodies -= lengthOf(call);
    await insertCalls(app.db, batch);
    if (withBodies.length > 0) await insertBodies(app.db, withBodies, bodyLimits.perUser);
  }

  noteBodies(server, app);
  server.addHook('preHandler', (request, reply, done) => {
    request.waitedMs = reply.elapsedTime;
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    done();
    if (waiting.length >= maxWaiting) return;
    const call = callOf(app, request, reply);
    if (!call) return;
    if (waitingBodies < bodyLimits.waiting) {
      call.requestBody = loggedBody(request.loggedRequestBody);
      call.responseBody = loggedBody(request.loggedResponseBody);
      waitingBodies += lengthOf(call);
    }
    waiting.push(call);
    flushSoon();
  });
  /** A flush that is running may have started before the last calls. */
  async function flushAll() {
    await running;
    if (waiting.length > 0) await flush();
  }
  server.addHook('onClose', async () => {
    await flushAll();
    clearTimeout(timer);
  });
  return flushAll;
}

const lengthOf = ({ requestBody, responseBody }: DetailedCall) =>
  (requestBody?.length ?? 0) + (responseBody?.length ?? 0);

/** Null if the call was not made with a key. Contains the pattern of the route, because a URL can contain anything. */
function callOf(
  { clock, newId }: Pick<App, 'clock' | 'newId'>,
  request: FastifyRequest,
  reply: FastifyReply,
): DetailedCall | null {
  const { keyHolder, who, method, id: requestId, routeOptions, problem, problemHint } = request;
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
    requestHeaders: requestHeaders(request),
    responseHeaders: responseHeaders(reply),
    error: problem ? shownText(String(problem.body.error)) : null,
    hint: problemHint ? shownText(problemHint) : null,
    waitedMs: request.waitedMs === undefined ? null : Math.round(request.waitedMs),
    requestBody: null,
    responseBody: null,
  };
}

const shownText = (text: string) => shorten(withoutSecrets(text), maxTextLength);

/** A page of the newest calls, newest first, and what the filters can be. */
export async function listCalls(
  { db }: Pick<App, 'db'>,
  userId: string,
  { page, limit, ...filter }: CallFilter & Page,
) {
  const wanted = { ...filter, userId, newest: keptCalls, limit, offset: offsetOf({ page, limit }) };
  const { total, ...found } = await selectCalls(db, wanted);
  return { ...found, pagination: paginationOf({ page, limit }, total) };
}

/** Until when bodies of calls with the user's own keys are stored. Null: they are not. */
export async function bodiesUntil({ db, clock }: Pick<App, 'db' | 'clock'>, userId: string): Promise<Date | null> {
  const until = await selectBodiesUntil(db, userId);
  return until && until > clock.now() ? until : null;
}

/** Stores bodies for an hour from now, or stops. Those that are stored already stay for a day. */
export async function storeBodies(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  tx: Db,
  userId: string,
  isOn: boolean,
  actor: Actor,
) {
  const until = isOn ? new Date(app.clock.now().getTime() + bodyLimits.storingMs) : null;
  await updateBodiesUntil(tx, userId, until);
  await recordAudit(app, tx, { userId, event: isOn ? 'request_bodies_on' : 'request_bodies_off', actor });
  return until;
}

/** Deletes the bodies that were stored more than a day ago. */
export const pruneBodies = ({ db, clock }: Pick<App, 'db' | 'clock'>) =>
  deleteOldBodies(db, new Date(clock.now().getTime() - bodyLimits.keptMs));

export async function readCall({ db }: Pick<App, 'db'>, userId: string, id: string): Promise<DetailedCall> {
  const call = isId(id) ? await findCall(db, userId, id) : null;
  if (!call) throw new Problem('logged_request_not_found');
  return call;
}

/** Prunes users with too many calls, a small batch at a time. Does not read the calls of other users. */
export async function pruneCalls({ db }: Pick<App, 'db'>, signal: AbortSignal) {
  for (const userId of await usersWithMoreCalls(db, prunedFrom)) {
    let deleted = pruneBatch;
    while (deleted === pruneBatch && !signal.aborted)
      deleted = await deleteSomeCalls(db, userId, keptCalls, pruneBatch);
  }
}
