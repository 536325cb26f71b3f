import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { callerNetwork } from '../lib/caller-network.ts';
import { createFairTurns, type FairTurns } from '../lib/fair-turns.ts';
import type { Server } from './fastify.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The length of the JSON text that was received. */
    bodyCharacters: number;
  }
}

export const largeBodies = {
  characters: 32_768,
  /** Checking a text and storing it takes about a hundredth of this. */
  restMsPerThousand: 10,
  /** Bodies that wait are in memory. */
  maxWaiting: 20,
};

/**
 * Of a caller who sends long texts, one is checked at a time, with a rest after each, so that many of them take up a small part
 * of the event loop. Ordinary posts do not wait.
 */
export function takeLargeBodiesInTurn(server: Server, rateFactor: number | null) {
  const restPerCharacter = rateFactor === null ? 0 : largeBodies.restMsPerThousand / 1000 / rateFactor;
  const turns = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 1 });
  server.decorateRequest('bodyCharacters', 0);
  server.addHook('preValidation', (request, reply, done) => {
    if (request.bodyCharacters < largeBodies.characters) done();
    else takeTurn(turns, request, reply, restPerCharacter).then(() => done(), done);
  });
}

async function takeTurn(
  turns: FairTurns,
  { bodyCharacters, who, session, ip }: FastifyRequest,
  { raw }: FastifyReply,
  restPerCharacter: number,
): Promise<void> {
  const owner = who?.userId ?? session?.userId ?? callerNetwork(ip);
  if (turns.waiting(owner) >= largeBodies.maxWaiting) throw new Problem('rate_limit_exceeded', { retryAfterSec: 1 });
  const turn = await turns.acquire(owner);
  // Reading and checking are two blocks of the event loop, not one.
  await setImmediate();
  if (!turn) return;
  turn.restMs = bodyCharacters * restPerCharacter;
  const release = () => turn[Symbol.dispose]();
  if (raw.closed) release();
  else raw.once('close', release);
}
