import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Operation } from './faults.ts';
import { type HttpResponse, html, json } from './http/http-response.ts';
import { recordRequest, recordResponse } from './http/record-message.ts';
import { redactPath } from './http/redact.ts';
import { noBody, readBody, spoolBody } from './http/request-body.ts';
import type { Router } from './http/router.ts';
import { sendResponse } from './http/send-response.ts';
import type { Sandbox } from './platform.ts';
import { type Call, Refusal, type Route, type SandboxPlatform } from './platform.ts';

const defaultMaxBodyBytes = 256 * 1024 * 1024;
const maxHoldMs = 10 * 60_000;

/** Serves one request to a platform: logs it, applies injected faults, then runs the route's handler. */
export async function servePlatform(
  sandbox: Sandbox,
  router: Router,
  request: IncomingMessage,
  connection: ServerResponse,
): Promise<void> {
  const { host, path, search } = splitAddress(request.url ?? '/');
  const method = request.method ?? 'GET';
  const match = router(method, host, path);
  if (!match) {
    request.resume();
    return sendResponse(request, connection, json({ error: `No sandbox network serves the host "${host}".` }, 502));
  }
  const { platform, route, params } = match;
  const log = sandbox.requests.add({
    platform: platform.id,
    host,
    operation: 'other',
    method,
    path: redactPath(platform, path + search),
    status: null,
    time: new Date(sandbox.now()).toISOString(),
  });
  const body = await readBodyFor(sandbox, platform, route, request);
  if (sandbox.options.recordBodies) log.request = recordRequest(platform, request.headers, body);
  const query = search === '' ? new URLSearchParams() : new URLSearchParams(search);
  const readable = typeof body === 'string' ? noBody : body;
  const call: Call = { sandbox, platform, method, host, path, query, params, headers: request.headers, body: readable };

  if (!route) return finish(platform.errors.status(404, call));
  if (typeof body === 'string') return finish(platform.errors.status(body === 'too_large' ? 413 : 400, call));
  const operations = operationsOf(route, call);
  log.operation = operations[0] ?? 'other';
  if (log.operation === 'page') return finish(await perform(route, call));

  const outcome = platform.before?.(call) ?? (await withFaults(route, call, operations, connection));
  if (outcome !== 'reset') return finish(outcome, platform.headers?.(call));
  await sandbox.store.committed();
  request.socket.resetAndDestroy();

  async function finish(response: HttpResponse, headers?: Record<string, string>): Promise<void> {
    await sandbox.store.committed();
    if (connection.destroyed) return;
    log.status = response.status;
    if (sandbox.options.recordBodies) log.response = recordResponse(platform, response);
    await sendResponse(request, connection, response, headers);
  }
}

async function withFaults(
  route: Route,
  call: Call,
  operations: readonly Operation[],
  connection: ServerResponse,
): Promise<HttpResponse | 'reset'> {
  const { platform, sandbox } = call;
  const slow = sandbox.faults.take(platform.id, operations, (kind) => kind === 'latency');
  if (slow) await wait(slow.latencyMs);
  // `processing_failed` concerns the uploaded file, not this request: `startProcessing` takes it.
  const fault = sandbox.faults.take(
    platform.id,
    operations,
    (kind) => kind !== 'latency' && kind !== 'processing_failed',
  );
  switch (fault?.kind) {
    case 'status':
      return platform.errors.status(fault.status ?? 500, call);
    case 'rate_limit':
      return platform.errors.rateLimited(sandbox.now() + fault.retryAfterSeconds * 1000, call);
    case 'expired_token':
      return platform.errors.expiredToken(call);
    case 'timeout':
      await holdUntilClosed(connection);
      return 'reset';
    case 'reset_before':
      return 'reset';
    case 'reset_after':
      await perform(route, call);
      return 'reset';
    case 'nonsense':
      await perform(route, call);
      return html('<h1>It works!</h1>');
    default:
      return perform(route, call);
  }
}

async function perform(route: Route, call: Call): Promise<HttpResponse> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    console.error(`${call.platform.id} ${call.method} ${call.path}:`, error);
    return call.platform.errors.status(500, call);
  }
}

/** Waits until the client gives up or the sandbox stops. */
function holdUntilClosed(connection: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, maxHoldMs);
    connection.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function operationsOf(route: Route, call: Call): readonly Operation[] {
  const operation = typeof route.operation === 'function' ? route.operation(call) : route.operation;
  return typeof operation === 'string' ? [operation] : operation;
}

function readBodyFor(
  sandbox: Sandbox,
  platform: SandboxPlatform,
  route: Route | undefined,
  request: IncomingMessage,
): ReturnType<typeof readBody> {
  if (route?.body === 'file') return spoolBody(request, sandbox.store.files);
  return readBody(request, platform.maxBodyBytes ?? defaultMaxBodyBytes);
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
