import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { deleteInBatches } from '../../foundation/db/delete-in-batches.ts';

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

export async function isQueued(db: Db, once: string): Promise<boolean> {
  const found = await db.selectFrom('mails').select('id').where('once_key', '=', once).executeTakeFirst();
  return found !== undefined;
}

/** The address of a user, or of the owner who manages it. A managed user may not own its address. */
export async function findRecipient(db: Db, userId: string): Promise<string | null> {
  const found = await db
    .selectFrom('users')
    .innerJoin('users as owner', (join) =>
      join.on(sql<boolean>`owner.id = coalesce(users.parent_user_id, users.id) and owner.is_active`),
    )
    .select('owner.email')
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return found?.email ?? null;
}

/** How many mails can be sent: new ones and retries. */
export interface Capacity {
  fresh: number;
  retried: number;
}

export interface ClaimedMail {
  id: string;
  to: string;
  kind: string;
  /** Sealed. */
  data: string;
  /** Includes this attempt. Also serves as the fencing token: a later claim of the mail has a higher number. */
  attempts: number;
}

/** Claims due mails. If the process dies, they are due again when the lease expires. */
export async function claimMails(
  db: Db,
  { now, until, free }: { now: Date; until: Date; free: Capacity },
): Promise<ClaimedMail[]> {
  const due = sql`select id from mails where next_attempt_at <= ${now}`;
  const { rows } = await sql<ClaimedMail>`
    with fresh as (
      ${due} and attempts = 0 order by next_attempt_at limit ${free.fresh} for update skip locked
    ),
    retried as (
      ${due} and attempts > 0 order by next_attempt_at limit ${free.retried} for update skip locked
    )
    update mails set attempts = attempts + 1, next_attempt_at = ${until}, error = null
    where id in (select id from fresh union all select id from retried)
    returning id, recipient as "to", kind, data, attempts`.execute(db);
  return rows;
}

/** When a process with this free capacity must check again. */
export async function nextMailTime(db: Db, free: Capacity): Promise<Date | null> {
  const { rows } = await sql<{ next: Date | null }>`
    select min(next_attempt_at) as next from mails
    where next_attempt_at is not null
      and case when attempts = 0 then ${free.fresh}::integer else ${free.retried}::integer end > 0`.execute(db);
  return rows[0]!.next;
}

type Claim = Pick<ClaimedMail, 'id' | 'attempts'>;

const claimed = (db: Db, { id, attempts }: Claim) =>
  db.updateTable('mails').where('id', '=', id).where('attempts', '=', attempts).where('data', 'is not', null);

export const recordSent = (db: Db, claim: Claim, now: Date) =>
  claimed(db, claim).set({ sent_at: now, data: null, next_attempt_at: null, error: null }).execute();

export const recordGivenUp = (db: Db, claim: Claim, error: string) =>
  claimed(db, claim).set({ data: null, next_attempt_at: null, error }).execute();

export const recordRetry = (db: Db, claim: Claim, at: Date, error: string) =>
  claimed(db, claim).set({ next_attempt_at: at, error }).execute();

/** Undoes the claim. */
export const releaseMail = (db: Db, claim: Claim, now: Date) =>
  claimed(db, claim)
    .set({ next_attempt_at: now, attempts: claim.attempts - 1 })
    .execute();

export async function deleteEnded(db: Db, before: Date | null, signal?: AbortSignal) {
  if (before === null) return;
  await deleteInBatches(
    (limit) =>
      sql`delete from mails where id in (
        select id from mails where next_attempt_at is null and created_at < ${before} limit ${limit})`.execute(db),
    signal,
  );
}
