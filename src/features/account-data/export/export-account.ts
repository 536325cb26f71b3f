import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { createFairTurns, type Turn } from '../../../foundation/lib/fair-turns.ts';
import { userActor } from '../../audit/actors.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { type CurrentSession, requireSessionNow } from '../../auth/access/session.ts';
import { changeNotice } from '../../auth/sessions/devices.ts';
import { inLiveSession } from '../../auth/sessions/sessions.ts';
import { type Proof, requireProof } from '../../auth/sign-in/proof.ts';
import { queueMail } from '../../mail/mails.ts';
import { exportWithBrands } from './export-user.ts';

/** Each holds a database connection and a snapshot for as long as the client reads. */
const turns = createFairTurns({ places: 2, perOwner: 1 });
/** A snapshot that stays open keeps PostgreSQL from cleaning up. */
const longestMs = 30 * 60_000;

/**
 * Everything the user owns, as a stream that is written as fast as the client reads. The user is notified, because it
 * may be a thief who takes it.
 */
export async function exportAccount(
  app: App,
  proof: Proof,
  request: FastifyRequest,
  isGone: () => boolean,
): Promise<Readable> {
  await requireProof(app, proof, request);
  const { userId } = request.session;
  const turn = await turns.acquire(userId, 0);
  if (!turn) throw new Problem('export_in_progress');
  try {
    if (isGone()) return Readable.from([]);
    const pieces = whileSignedIn(app, request.session, exportWithBrands(app, userId, '\n'));
    // Another process may be exporting this account, which only the first piece shows.
    const first = await pieces.next();
    await announce(app, request).catch(async (error: unknown) => {
      await pieces.return(undefined);
      throw error;
    });
    return untilEnd(Readable.from(startingWith(first.value ?? '', pieces)), turn);
  } catch (error) {
    turn[Symbol.dispose]();
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

function untilEnd(document: Readable, turn: Turn): Readable {
  const timer = setTimeout(() => document.destroy(new Error('The export took too long.')), longestMs).unref();
  document.once('close', () => {
    clearTimeout(timer);
    turn[Symbol.dispose]();
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
