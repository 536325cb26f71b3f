import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { callerNetwork } from '../../lib/caller-network.ts';
import { createFairTurns, type FairTurns } from '../../lib/fair-turns.ts';
import { createPacer } from '../rate-limits/pacing.ts';
import type { Server } from '../server.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The length of the JSON text that was received. */
    bodyCharacters: number;
  }
}

export const largeBodies = {
  characters: 32_768,
  /** Checking and storing a text takes about a hundredth of this. */
  restMsPerThousand: 10,
  /** Waiting bodies are held in memory. */
  maxWaiting: 20,
  /** Reading a body takes time even if it is refused, so a caller's bodies are read at this pace. */
  bytes: { perSecond: 2_000_000, burst: 4_000_000, mostMs: 10_000 },
};

/**
 * For a caller who sends long texts, checks one at a time, with a rest after each, so that many of them use a small
 * part of the event loop. Ordinary posts do not wait. Uploads are streams and have separate limits.
 */
export function takeLargeBodiesInTurn(server: Server, rateFactor: number | null) {
  const restPerCharacter = restMsPerCharacter(rateFactor);
  const turns = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 1 });
  server.decorateRequest('bodyCharacters', 0);
  if (rateFactor !== null) paceBodies(server, rateFactor);
  server.addHook('preValidation', (request, reply, done) => {
    if (request.bodyCharacters < largeBodies.characters) done();
    else takeTurn(turns, request, reply, restPerCharacter).then(() => done(), done);
  });
}

export const restMsPerCharacter = (rateFactor: number | null) =>
  rateFactor === null ? 0 : largeBodies.restMsPerThousand / 1000 / rateFactor;

function paceBodies(server: Server, rateFactor: number) {
  const pace = createPacer();
  const { perSecond, burst, mostMs } = largeBodies.bytes;
  const bytes = { perSecond: perSecond * rateFactor, burst: burst * rateFactor, mostMs };
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const size = request.routeOptions.config?.upload ? 0 : announcedBytes(request);
    if (size < largeBodies.characters) done(null, payload);
    else pace.delay(ownerOf(request), bytes, size).then(() => done(null, payload), done);
  });
}

/** A body that does not announce its length may be as long as the route allows. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : routeOptions.bodyLimit;
}

const ownerOf = ({ who, session, ip }: FastifyRequest) => who?.ownerId ?? session?.userId ?? callerNetwork(ip);

async function takeTurn(
  turns: FairTurns,
  request: FastifyRequest,
  { raw }: FastifyReply,
  restPerCharacter: number,
): Promise<void> {
  const owner = ownerOf(request);
  if (turns.waiting(owner) >= largeBodies.maxWaiting) throw new Problem('rate_limit_exceeded', { retryAfterSec: 1 });
  const turn = await turns.acquire(owner);
  // Split reading and checking into two blocks of the event loop.
  await setImmediate();
  if (!turn) return;
  turn.restMs = request.bodyCharacters * restPerCharacter;
  const release = () => turn[Symbol.dispose]();
  if (raw.closed) release();
  else raw.once('close', release);
}
