import { sql } from 'kysely';
import { anyOf } from '../../foundation/db/any-of.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { type Account, safeAccount } from '../../platforms/kit/index.ts';
import { detachSome } from './detach-queries.ts';

/** The columns needed to act as the account. */
export interface StoredConnection {
  id: string;
  userId: string;
  platform: string;
  accountId: string;
  handle: string;
  displayName: string;
  avatarUrl: string | null;
  profileUrl: string | null;
  traits: { [name: string]: Json };
  /** Encrypted. */
  credentials: string;
  expiresAt: Date | null;
}

export interface NewConnection {
  id: string;
  userId: string;
  platform: string;
  account: Account;
  sandbox: boolean;
  credentials: string;
  scopes: string[];
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
  now: Date;
}

/**
 * Returns true if the connection is new. New credentials prove that it works again, so the reconnect flag and the
 * cooldown are cleared.
 */
export async function upsertConnection(
  db: Db,
  { id, userId, platform, account, now, ...grant }: NewConnection,
): Promise<boolean> {
  const values = {
    ...accountColumns(account, now),
    sandbox: grant.sandbox,
    credentials: grant.credentials,
    scopes: grant.scopes,
    expires_at: grant.expiresAt,
    refresh_expires_at: grant.refreshExpiresAt,
    updated_at: now,
  };
  const stored = await db
    .insertInto('connections')
    .values({ id, user_id: userId, platform, account_id: account.id, created_at: now, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'platform', 'account_id'])
        .doUpdateSet({ ...values, ...working, broken_notice_at: null, renewing_until: null, cool_down_until: null }),
    )
    .returning('id')
    .executeTakeFirst();
  return stored?.id === id;
}

/** The platform has accepted the credentials, so earlier problems are resolved. */
const working = { reconnect_required_at: null, account_restricted: false, last_error: null };

/**
 * A notice is about a rejected account or a rejected renewal, and success clears only the matching one: after a
 * rejected renewal, credentials work until they expire, and a rejected account may have credentials that can be
 * renewed.
 */
const noticeIfRefused = sql<Date | null>`case when connections.reconnect_required_at is not null
  then connections.broken_notice_at end`;
export const noticeUnlessRecovered = sql<Date | null>`case when connections.reconnect_required_at is null
  then connections.broken_notice_at end`;

function accountColumns(read: Account, now: Date) {
  const { handle, displayName, avatarUrl, profileUrl, traits } = safeAccount(read);
  return {
    handle,
    display_name: displayName,
    avatar_url: avatarUrl,
    profile_url: profileUrl,
    traits: JSON.stringify(traits),
    account_read_at: now,
  };
}

const shownColumns = [
  'id',
  'user_id as userId',
  'platform',
  'account_id as accountId',
  'handle',
  'display_name as displayName',
  'avatar_url as avatarUrl',
  'profile_url as profileUrl',
  'traits',
  'expires_at as expiresAt',
] as const;
const storedColumns = [...shownColumns, 'credentials'] as const;

const selectStored = (db: Db) =>
  db.selectFrom('connections').select(storedColumns).$narrowType<{ traits: { [name: string]: Json } }>();

