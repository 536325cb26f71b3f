import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { tinyChunkCounter } from '../../lib/tiny-chunks.ts';
import { loggedPath } from '../logged-path.ts';

/** How long a client may take to send a request and to read its response. */
export interface SlowClientLimits {
  readonly headersMs: number;
  /**
   * For a body that is not an upload, measured from the end of the headers: a whole request takes at most both limits.
   */
  readonly bodyMs: number;
  /** Uploads and responses have no total limit, but need a minimum rate over every period of this length. */
  readonly transferWindowMs: number;
  readonly transferBytesPerSecond: number;
}

export const slowClientLimits: SlowClientLimits = {
  headersMs: 30_000,
  bodyMs: 30_000,
  transferWindowMs: 30_000,
  transferBytesPerSecond: 10_000,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file. It may take any time at the minimum rate. */
    upload?: boolean;
  }
}

type Answer = (problem: Problem, socket: FastifyRequest['raw']['socket']) => void;
export type WatchBody = (request: FastifyRequest, reply: FastifyReply) => void;

/** The number of checks per window. */
export const looks = 30;

/**
 * Disconnects clients whose bodies stall, drip or arrive in tiny chunks, so that they exhaust neither connections nor
 * the CPU. Node itself limits headers. A body is watched to its end, even after the response: after an early refusal,
 * the client may keep sending.
 */
export function bodyWatch(limits: SlowClientLimits, answer: Answer): WatchBody {
  const minBytes = (limits.transferBytesPerSecond * limits.transferWindowMs) / 1000;

  return (request, reply) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    const isUpload = request.routeOptions.config?.upload === true;
    // How much had been received at each of the last checks.
    let received: number[] = [];
    let isAnswered = false;
    const timer = setInterval(look, (isUpload ? limits.transferWindowMs : limits.bodyMs) / looks).unref();
    const stop = () => clearInterval(timer);
    raw.once('end', stop).once('close', stop).once('error', stop);
    countChunks(raw, () => cutOff(new Problem('body_in_tiny_chunks'), 'a client sent a body in tiny chunks'));

    function look() {
      if (raw.complete) return stop();
      // Once an upload has its response, the rest of it has a total limit, like any other body.
      const isNewlyAnswered = reply.raw.writableEnded && !isAnswered;
      isAnswered ||= isNewlyAnswered;
      // Data received but not yet read is the service's delay, not the client's.
      const isOurDelay = !isAnswered && raw.readableLength > 0;
      if (isNewlyAnswered || isOurDelay) received = [];
      received.push(raw.socket.bytesRead);
      if (received.length <= looks) return;
      const isFast = isUpload && !isAnswered && received.at(-1)! - received.shift()! >= minBytes;
      if (!isFast) cutOff(new Problem('request_timeout'), 'a client sent too slowly');
    }

    function cutOff(problem: Problem, why: string) {
      stop();
      const { method, url, log } = request;
      log.info({ method, path: loggedPath(url), code: problem.code }, why);
      // A response without a socket is waiting for an earlier one on the same connection.
      if (reply.raw.socket && !reply.raw.headersSent) answer(problem, raw.socket);
      raw.destroy(problem);
    }
  };
}

/** A `data` listener would start the flow before the body has a reader, so count chunks as they are pushed. */
function countChunks(raw: FastifyRequest['raw'], onTooMany: () => void) {
  const isTooMany = tinyChunkCounter();
  const push = raw.push.bind(raw);
  raw.push = (chunk, encoding) => {
    if (chunk === null || !isTooMany(chunk.length)) return push(chunk, encoding);
    // The parser continues to the end of the data it has read.
    if (!raw.destroyed) onTooMany();
    return false;
  };
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
