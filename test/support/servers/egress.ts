import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Agent } from 'undici';
import { exceptionsFrom } from '../../../src/foundation/egress/check-url.ts';
import { type ConnectOptions, guardedConnect } from '../../../src/foundation/egress/connect.ts';
import { type Egress, egressOver } from '../../../src/foundation/egress/egress.ts';
import { EgressError } from '../../../src/foundation/egress/egress-error.ts';

/** A server on this machine that counts connections. `await using` closes it. */
export async function serveCounted(answer: RequestListener, tls?: { key: string; cert: string }) {
  const server: Server = tls ? createTlsServer(tls, answer) : createServer(answer);
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    place: `127.0.0.1:${port}`,
    /** The number of connections opened so far. */
    connections: () => connections,
    /** How many are open now. */
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Sees everything that gets past the guard, and must see nothing. */
export function serveCanary() {
  return serveCounted((_request, response) => response.end('You should not be here.'));
}

/**
 * An egress whose sockets to port 443 go to a port of this machine instead, still checked by the guard: a hole in the
 * guard becomes a connection that a canary sees.
 */
export function egressTo(port443: number, options: ConnectOptions & { allow?: readonly string[] } = {}): Egress {
  const { allow = [], ...connectOptions } = options;
  const exceptions = exceptionsFrom(allow);
  const guarded = guardedConnect(exceptions, connectOptions);
  const agent = new Agent({
    allowH2: false,
    connect: (target, done) => {
      if (target.port !== '' && target.port !== '443') return guarded(target, done);
      guarded({ ...target, port: String(port443) }, done);
    },
  });
  return egressOver(agent, exceptions);
}

/** The error of a request, or of reading its response. */
export async function failureOf(action: Promise<unknown>): Promise<EgressError> {
  const error = await action.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  if (error instanceof EgressError) return error;
  throw error;
}
