import type { Socket } from 'node:net';
import { looks, type SlowClientLimits } from '../requests/slow-clients.ts';
import type { Server } from '../server.ts';

/**
 * Disconnects clients that do not read their responses, or read them very slowly, so they hold neither connections nor
 * buffered data. Bytes handed to the operating system count as read, because it has its own limits. One timer checks
 * all connections, whatever serves them.
 */
export function cutOffSlowReaders(fastify: Server, limits: SlowClientLimits) {
  const minBytes = (limits.transferBytesPerSecond * limits.transferWindowMs) / 1000;
  /** How much had been taken at each of the last checks. */
  const taken = new Map<Socket, number[]>();
  fastify.server.on('connection', (socket: Socket) => {
    taken.set(socket, []);
    socket.once('close', () => taken.delete(socket));
  });

  function look(socket: Socket, history: number[]) {
    // A client that has taken everything may stay silent for as long as connections are kept open.
    if (socket.writableLength === 0) history.length = 0;
    else history.push(takenFrom(socket));
    if (history.length <= looks || history.at(-1)! - history.shift()! >= minBytes) return;
    fastify.log.info({ waitingBytes: socket.writableLength }, 'a client read its response too slowly');
    // A plain close would keep the operating system's buffer for the client until it is read.
    socket.resetAndDestroy();
  }

  fastify.server.once('listening', () => {
    const timer = setInterval(() => {
      for (const [socket, history] of taken) look(socket, history);
    }, limits.transferWindowMs / looks).unref();
    // All connections are closed only at that point: a client that does not read must not delay a shutdown either.
    fastify.server.once('close', () => clearInterval(timer));
  });
}

/**
 * How much of the written data the operating system has taken. A large response is written in one call, and only the
 * handle behind the socket knows how much of it is left. Without such a handle, only completed writes count.
 */
function takenFrom(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (isHandle(handle)) return handle.bytesWritten - handle.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}

const isHandle = (handle: unknown): handle is { bytesWritten: number; writeQueueSize: number } =>
  typeof handle === 'object' &&
  handle !== null &&
  typeof Reflect.get(handle, 'bytesWritten') === 'number' &&
  typeof Reflect.get(handle, 'writeQueueSize') === 'number';
