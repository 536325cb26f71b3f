import type { Db } from '../db/database.ts';

interface QueuedMail {
  id: string;
  to: string;
  kind: string;
  data: string;
  once: string | null;
}

export const insertMail = (db: Db, { id, to, kind, data, once }: QueuedMail, now: Date) =>
  db
    .insertInto('mails')
    .values({ id, recipient: to, kind, data, once_key: once, created_at: now, next_attempt_at: now })
    .onConflict((conflict) => conflict.column('once_key').doNothing())
    .execute();
