import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { type AddedAccess, queueMail } from '../../mail/mails.ts';
import type { CurrentSession } from '../access/session.ts';
import { changeNotice } from './devices.ts';

/**
 * Notifies the user by mail that something else can now act for them. It outlives the session in which a thief adds
 * it. Call it in the transaction of the change.
 */
export const mailAccessAdded = (
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>,
  tx: Db,
  added: { what: AddedAccess; name: string },
  { session: { email }, request }: { session: CurrentSession; request: FastifyRequest },
) => queueMail(app, tx, { to: email, kind: 'access_added', data: { ...added, ...changeNotice(app, request) } });