export async function findConnection(db: Db, id: string): Promise<StoredConnection | null> {
  return (await selectStored(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

type CredentialsInUse = Pick<StoredConnection, 'id' | 'credentials'>;

/** Returns false if another process is renewing the credentials or has already renewed them. */
export async function claimRenewal(
  db: Db,
  { id, credentials }: CredentialsInUse,
  now: Date,
  until: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ renewing_until: until })
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .where((where) => where.or([where('renewing_until', 'is', null), where('renewing_until', '<=', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A renewal that `claimRenewal` has begun. */
export interface Renewal extends CredentialsInUse {
  until: Date;
}

/**
 * Replaces only the credentials that were renewed: those of a reconnection in the meantime are newer. A rotation of the
 * sealing key changes them too, but leaves the lease.
 */
export const storeRenewal = (
  db: Db,
  { id, credentials: before, until }: Renewal,
  fresh: { credentials: string; expiresAt: Date | null; refreshExpiresAt?: Date | null | undefined },
  now: Date,
) =>
  db
    .updateTable('connections')
    .set({
      credentials: fresh.credentials,
      expires_at: fresh.expiresAt,
      // Undefined if the platform did not return it, so the column keeps its value.
      refresh_expires_at: fresh.refreshExpiresAt,
      renewing_until: null,
      updated_at: now,
      broken_notice_at: noticeIfRefused,
    })
    .where('id', '=', id)
    .where((where) => where.or([where('credentials', '=', before), where('renewing_until', '=', until)]))
    .execute();

export const endRenewal = (db: Db, { id, until }: Renewal) =>
  db
    .updateTable('connections')
    .set({ renewing_until: null })
    .where('id', '=', id)
    .where('renewing_until', '=', until)
    .execute();

export interface ConnectionRow extends StoredConnection {
  scopes: string[];
  refreshExpiresAt: Date | null;
  reconnectRequiredAt: Date | null;
  accountRestricted: boolean;
  lastSuccessAt: Date | null;
  lastError: LastError | null;
  createdAt: Date;
}

type LastError = { message: string; occurredAt: string };

const stateColumns = [
  'refresh_expires_at as refreshExpiresAt',
  'reconnect_required_at as reconnectRequiredAt',
  'account_restricted as accountRestricted',
  'last_success_at as lastSuccessAt',
  'last_error as lastError',
  'created_at as createdAt',
] as const;

const selectRows = (db: Db) =>
  selectStored(db)
    .select([...stateColumns, 'scopes'])
    .$narrowType<{ lastError: LastError | null }>();

/** A list shows neither. */
export type ListedConnection = Omit<ConnectionRow, 'credentials' | 'scopes'>;

export function selectConnections(db: Db, userIds: readonly string[]): Promise<ListedConnection[]> {
  return db
    .selectFrom('connections')
    .select([...shownColumns, ...stateColumns])
    .$narrowType<{ traits: { [name: string]: Json }; lastError: LastError | null }>()
    .where('user_id', '=', anyOf(userIds))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findByAccount(
  db: Db,
  userId: string,
  platform: string,
  accountId: string,
): Promise<ConnectionRow | null> {
  const found = await selectRows(db)
    .where('user_id', '=', userId)
    .where('platform', '=', platform)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found ?? null;
}

export function findByAccounts(
  db: Db,
  userId: string,
  accounts: readonly { platform: string; accountId: string }[],
): Promise<StoredConnection[]> {
  return selectStored(db)
    .where('user_id', '=', userId)
    .where(
      sql<boolean>`(platform, account_id) in (
        select * from unnest(
          ${accounts.map(({ platform }) => platform)}::text[],
          ${accounts.map(({ accountId }) => accountId)}::text[]
        )
      )`,
    )
    .execute();
}

/** The platform has just returned the account, which proves that the connection works. */
export const recordAccount = (db: Db, id: string, account: Account, now: Date) =>
  db
    .updateTable('connections')
    .set({ ...accountColumns(account, now), ...working, broken_notice_at: noticeUnlessRecovered })
    .where('id', '=', id)
    .execute();

/** The platform rejected exactly these credentials, or their account. Returns false if they were replaced. */
export async function recordRefusal(
  db: Db,
  { id, credentials }: CredentialsInUse,
  { message, at, accountRestricted }: { message: string; at: Date; accountRestricted: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({
      reconnect_required_at: at,
      account_restricted: accountRestricted,
      last_error: JSON.stringify({ message, occurredAt: at.toISOString() } satisfies LastError),
    })
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The connection, if its owner has not been notified yet that it is broken. */
export const claimBrokenNotice = (db: Db, id: string, now: Date) =>
  db
    .updateTable('connections')
    .set({ broken_notice_at: now })
    .where('id', '=', id)
    .where('broken_notice_at', 'is', null)
    .returning(['user_id as userId', 'platform', 'account_id as accountId', 'handle', 'display_name as displayName'])
    .executeTakeFirst();

/**
 * Returns the handle, or null if there was no such connection. Its posts are detached a few at a time, the first ones
 * here: a user can have any number of them. Scheduled posts become drafts when they are due.
 */
export async function deleteConnection(
  tx: Db,
  userId: string,
  platform: string,
  accountId: string,
): Promise<string | null> {
  const deleted = await tx
    .deleteFrom('connections')
    .where('user_id', '=', userId)
    .where('platform', '=', platform)
    .where('account_id', '=', accountId)
    .returning(['id', 'handle'])
    .executeTakeFirst();
  if (!deleted) return null;
  await detachSome(tx, sql`select ${deleted.id}::text as id`);
  return deleted.handle;
}

/** Of the user, and of the owner and all managed users together. */
export async function countConnections(
  db: Db,
  { userId, ownerId }: { userId: string; ownerId: string },
): Promise<{ ofUser: number; ofOwner: number }> {
  const { rows } = await sql<{ ofUser: number; ofOwner: number }>`
    select count(*) filter (where user_id = ${userId})::int as "ofUser", count(*)::int as "ofOwner" from connections
    where user_id in (select id from users where id = ${ownerId} or parent_user_id = ${ownerId})`.execute(db);
  return rows[0]!;
}

export const selectConnectionsOf = (db: Db, userId: string) =>
  db.selectFrom('connections').select(['platform', 'account_id as accountId']).where('user_id', '=', userId).execute();

/** The connections of all users to which this person has granted access on the network. */
export const selectGrantedBy = (db: Db, platform: string, person: string) =>
  db
    .selectFrom('connections')
    .select(['id', 'user_id as userId', 'platform', 'account_id as accountId', 'credentials'])
    .where('platform', '=', platform)
    .where((or) => or.or([or('account_id', '=', person), or(sql`traits ->> 'grantedBy'`, '=', person)]))
    .execute();

export const selectSandboxConnections = (db: Db) =>
  db
    .selectFrom('connections')
    .select(['user_id as userId', 'platform', 'account_id as accountId'])
    .where('sandbox', '=', true)
    .execute();

/** Long-lived credentials that expire soon and were not renewed in the last day. */
export function selectExpiringSoon(
  db: Db,
  now: Date,
  before: Date,
  limit: number,
): Promise<(StoredConnection & { owner: string })[]> {
  return selectStored(db)
    .select(ownerOf.as('owner'))
    .where('expires_at', '>=', now)
    .where('expires_at', '<=', before)
    .where(sql<boolean>`expires_at - updated_at > interval '2 days'`)
    .where('updated_at', '<', new Date(now.getTime() - dayMs))
    .where('reconnect_required_at', 'is', null)
    .orderBy(sql`row_number() over (partition by ${ownerOf} order by expires_at)`)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** The owner of a managed user, otherwise the user. */
const ownerOf = sql<string>`(select coalesce(parent_user_id, id) from users where users.id = connections.user_id)`;

const dayMs = 86_400_000;

/** Returns true for exactly one caller, if the account was last read before this time. */
export async function claimAccountRefresh(db: Db, id: string, now: Date, before: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ account_read_at: now })
    .where('id', '=', id)
    .where(({ eb, fn }) => eb(fn.coalesce('account_read_at', 'created_at'), '<', before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
