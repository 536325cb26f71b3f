import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from './call-route.ts';
import type { BuildMcpServer } from './mcp-server.ts';

export interface Transport {
  serve(request: FastifyRequest, body: ParsedBody, caller: Caller | null): Promise<Response>;
  close(): Promise<void>;
}

export interface ParsedBody {
  text: string;
  /** Undefined if the text is not JSON. */
  json: unknown;
}

/**
 * Streamable HTTP without sessions, for clients of the newest protocol and of older ones. The SDK serves the newest
 * one. It would send older clients an event stream, so those are served here, with plain JSON, which a client reads
 * whether or not it asked for event streams.
 */
export function mcpTransport({ publicUrl, log }: Pick<App, 'publicUrl' | 'log'>, build: BuildMcpServer): Transport {
  const callers = new WeakMap<Request, Caller | null>();
  const modern: McpHttpHandler = createMcpHandler(
    ({ requestInfo }) => build((requestInfo && callers.get(requestInfo)) ?? null),
    { legacy: 'reject', onerror: (error) => log.debug({ err: error }, 'MCP request refused') },
  );

  async function serveLegacy(request: Request, json: unknown, caller: Caller | null): Promise<Response> {
    const server = build(caller);
    const transport = new JsonTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const answer = transport.handleRequest(request, json === undefined ? {} : { parsedBody: json });
      // Whatever the SDK waits for, a client that has left does not.
      const left = Promise.withResolvers<Response>();
      request.signal.addEventListener('abort', () => left.resolve(new Response(null)), { once: true });
      return await Promise.race([answer, transport.failure.promise, left.promise]);
    } finally {
      await server.close();
    }
  }

  return {
    async serve(fastifyRequest, { text, json }, caller) {
      const request = webRequest(publicUrl, fastifyRequest, text);
      callers.set(request, caller);
      return (await isLegacyRequest(request, json))
        ? serveLegacy(request, json, caller)
        : modern.fetch(request, json === undefined ? {} : { parsedBody: json });
    },
    close: () => modern.close(),
  };
}

/** If a response cannot be written, the SDK sends none, and the client would wait. */
class JsonTransport extends WebStandardStreamableHTTPServerTransport {
  readonly failure = Promise.withResolvers<never>();

  override async send(...sent: Parameters<WebStandardStreamableHTTPServerTransport['send']>): Promise<void> {
    await super.send(...sent).catch((error: unknown) => {
      this.failure.reject(error);
      throw error;
    });
  }
}

function webRequest(publicUrl: string, { method, url, headers, signal }: FastifyRequest, text: string): Request {
  const all = new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((item): [string, string] => [name, item]),
    ),
  );
  // Many clients accept only JSON, or send no Accept header, and the SDK would refuse them.
  all.set('accept', 'application/json, text/event-stream');
  return new Request(new URL(url, publicUrl), {
    method,
    headers: all,
    signal,
    ...(method === 'POST' && { body: text }),
  });
}
