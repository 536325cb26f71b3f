import type { Socket } from 'node:net';
import { looks, type SlowClientLimits } from '../requests/slow-clients.ts';
import type { Server } from '../server.ts';

/**
 * Cuts off clients that do not read their answers, or drip them, so that they hold neither connections nor the memory of what
 * waits for them. What the operating system has taken counts as read: it has limits of its own. All connections are looked at
 * together, whatever answers them.
 */
export function cutOffSlowReaders(fastify: Server, limits: SlowClientLimits) {
  const minBytes = (limits.transferBytesPerSecond * limits.transferWindowMs) / 1000;
  /** How much had been taken at each of the last looks. */
  const taken = new Map<Socket, number[]>();
  fastify.server.on('connection', (socket: Socket) => {
    taken.set(socket, []);
    socket.once('close', () => taken.delete(socket));
  });

  function look(socket: Socket, history: number[]) {
    // A client that has taken everything may be silent for as long as connections are kept.
    if (socket.writableLength === 0) history.length = 0;
    else history.push(takenFrom(socket));
    if (history.length <= looks || history.at(-1)! - history.shift()! >= minBytes) return;
    fastify.log.info({ waitingBytes: socket.writableLength }, 'a client read its response too slowly');
    // A plain close would keep what the operating system holds for the client until it is read.
    socket.resetAndDestroy();
  }

  fastify.server.once('listening', () => {
    const timer = setInterval(() => {
      for (const [socket, history] of taken) look(socket, history);
    }, limits.transferWindowMs / looks).unref();
    // Only then all connections are closed: a client that does not read must not hold up a shutdown either.
    fastify.server.once('close', () => clearInterval(timer));
  });
}

/**
 * How much of what was written the operating system has taken. A large answer is written at once, and only the handle behind
 * the socket knows how much of it is left. Without such a handle, what was written completely counts.
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
