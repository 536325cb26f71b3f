import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { callerNetwork } from '../../lib/caller-network.ts';
import type { Server } from '../server.ts';

/** Shorter responses are not counted. The rate limits keep them few enough. */
const countedCharacters = 10_000;
/** Of all responses that an owner, or an address without an account, has not read yet. */
const maxUnreadCharacters = 16_000_000;

/**
 * Refuses the requests of a caller who does not read the responses to earlier ones. Responses stay in memory until then,
 * and a client that reads slowly could collect a minute's worth of them again and again.
 */
export function limitUnreadAnswers(server: Server) {
  const unread = new Map<string, number>();

  function add(reader: string, characters: number) {
    const sum = (unread.get(reader) ?? 0) + characters;
    if (sum > 0) unread.set(reader, sum);
    else unread.delete(reader);
  }

  server.addHook('preHandler', (request, _reply, done) => {
    if ((unread.get(readerOf(request)) ?? 0) <= maxUnreadCharacters) return done();
    done(new Problem('rate_limit_exceeded', { retryAfterSec: 1 }));
  });
  // A text is made for one response. All readers of a page or script share its bytes.
  server.addHook('onSend', (request, reply, payload, done) => {
    // A client that has left gets no response, and its connection closes only once.
    if (typeof payload === 'string' && payload.length >= countedCharacters && !reply.raw.destroyed) {
      const reader = readerOf(request);
      add(reader, payload.length);
      reply.raw.once('close', () => add(reader, -payload.length));
    }
    done(null, payload);
  });
}

/** Whose unread responses count together. */
export const readerOf = ({ who, session, ip }: FastifyRequest): string =>
  who?.ownerId ?? session?.userId ?? callerNetwork(ip);
