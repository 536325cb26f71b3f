import type { Socket } from 'node:net';
import { loggedPath } from '../logged-path.ts';
import type { Server } from '../server.ts';

/** Browsers and almost all clients wait for a response before they send the next request on a connection. */
export const maxUnfinished = 16;

/**
 * Closes connections with too many unfinished requests. Node parses everything it has read, and each request holds
 * memory and often a file descriptor until all responses before its own have been sent.
 */
export function limitPipelining(server: Server) {
  const unfinished = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: number) => {
    const now = (unfinished.get(socket) ?? 0) + change;
    unfinished.set(socket, now);
    return now;
  };

  server.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    // The rest of the data read before the connection was closed. No one would read the responses.
    if (socket.destroyed) return;
    if (count(socket, 1) > maxUnfinished) {
      request.log.info({ path: loggedPath(request.url) }, 'a client did not wait for the answers to its requests');
      socket.destroy();
      return;
    }
    reply.raw.once('close', () => count(socket, -1));
    done();
  });
}
