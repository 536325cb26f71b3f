import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import { codeOf, Problem, type ProblemKey, problems } from '../../errors/index.ts';
import type { NewId } from '../../lib/ids.ts';

const keys: Record<string, ProblemKey> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  [codeOf('request_timeout')]: 'request_timeout',
  [codeOf('body_in_tiny_chunks')]: 'body_in_tiny_chunks',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** How long a client may take to read the response. */
const lingerMs = 1000;

/**
 * Responds to input that is not HTTP, or is incomplete. It never becomes a request, so the error handler does not see
 * it.
 */
export const answerUnreadableRequest =
  (newId: NewId) =>
  ({ code = '', rawPacket }: { code?: string; rawPacket?: unknown }, socket: Socket) => {
    if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
    const key = keys[code] ?? 'request_unreadable';
    const { status, error } = problems[key];
    const requestId = newId();
    const body = JSON.stringify({ error, code: codeOf(key), requestId });
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'connection: close',
    ];
    // A response to HEAD has no body. The parser did not get as far as the method, but the packet starts with it.
    const isHead = Buffer.isBuffer(rawPacket) && rawPacket.toString('latin1', 0, 5) === 'HEAD ';
    socket.end(`${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`);
    // A client that does not close its side would keep the connection open.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };

/**
 * Node uses the first of several Host headers. A proxy in front may have used another one, so the request is refused
 * (RFC 9112 section 3.2).
 */
export const refuseSecondHost: onRequestHookHandler = ({ raw: { rawHeaders } }, reply, done) => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length < 2) return done();
  reply.header('connection', 'close');
  done(new Problem('request_unreadable', { error: 'The request has more than one Host header' }));
};
