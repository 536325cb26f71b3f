import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { windowAt } from '../../../foundation/http/rate-limits/counters.ts';
import { addToRateCounters } from '../../../foundation/http/rate-limits/queries.ts';
import { type AddedAccess, queueMail } from '../../mail/mails.ts';
import type { CurrentSession } from '../access/session.ts';
import { changeNotice } from './devices.ts';

/** A signed-in person and their request. */
export interface Person {
  session: CurrentSession;
  request: FastifyRequest;
}

/** The person who is signed in. Null if the request has an API key. */
export const personOf = (request: FastifyRequest): Person | null =>
  request.keyHolder ? null : { session: request.session, request };

/** Per user and hour. A thief must not delay the mails of others, nor bury this one among thousands. */
const maxNotices = 5;

/**
 * Notifies the user by mail that something else can now act for them. It outlives the session in which a thief adds
 * it. Call it in the transaction of the change.
 */
export async function mailAccessAdded(
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>,
  tx: Db,
  added: { what: AddedAccess; name: string },
  { session: { email, userId }, request }: Person,
) {
  const window = { ...windowAt(`access notices of ${userId}`, 3600, app.clock), used: 1 };
  const [notices = 0] = await addToRateCounters(tx, [window]);
  if (notices > maxNotices) return;
  await queueMail(app, tx, { to: email, kind: 'access_added', data: { ...added, ...changeNotice(app, request) } });
}
