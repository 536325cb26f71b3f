import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { deleteInBatches } from '../../../foundation/db/delete-in-batches.ts';

export interface Flow {
  userId: string;
  platform: string;
  secrets: string;
}

/** Where a flow or a choice began: in a session, with which it ends, or on the page of a connection link. */
export interface Begun {
  userId: string;
  linkHash: Buffer | null;
  sessionId: string | null;
}

/** Whoever begins more has given up the oldest ones. */
const maxOpen = 20;

/** Makes room for one more flow or choice of the user. */
const deleteOldest = (db: Db, table: 'oauth_flows' | 'account_choices', userId: string) =>
  sql`
    delete from ${sql.table(table)} where ctid = any (array(
      select ctid from ${sql.table(table)} where user_id = ${userId} order by expires_at desc offset ${maxOpen - 1}
    ))`.execute(db);

export async function insertFlow(db: Db, stateHash: Buffer, flow: Flow & Begun, expiresAt: Date) {
  await deleteOldest(db, 'oauth_flows', flow.userId);
  await db
    .insertInto('oauth_flows')
    .values({
      state_hash: stateHash,
      user_id: flow.userId,
      platform: flow.platform,
      secrets: flow.secrets,
      link_hash: flow.linkHash,
      session_id: flow.sessionId,
      expires_at: expiresAt,
    })
    .execute();
}

/**
 * Deletes the flow, because a state works once. Null if its owner has none or it has expired. Attempts by others do
 * not consume the state. A flow for a managed user returns to the session of the workspace owner in which it began.
 */
export async function takeFlow(db: Db, stateHash: Buffer, owner: Begun, now: Date): Promise<Flow | null> {
  const flow = await db
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', stateHash)
    .where((or) => or.or([or('user_id', '=', owner.userId), or('session_id', '=', owner.sessionId)]))
    .where('link_hash', 'is not distinct from', owner.linkHash)
    .returning(['user_id as userId', 'platform', 'secrets', 'expires_at as expiresAt'])
    .executeTakeFirst();
  return flow && flow.expiresAt > now ? flow : null;
}

export interface AccountChoice {
  platform: string;
  /** Encrypted. */
  grants: string;
}

export async function insertChoice(db: Db, choice: AccountChoice & Begun & { id: string }, expiresAt: Date) {
  await deleteOldest(db, 'account_choices', choice.userId);
  await db
    .insertInto('account_choices')
    .values({
      id: choice.id,
      user_id: choice.userId,
      platform: choice.platform,
      grants: choice.grants,
      session_id: choice.sessionId,
      link_hash: choice.linkHash,
      expires_at: expiresAt,
    })
    .execute();
}

/** A choice that began on the page of a link is found only through that link. */
export async function findChoice(
  db: Db,
  { userId, linkHash }: Pick<Begun, 'userId' | 'linkHash'>,
  id: string,
  now: Date,
): Promise<AccountChoice | null> {
  const choice = await db
    .selectFrom('account_choices')
    .select(['platform', 'grants'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('link_hash', 'is not distinct from', linkHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return choice ?? null;
}

/** Deletes the choice. Returns false if another request was faster or the choice has expired. */
export async function takeChoice(
  db: Db,
  { userId, linkHash }: Pick<Begun, 'userId' | 'linkHash'>,
  id: string,
  now: Date,
): Promise<boolean> {
  const choice = await db
    .deleteFrom('account_choices')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('link_hash', 'is not distinct from', linkHash)
    .returning('expires_at as expiresAt')
    .executeTakeFirst();
  return choice !== undefined && choice.expiresAt > now;
}

export async function deleteExpiredFlows(db: Db, now: Date, signal?: AbortSignal) {
  for (const table of ['oauth_flows', 'account_choices'] as const)
    await deleteInBatches(
      (limit) =>
        sql`
          delete from ${sql.table(table)} where ctid = any (array(
            select ctid from ${sql.table(table)} where expires_at <= ${now} limit ${limit}
          ))`.execute(db),
      signal,
    );
}
