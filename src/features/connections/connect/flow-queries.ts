import type { Db } from '../../../foundation/db/database.ts';

export interface Flow {
  userId: string;
  platform: string;
  secrets: string;
  /** Of the connection link whose page started the flow. Null: a signed-in person did. */
  linkHash: Buffer | null;
}

/** The session in which a flow or a choice began, and with which it ends. Null: it began on the page of a connection link. */
type Begun<T> = T & { sessionId: string | null };

export const insertFlow = (db: Db, stateHash: Buffer, flow: Begun<Flow>, expiresAt: Date) =>
  db
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

/**
 * Deletes the flow, because a state works once. Null if its owner has none, or if it has expired. What others try with the
 * state does not use it up.
 */
export async function takeFlow(
  db: Db,
  stateHash: Buffer,
  owner: Pick<Flow, 'userId' | 'linkHash'>,
  now: Date,
): Promise<Flow | null> {
  const flow = await db
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', stateHash)
    .where('user_id', '=', owner.userId)
    .where('link_hash', 'is not distinct from', owner.linkHash)
    .returning(['user_id as userId', 'platform', 'secrets', 'link_hash as linkHash', 'expires_at as expiresAt'])
    .executeTakeFirst();
  return flow && flow.expiresAt > now ? flow : null;
}

export interface AccountChoice {
  platform: string;
  /** Encrypted. */
  grants: string;
}

export const insertChoice = (db: Db, choice: Begun<AccountChoice & { id: string; userId: string }>, expiresAt: Date) =>
  db
    .insertInto('account_choices')
    .values({
      id: choice.id,
      user_id: choice.userId,
      platform: choice.platform,
      grants: choice.grants,
      session_id: choice.sessionId,
      expires_at: expiresAt,
    })
    .execute();

export async function findChoice(db: Db, userId: string, id: string, now: Date): Promise<AccountChoice | null> {
  const choice = await db
    .selectFrom('account_choices')
    .select(['platform', 'grants'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return choice ?? null;
}

/** Deletes the choice. False if another request was faster, or if it has expired. */
export async function takeChoice(db: Db, userId: string, id: string, now: Date): Promise<boolean> {
  const choice = await db
    .deleteFrom('account_choices')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('expires_at as expiresAt')
    .executeTakeFirst();
  return choice !== undefined && choice.expiresAt > now;
}

export async function deleteExpiredFlows(db: Db, now: Date) {
  await db.deleteFrom('oauth_flows').where('expires_at', '<=', now).execute();
  await db.deleteFrom('account_choices').where('expires_at', '<=', now).execute();
}
