import type { Db } from '../../../foundation/db/database.ts';

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

export const insertFlow = (db: Db, stateHash: Buffer, flow: Flow & Begun, expiresAt: Date) =>
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
 * Deletes the flow, because a state works once. Null if its owner has none or it has expired. Attempts by others do
 * not consume the state.
 */
export async function takeFlow(
  db: Db,
  stateHash: Buffer,
  owner: Pick<Begun, 'userId' | 'linkHash'>,
  now: Date,
): Promise<Flow | null> {
  const flow = await db
    .deleteFrom('oauth_flows')
    .where('state_hash', '=', stateHash)
    .where('user_id', '=', owner.userId)
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

export const insertChoice = (db: Db, choice: AccountChoice & Begun & { id: string }, expiresAt: Date) =>
  db
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

export async function deleteExpiredFlows(db: Db, now: Date) {
  await db.deleteFrom('oauth_flows').where('expires_at', '<=', now).execute();
  await db.deleteFrom('account_choices').where('expires_at', '<=', now).execute();
}
