import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { type CurrentSession, requireSessionNow } from '../../auth/access/session.ts';
import { changeNotice } from '../../auth/sessions/devices.ts';
import { inLiveSession } from '../../auth/sessions/sessions.ts';
import { type Proof, requireProof } from '../../auth/sign-in/proof.ts';
import { queueMail } from '../../mail/mails.ts';
import { findLeaving } from '../queries.ts';
import { exportWithBrands } from './export-user.ts';

/** Each holds a database connection and a snapshot for as long as the client reads. */
const turns = createFairTurns({ places: 2, perOwner: 1 });
/** The users whose exports run or wait in this process. */
const underWay = new Set<string>();
/** The export that is being ended for another owner. One ends at a time, because it may be enough. */
let makingRoom: Readable | null = null;

export interface ExportLimits {
  /** How long an export waits for others. */
  turnMs: number;
  /** How long the export of an owner leaves its place to others at most. */
  mostRestMs: number;
  /** After `anyPaceMs`, the client must have read this much on average. */
  bytesPerSecond: number;
  anyPaceMs: number;
  /** The same after `ownPaceMs`, if another owner waits for the place. */
  wantedBytesPerSecond: number;
  ownPaceMs: number;
  /** A snapshot that stays open keeps PostgreSQL from cleaning up. */
  longestMs: number;
}

export const exportLimits: ExportLimits = {
  turnMs: 10_000,
  mostRestMs: 60_000,
  bytesPerSecond: 100_000,
  anyPaceMs: 5 * 60_000,
  wantedBytesPerSecond: 1_000_000,
  ownPaceMs: 2 * 60_000,
  longestMs: 30 * 60_000,
};

/**
 * Everything the user owns, as a stream that is written as fast as the client reads. The user is notified, because it
 * may be a thief who takes it.
 */
export async function exportAccount(
  app: App,
  proof: Proof,
  request: FastifyRequest,
  isGone: () => boolean,
  limits: ExportLimits = exportLimits,
): Promise<Readable> {
  await requireProof(app, proof, request);
  const { userId } = request.session;
  const turn = await turnOf(app.db, userId, limits);
  try {
    if (isGone()) {
      turn[Symbol.dispose]();
      return Readable.from([]);
    }
    const pieces = whileSignedIn(app, request.session, exportWithBrands(app, userId, '\n'));
    // Another process may be exporting this account, which only the first piece shows.
    const first = await pieces.next();
    await announce(app, request).catch(async (error: unknown) => {
      await pieces.return(undefined);
      throw error;
    });
    return untilEnd(startingWith(first.value ?? '', pieces), turn, limits);
  } catch (error) {
    turn[Symbol.dispose]();
    throw error;
  }
}

/** The owner of a workspace and the members share a place, so that one workspace cannot take up all of them. */
async function turnOf(db: Db, userId: string, { turnMs, mostRestMs }: ExportLimits): Promise<Disposable> {
  if (underWay.has(userId)) throw new Problem('export_in_progress');
  underWay.add(userId);
  try {
    const ownerId = (await findLeaving(db, userId))?.ownerId ?? userId;
    const turn = await turns.acquire(ownerId, turnMs, turnMs);
    if (!turn) throw new Problem('exports_busy', { retryAfterSec: mostRestMs / 1000 });
    const start = performance.now();
    return {
      [Symbol.dispose]() {
        underWay.delete(userId);
        // Otherwise, the next export of this owner would come before those that others repeat after a refusal.
        turn.restMs = Math.min(performance.now() - start, mostRestMs);
        turn[Symbol.dispose]();
      },
    };
  } catch (error) {
    underWay.delete(userId);
    throw error;
  }
}

/** How long an export relies on the last check of the session. */
const reliedUponMs = 1_000;

/** A thief who reads slowly must not get the rest after the user has ended the session. */
async function* whileSignedIn(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  session: CurrentSession,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  let checkedAt = clock.now().getTime();
  for await (const piece of pieces) {
    const now = clock.now();
    if (now.getTime() - checkedAt >= reliedUponMs) {
      await requireSessionNow(db, session, now);
      checkedAt = now.getTime();
    }
    yield piece;
  }
}

async function* startingWith(first: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield first;
    yield* pieces;
  } finally {
    // If the client leaves before the second piece, nothing else ends the transaction.
    await pieces.return(undefined);
  }
}

/** Clients that read slowly must not take up both places for long, and even less if others wait. */
function untilEnd(pieces: AsyncIterable<string>, turn: Disposable, limits: ExportLimits): Readable {
  let read = 0;
  async function* counted() {
    for await (const piece of pieces) {
      read += piece.length;
      yield piece;
    }
  }
  const document = Readable.from(counted());
  const start = performance.now();
  const timer = setInterval(() => {
    const ms = performance.now() - start;
    const pace = (read * 1000) / ms;
    const isSlow = ms > limits.anyPaceMs && pace < limits.bytesPerSecond;
    const isInTheWay = ms > limits.ownPaceMs && pace < limits.wantedBytesPerSecond && !makingRoom && turns.isWanted();
    if (isInTheWay) makingRoom = document;
    if (isSlow || isInTheWay || ms > limits.longestMs) document.destroy(new Error('The export took too long.'));
  }, 1_000).unref();
  document.once('close', () => {
    clearInterval(timer);
    turn[Symbol.dispose]();
    if (makingRoom === document) makingRoom = null;
  });
  return document;
}

/** The mail is sent once an hour: a thief must not bury it among others. */
async function announce(app: App, request: FastifyRequest) {
  const { userId, email } = request.session;
  await inLiveSession(app, request.session, async (tx) => {
    await recordAudit(app, tx, { userId, event: 'exported', actor: userActor(userId, request) });
    const data = changeNotice(app, request);
    const once = `data_exported ${userId} ${data.at.slice(0, 13)}`;
    await queueMail(app, tx, { to: email, kind: 'data_exported', data, once });
  });
}
