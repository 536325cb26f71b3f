import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, html, json } from './answer.ts';
import { type Body, readBody, spoolBody } from './body.ts';
import { type Call, type Network, type Operation, Refusal, type Route } from './network.ts';
import { redactPath } from './redact.ts';
import type { LoggedRequest } from './request-log.ts';
import type { Router } from './router.ts';
import type { Sandbox } from './sandbox.ts';
import { send } from './send.ts';

const defaultMaxBodyBytes = 256 * 1024 * 1024;
const longestHoldMs = 10 * 60_000;

/** A request to a network: log it, apply the faults that were ordered, let the network answer. */
export async function serveNetwork(
  sandbox: Sandbox,
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, path, search } = splitAddress(request.url ?? '/');
  const method = request.method ?? 'GET';
  const match = router(method, host, path);
  if (!match) {
    request.resume();
    return send(request, response, json({ error: `No sandbox network answers for the host "${host}".` }, 502));
  }
  const { network, route, params } = match;
  const log = sandbox.requests.add({
    network: network.id,
    host,
    operation: 'other',
    method,
    path: redactPath(path + search),
    status: null,
    time: new Date(sandbox.now()).toISOString(),
  });
  const body = await readBodyFor(sandbox, network, route, request);
  const query = search === '' ? new URLSearchParams() : new URLSearchParams(search);
  const readable = typeof body === 'string' ? { fields: {}, uploads: {}, bytes: Buffer.alloc(0) } : body;
  const call: Call = { sandbox, network, method, host, path, query, params, headers: request.headers, body: readable };

  if (!route) return finish(network.errors.status(404, call));
  if (typeof body === 'string') return finish(network.errors.status(body === 'too_large' ? 413 : 400, call));
  const operations = operationsOf(route, call);
  log.operation = operations[0] ?? 'other';
  if (log.operation === 'page') return finish(await perform(route, call));

  const answer = network.before?.(call) ?? (await withFaults(route, call, operations, response));
  if (answer !== 'cut') return finish(answer, network.headers?.(call));
  await sandbox.store.settled();
  request.socket.resetAndDestroy();

  async function finish(answer: Answer, headers?: Record<string, string>): Promise<void> {
    await sandbox.store.settled();
    return sendLogged(log, request, response, answer, headers);
  }
}

async function sendLogged(
  log: LoggedRequest,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  headers?: Record<string, string>,
): Promise<void> {
  if (response.destroyed) return;
  log.status = answer.status;
  await send(request, response, answer, headers);
}

async function withFaults(
  route: Route,
  call: Call,
  operations: readonly Operation[],
  response: ServerResponse,
): Promise<Answer | 'cut'> {
  const { network, sandbox } = call;
  const slow = sandbox.faults.take(network.id, operations, (kind) => kind === 'latency');
  if (slow) await wait(slow.latencyMs);
  // A failed processing is no matter of this request but of the file: `startProcessing` takes that one.
  const fault = sandbox.faults.take(
    network.id,
    operations,
    (kind) => kind !== 'latency' && kind !== 'processing_failed',
  );
  switch (fault?.kind) {
    case 'status':
      return network.errors.status(fault.status ?? 500, call);
    case 'rate_limit':
      return network.errors.rateLimited(sandbox.now() + fault.retryAfterSeconds * 1000, call);
    case 'expired_token':
      return network.errors.expiredToken(call);
    case 'timeout':
      await hold(response);
      return 'cut';
    case 'reset_before':
      return 'cut';
    case 'reset_after':
      await perform(route, call);
      return 'cut';
    case 'nonsense':
      await perform(route, call);
      return html('<h1>It works!</h1>');
    default:
      return perform(route, call);
  }
}

async function perform(route: Route, call: Call): Promise<Answer> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    console.error(`${call.network.id} ${call.method} ${call.path}:`, error);
    return call.network.errors.status(500, call);
  }
}

/** Until the client gives up, or the sandbox stops. */
function hold(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestHoldMs);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function operationsOf(route: Route, call: Call): readonly Operation[] {
  const operation = typeof route.operation === 'function' ? route.operation(call) : route.operation;
  return typeof operation === 'string' ? [operation] : operation;
}

async function readBodyFor(sandbox: Sandbox, network: Network, route: Route | undefined, request: IncomingMessage) {
  if (route?.body === 'file') return spoolBody(request, sandbox.store.files) satisfies Promise<Body>;
  return readBody(request, network.maxBodyBytes ?? defaultMaxBodyBytes);
}

function splitAddress(address: string): { host: string; path: string; search: string } {
  const mark = address.indexOf('?');
  const full = mark === -1 ? address : address.slice(0, mark);
  const slash = full.indexOf('/', 1);
  return {
    host: (slash === -1 ? full.slice(1) : full.slice(1, slash)).toLowerCase(),
    path: slash === -1 ? '/' : full.slice(slash),
    search: mark === -1 ? '' : address.slice(mark),
  };
}
