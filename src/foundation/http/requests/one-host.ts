import type { onRequestHookHandler } from 'fastify';
import { Problem } from '../../errors/index.ts';

/**
 * Node takes the first of several Host headers. A proxy in front may have gone by another one, so the request is refused
 * (RFC 9112 section 3.2).
 */
export const refuseSecondHost: onRequestHookHandler = ({ raw: { rawHeaders } }, reply, done) => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length < 2) return done();
  reply.header('connection', 'close');
  done(new Problem('request_unreadable', { error: 'The request has more than one Host header' }));
};
