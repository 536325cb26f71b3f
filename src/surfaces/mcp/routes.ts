import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { refuseLargeJson } from '../../foundation/http/requests/body-limits.ts';
import type { Server } from '../../foundation/http/server.ts';
import { jsonExcess, maxJsonLevels } from '../../foundation/lib/json.ts';
import { callerOf, checkKey, refuseAnonymous } from './credentials.ts';
import { mcpServerBuilder } from './mcp-server.ts';
import { collectOperations } from './operations.ts';
import { mcpTransport, type ParsedBody } from './transport.ts';

/** Methods that act for a user. All others work without a key, so that a client can explore before it signs in. */
const keyed = ['tools/call', 'resources/read', 'subscriptions/listen'];
/** A batch of a hundred messages would delay other requests. */
export const maxBatch = 20;
/** A protocol message has about 20. The SDK lists every invalid one in its response. */
export const maxMessageValues = 500;
/** Methods that call a route, which counts them. */
const counted = ['tools/call', 'resources/read'];

/** The MCP server, at `/mcp` and at `/`. Register it before the routes that its tools call. */
export async function mcpRoutes(root: Server, app: App, byKey: onRequestAsyncHookHandler) {
  const transport = mcpTransport(app, mcpServerBuilder(root, collectOperations(root), app));
  root.addHook('preClose', () => transport.close());
  root.get('/health', { schema: { hide: true }, config: { quiet: true } }, async () => ({
    status: 'ok',
    service: 'service-mcp',
  }));

  await root.register(async (server: Server) => {
    // The SDK responds to a body that is not JSON with a JSON-RPC error.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'string' }, async (request: FastifyRequest, text: string | Buffer) => {
      const refusal = refuseLargeJson(String(text), request);
      if (refusal) throw refusal;
      return String(text);
    });
    server.addHook('onRequest', requireKnownOrigin(app));
    server.addHook('onRequest', checkKey(app, byKey));

    async function serve(request: FastifyRequest, reply: FastifyReply) {
      const body = parsed(typeof request.body === 'string' ? request.body : '');
      const { json } = body;
      const refusal = refusalOf(json);
      if (refusal) {
        await request.countRate('read');
        return reply.code(400).send(refusal);
      }
      const caller = callerOf(request);
      const methods = methodsIn(json);
      for (const method of methods) {
        if (caller === null && keyed.includes(method)) refuseAnonymous(app, request, reply);
        if (!counted.includes(method)) await request.countRate('read');
      }
      const answer = await transport.serve(request, body, caller);
      const toCount = methods.filter((method) => counted.includes(method)).length;
      // Those that were refused before they reached a route.
      for (let done = caller?.counted.messages ?? 0; done < toCount; done += 1) await request.countRate('read');
      return sendAnswer(reply, answer);
    }

    const schema = { hide: true };
    for (const url of ['/mcp', '/']) server.post(url, { schema }, serve);
    server.get('/mcp', { schema }, refuseSession);
    for (const url of ['/mcp', '/']) server.delete(url, { schema }, refuseSession);
  });
}

/** JSON is sent as a text, whose length counts towards the unread responses of the caller. */
async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return reply.send(answer);
  return reply
    .code(answer.status)
    .headers(Object.fromEntries(answer.headers))
    .send(await answer.text());
}

/** Null: it is no larger than a normal message. The route checks a tool's arguments. */
function refusalOf(json: unknown) {
  const messages: unknown[] = [json].flat();
  if (messages.length > maxBatch) {
    return invalidRequest(`a batch can have at most ${maxBatch} messages. Send the rest in another batch.`);
  }
  if (methodsIn(json).filter((method) => method === 'tools/list').length > 1) {
    return invalidRequest('a batch can list the tools only once.');
  }
  const text = JSON.stringify(messages.map(withoutArguments));
  if (!jsonExcess(text, { values: maxMessageValues, levels: maxJsonLevels })) return null;
  return invalidRequest(`apart from tool arguments, at most ${maxMessageValues} fields and list entries are allowed.`);
}

function withoutArguments(message: unknown): unknown {
  if (!isCall(message) || message.method !== 'tools/call') return message;
  const { params } = message;
  return { ...message, params: typeof params === 'object' ? { ...params, arguments: null } : params };
}

const invalidRequest = (reason: string) => ({
  jsonrpc: '2.0',
  error: { code: -32_600, message: `Invalid Request: ${reason}` },
  id: null,
});

/**
 * Older protocols open a stream with GET and end a session with DELETE. This server keeps no sessions, so it supports
 * neither.
 */
async function refuseSession({ method, headers }: FastifyRequest, reply: FastifyReply): Promise<never> {
  if (headers['mcp-session-id'] !== undefined) throw new Problem('mcp_session_invalid');
  reply.header('allow', 'POST');
  throw new Problem('method_not_allowed', {
    error: `${method} is not allowed here: this MCP server does not use sessions.`,
  });
}

/**
 * A page of another site must not use this server through the browser of a person in the same network, not even with a
 * name that it has pointed at this machine (DNS rebinding). Clients other than browsers send no origin.
 */
function requireKnownOrigin({ publicUrl, config }: Pick<App, 'publicUrl' | 'config'>): onRequestAsyncHookHandler {
  const known = new Set([new URL(publicUrl).origin, ...config.corsOrigins]);
  return async ({ headers: { origin } }) => {
    if (origin !== undefined && !known.has(origin)) throw new Problem('origin_not_allowed');
  };
}

/**
 * Without messages that cancel others. A call can be cancelled only in its own batch, because nothing is kept between
 * requests, and the SDK then never responds.
 */
function parsed(text: string): ParsedBody {
  const json = parse(text);
  if (!Array.isArray(json) || !json.some(isCancellation)) return { text, json };
  const kept = json.filter((message) => !isCancellation(message));
  return { text: JSON.stringify(kept), json: kept };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isCancellation = (message: unknown) => isCall(message) && message.method === 'notifications/cancelled';

/** The methods of a message, or of a batch of messages as in protocol 2025-03-26. */
function methodsIn(json: unknown): string[] {
  return [json].flat().flatMap((message: unknown) => (isCall(message) ? [message.method] : []));
}

const isCall = (message: unknown): message is { method: string; params?: unknown } =>
  typeof message === 'object' && message !== null && 'method' in message && typeof message.method === 'string';
