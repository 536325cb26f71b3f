import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { certificateFor } from '../../support/servers/certificate.ts';

/** A network failure for one request. In all three cases the sender only sees a broken connection. */
export type Trouble =
  /** The server processes it and responds, but the response is lost. */
  | 'answer lost'
  /** It never reaches the server. */
  | 'request lost'
  /** The server gets only the first half of it. */
  | 'request cut';

/** A request that the server has processed and answered, while its sender still waits. */
export interface Held {
  /** Delivers the response to the sender. */
  release(): void;
}

export interface SeenRequest {
  method: string;
  path: string;
  body: string;
}
type Matches = (request: SeenRequest) => boolean;

/**
 * A reverse proxy in front of real servers: it terminates TLS under their names, and can fail like the path to a
 * network.
 */
export interface Front extends AsyncDisposable {
  readonly hosts: readonly string[];
  readonly port: number;
  /** The certificate that clients must trust. */
  readonly ca: string;
  /** Applies these failures to the next matching requests, one each, in this order. */
  strike(matches: Matches, troubles: readonly Trouble[]): void;
  /** Holds the response to the next matching request. */
  hold(matches: Matches): Promise<Held>;
  /** Resolves when a matching request has arrived. */
  seen(matches: Matches): Promise<void>;
}

/** `upstreams`: the address of the server behind each host. Null: there is no server, and the host returns 404. */
export async function openFront(upstreams: Readonly<Record<string, string | null>>): Promise<Front> {
  const hosts = Object.keys(upstreams);
  const tls = certificateFor(...hosts);
  const strikes: { matches: Matches; troubles: Trouble[] }[] = [];
  const holds: { matches: Matches; resolve(held: Held): void }[] = [];
  const watches: { matches: Matches; resolve(): void }[] = [];

  function troubleFor(request: SeenRequest): Trouble | null {
    return strikes.find(({ matches, troubles }) => troubles.length > 0 && matches(request))?.troubles.shift() ?? null;
  }
  function take<T extends { matches: Matches }>(waiting: T[], request: SeenRequest): T | null {
    const index = waiting.findIndex(({ matches }) => matches(request));
    return waiting.splice(index, index === -1 ? 0 : 1)[0] ?? null;
  }

  const server = createServer(tls, async (request, response) => {
    const body = await buffer(request).catch(() => null);
    const upstream = upstreams[(request.headers.host ?? '').replace(/:\d+$/, '')];
    if (body === null || upstream === undefined) return request.socket.destroy();
    if (upstream === null) return response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    const seen = { method: request.method ?? '', path: request.url ?? '', body: body.toString() };
    take(watches, seen)?.resolve();
    const trouble = troubleFor(seen);
    if (trouble === 'request lost') return request.socket.destroy();
    if (trouble === 'request cut') return sendHalf(upstream, request, body);
    const hold = take(holds, seen);
    const answer = await answerOf(upstream, request, body).catch(() => null);
    if (answer === null || trouble === 'answer lost') return request.socket.destroy();
    const release = () => reply(response, answer);
    if (hold) hold.resolve({ release });
    else release();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    hosts,
    port: (server.address() as AddressInfo).port,
    ca: tls.cert,
    strike: (matches, troubles) => void strikes.push({ matches, troubles: [...troubles] }),
    hold: (matches) => new Promise((resolve) => holds.push({ matches, resolve })),
    seen: (matches) => new Promise((resolve) => watches.push({ matches, resolve })),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  head: IncomingMessage;
  body: Buffer;
}

function answerOf(upstream: string, request: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onward = httpRequest(new URL(request.url ?? '/', upstream), optionsOf(request), async (head) => {
      buffer(head).then((whole) => resolve({ head, body: whole }), reject);
    });
    onward.on('error', reject).end(body);
  });
}

/** The rest never arrives: both connections are closed. */
function sendHalf(upstream: string, request: IncomingMessage, body: Buffer) {
  const onward = httpRequest(new URL(request.url ?? '/', upstream), optionsOf(request));
  onward.on('error', () => {});
  onward.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    onward.destroy();
    request.socket.destroy();
  });
}

/** A new connection for each request: the servers behind may close one at any time. */
const optionsOf = ({ method, headers: { connection: _, ...headers } }: IncomingMessage) => ({
  method,
  headers,
  agent: false,
});

function reply(response: ServerResponse, { head, body }: Answer) {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = head.headers;
  response.writeHead(head.statusCode ?? 500, { ...headers, 'content-length': body.length }).end(body);
}
