import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { deleteInBatches } from '../../../foundation/db/delete-in-batches.ts';
import type { Scope } from '../../../foundation/http/scopes.ts';

export interface OAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
  secretHash: Buffer | null;
}

export const insertClient = (db: Db, client: OAuthClient, now: Date) =>
  db
    .insertInto('oauth_clients')
    .values({
      id: client.id,
      name: client.name,
      redirect_uris: client.redirectUris,
      secret_hash: client.secretHash,
      created_at: now,
    })
    .execute();

export const selectClient = (db: Db, id: string): Promise<OAuthClient | undefined> =>
  db
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirect_uris as redirectUris', 'secret_hash as secretHash'])
    .where('id', '=', id)
    .executeTakeFirst();

export interface Approval {
  grantId: string;
  clientId: string;
  userId: string;
  redirectUri: string;
  codeChallenge: string;
  resource: string;
  scopes: Scope[];
  expiresAt: Date;
}

export interface CodeRow extends Approval {
  /** Set from the start if the user denied access: the code can then be neither issued nor exchanged. */
  usedAt: Date | null;
}

/**
 * Returns false if the code was already stored: its consent has been answered, possibly just now. A code that is not
 * exchanged ends with the session in which the user approved. If `sessionId` is null, there is nothing to exchange.
 */
export async function insertCode(db: Db, codeHash: Buffer, code: CodeRow, sessionId: string | null): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('oauth_codes')
    .values({
      code_hash: codeHash,
      grant_id: code.grantId,
      client_id: code.clientId,
      user_id: code.userId,
      redirect_uri: code.redirectUri,
      code_challenge: code.codeChallenge,
      resource: code.resource,
      scopes: code.scopes,
      expires_at: code.expiresAt,
      used_at: code.usedAt,
      session_id: sessionId,
    })
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * Locks the user of a code or token. Everything that ends all access of a user locks the user first, so this must
 * also lock the user first. That prevents deadlocks, and tokens exchanged during a password reset end with it.
 */
export async function lockUserOf(tx: Db, table: 'oauth_codes' | 'oauth_refresh_tokens', hash: Buffer) {
  const column = sql.ref(table === 'oauth_codes' ? 'code_hash' : 'token_hash');
  await sql`
    select from users where id = (select user_id from ${sql.table(table)} where ${column} = ${hash})
    for no key update`.execute(tx);
}

/** Locks the code, so that one of two concurrent exchanges sees the other. */
export const lockCode = (tx: Db, codeHash: Buffer, clientId: string): Promise<CodeRow | undefined> =>
  tx
    .selectFrom('oauth_codes')
    .select([
      'grant_id as grantId',
      'client_id as clientId',
      'user_id as userId',
      'redirect_uri as redirectUri',
      'code_challenge as codeChallenge',
      'resource',
      'scopes',
      'expires_at as expiresAt',
      'used_at as usedAt',
    ])
    .$narrowType<{ scopes: Scope[] }>()
    .where('code_hash', '=', codeHash)
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();

/** From now on the code does not end with the session, so that a second use is noticed. */
export const markCodeUsed = (tx: Db, codeHash: Buffer, now: Date) =>
  tx.updateTable('oauth_codes').set({ used_at: now, session_id: null }).where('code_hash', '=', codeHash).execute();

export interface RefreshToken {
  grantId: string;
  clientId: string;
  userId: string;
  keyId: string;
  resource: string;
}

/** The client counts as used whenever it gets a token. */
export async function insertRefreshToken(tx: Db, tokenHash: Buffer, token: RefreshToken, now: Date) {
  await tx
    .insertInto('oauth_refresh_tokens')
    .values({
      token_hash: tokenHash,
      grant_id: token.grantId,
      client_id: token.clientId,
      user_id: token.userId,
      key_id: token.keyId,
      resource: token.resource,
      created_at: now,
    })
    .execute();
  await tx.updateTable('oauth_clients').set({ last_used_at: now }).where('id', '=', token.clientId).execute();
}

export const lockRefreshToken = (
  tx: Db,
  tokenHash: Buffer,
  clientId: string,
): Promise<(RefreshToken & { usedAt: Date | null }) | undefined> =>
  tx
    .selectFrom('oauth_refresh_tokens')
    .select([
      'grant_id as grantId',
      'client_id as clientId',
      'user_id as userId',
      'key_id as keyId',
      'resource',
      'used_at as usedAt',
    ])
    .where('token_hash', '=', tokenHash)
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst();

export const markRefreshTokenUsed = (tx: Db, tokenHash: Buffer, now: Date) =>
  tx.updateTable('oauth_refresh_tokens').set({ used_at: now }).where('token_hash', '=', tokenHash).execute();

/** The active keys that were created from one approval: each refresh has revoked the earlier ones. */
export const selectKeysOfGrant = (tx: Db, grantId: string): Promise<{ userId: string; keyId: string }[]> =>
  tx
    .selectFrom('oauth_refresh_tokens as token')
    .innerJoin('api_keys as key', 'key.id', 'token.key_id')
    .select(['token.user_id as userId', 'token.key_id as keyId'])
    .where('token.grant_id', '=', grantId)
    .where('key.revoked_at', 'is', null)
    .execute();

/** An unused client is deleted after a week, a used one 90 days after its last key ended. */
export async function deleteStaleOAuth(db: Db, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await db.deleteFrom('oauth_codes').where('expires_at', '<', before(1)).execute();
  // With their refresh tokens.
  await deleteInBatches((limit) =>
    sql`
    delete from api_keys where id in (
      select id from api_keys where revoked_at < ${before(30)} limit ${limit}
    )`.execute(db),
  );
  await sql`
    delete from oauth_clients as client
    where (last_used_at < ${before(90)} or (last_used_at is null and created_at < ${before(7)}))
      and not exists (
        select from oauth_refresh_tokens as token join api_keys as key on key.id = token.key_id
        where token.client_id = client.id and key.revoked_at is null
      )`.execute(db);
}
