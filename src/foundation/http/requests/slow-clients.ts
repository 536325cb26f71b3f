import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { tinyChunkCounter } from '../../lib/tiny-chunks.ts';
import { loggedPath } from '../logged-path.ts';

/** How long a client may take to send a request and to read its answer. */
export interface SlowClientLimits {
  readonly headersMs: number;
  /** For a body that is not an upload, from the end of the headers, so that the whole request takes at most both times. */
  readonly bodyMs: number;
  /** Uploads and answers have no total limit, but need a minimum rate over any stretch of this length. */
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
    /** The body is a file: it may take as long as it needs at a minimum rate. */
    upload?: boolean;
  }
}

type Answer = (problem: Problem, socket: FastifyRequest['raw']['socket']) => void;
export type WatchBody = (request: FastifyRequest, reply: FastifyReply) => void;

/** In each window, a transfer is looked at so many times. */
export const looks = 30;

/**
 * Cuts off clients whose bodies stop, drip or come in tiny chunks, so that they use up neither connections nor the processor.
 * Node itself watches over headers. A body is watched to its end, also after the answer: an early refusal leaves the client
 * sending.
 */
export function bodyWatch(limits: SlowClientLimits, answer: Answer): WatchBody {
  const minBytes = (limits.transferBytesPerSecond * limits.transferWindowMs) / 1000;

  return (request, reply) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    const isUpload = request.routeOptions.config?.upload === true;
    // How much had been received at each of the last looks.
    let received: number[] = [];
    let isAnswered = false;
    const timer = setInterval(look, (isUpload ? limits.transferWindowMs : limits.bodyMs) / looks).unref();
    const stop = () => clearInterval(timer);
    raw.once('end', stop).once('close', stop).once('error', stop);
    countChunks(raw, () => cutOff(new Problem('body_in_tiny_chunks'), 'a client sent a body in tiny chunks'));

    function look() {
      if (raw.complete) return stop();
      // The rest of an upload that was answered has a total limit, like any other body.
      const isNewlyAnswered = reply.raw.writableEnded && !isAnswered;
      isAnswered ||= isNewlyAnswered;
      // What was received and not read yet is a delay of the service, for which the client must not pay.
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
      // A response without a socket waits for an earlier one on the same connection.
      if (reply.raw.socket && !reply.raw.headersSent) answer(problem, raw.socket);
      raw.destroy(problem);
    }
  };
}

/** A listener for `data` would start the flow before the body has a reader, so chunks are counted on their way in. */
function countChunks(raw: FastifyRequest['raw'], onTooMany: () => void) {
  const isTooMany = tinyChunkCounter();
  const push = raw.push.bind(raw);
  raw.push = (chunk, encoding) => {
    if (chunk === null || !isTooMany(chunk.length)) return push(chunk, encoding);
    // The parser goes on to the end of what it has read.
    if (!raw.destroyed) onTooMany();
    return false;
  };
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
