import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Account } from '../platforms/kit/index.ts';
import type { StoredConnection } from './connections.ts';

export interface NewConnection {
  id: string;
  userId: string;
  platform: string;
  account: Account;
  credentials: string;
  scopes: string[];
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
  now: Date;
}

/** New credentials are evidence that the connection works again: the flag and the cool-down go. */
export const upsertConnection = (db: Db, { id, userId, platform, account, ...grant }: NewConnection) =>
  sql`
    insert into connections (id, user_id, platform, account_id, handle, display_name, avatar_url, profile_url, traits,
      credentials, scopes, expires_at, refresh_expires_at, account_read_at, created_at, updated_at)
    values (${id}, ${userId}, ${platform}, ${account.id}, ${account.handle}, ${account.displayName}, ${account.avatarUrl},
      ${account.profileUrl}, ${JSON.stringify(account.traits)}::jsonb, ${grant.credentials}, ${grant.scopes},
      ${grant.expiresAt}, ${grant.refreshExpiresAt}, ${grant.now}, ${grant.now}, ${grant.now})
    on conflict (user_id, platform, account_id) do update set
      handle = excluded.handle, display_name = excluded.display_name, avatar_url = excluded.avatar_url,
      profile_url = excluded.profile_url, traits = excluded.traits, credentials = excluded.credentials,
      scopes = excluded.scopes, expires_at = excluded.expires_at, refresh_expires_at = excluded.refresh_expires_at,
      account_read_at = excluded.account_read_at, renewing_until = null, updated_at = excluded.updated_at,
      reconnect_required_at = null, cool_down_until = null`.execute(db);

export interface SealedConnection {
  id: string;
  userId: string;
  platform: string;
  accountId: string;
  credentials: string;
}

/** The id of the key is the second part of a sealed record. */
const sealedWith = sql`split_part(credentials, '.', 2)`;

/** The next connections, by id, whose credentials were sealed with another key. Nobody changes them until we commit. */
export async function selectToReseal(tx: Db, keyId: string, after: string, limit: number): Promise<SealedConnection[]> {
  const { rows } = await sql<SealedConnection>`
    select id, user_id as "userId", platform, account_id as "accountId", credentials
    from connections where id > ${after} and ${sealedWith} <> ${keyId}
    order by id limit ${limit}
    for no key update`.execute(tx);
  return rows;
}

/** Only where the credentials are still what they were: newer ones are not overwritten. */
export async function replaceCredentials(
  tx: Db,
  changes: readonly { id: string; before: string; after: string }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update connections set credentials = change.after
    from unnest(
      ${changes.map(({ id }) => id)}::text[],
      ${changes.map(({ before }) => before)}::text[],
      ${changes.map(({ after }) => after)}::text[]
    ) as change (id, before, after)
    where connections.id = change.id and connections.credentials = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function selectSealingKeyIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct ${sealedWith} as id from connections`.execute(db);
  return rows.map(({ id }) => id);
}

/** Waits for those who are writing connections, and holds back others, until the transaction ends. */
export const excludeWriters = (tx: Db) => sql`lock table connections in share row exclusive mode`.execute(tx);

/** By the lock that each running Crier holds on its data folder, on a connection of that name. */
export async function selectServicesRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (
      select from pg_stat_activity where datname = current_database() and application_name = 'crier-lock'
    ) as running`.execute(db);
  return rows[0]!.running;
}

/** Any number: one that nobody else in this database uses. */
const rotationLock = 7_246_045;

export const lockRotation = (connection: Db, mode: 'alone' | 'sharing') =>
  (mode === 'alone'
    ? sql`select pg_advisory_lock(${rotationLock})`
    : sql`select pg_advisory_lock_shared(${rotationLock})`
  ).execute(connection);

export const unlockRotation = (connection: Db, mode: 'alone' | 'sharing') =>
  (mode === 'alone'
    ? sql`select pg_advisory_unlock(${rotationLock})`
    : sql`select pg_advisory_unlock_shared(${rotationLock})`
  ).execute(connection);

const stored = sql`id, user_id as "userId", platform, account_id as "accountId", handle, display_name as "displayName",
  avatar_url as "avatarUrl", profile_url as "profileUrl", traits, credentials, expires_at as "expiresAt"`;

export async function findConnection(db: Db, id: string): Promise<StoredConnection | null> {
  const { rows } = await sql<StoredConnection>`select ${stored} from connections where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

type Held = Pick<StoredConnection, 'id' | 'credentials'>;

/** False if somebody else is at it, or has been: then the credentials are others. */
export async function claimRenewal(db: Db, { id, credentials }: Held, now: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    update connections set renewing_until = ${until}
    where id = ${id} and credentials = ${credentials} and (renewing_until is null or renewing_until <= ${now})
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Only over the credentials that were renewed: those of a reconnection meanwhile are newer. */
export const storeRenewal = (
  db: Db,
  { id, credentials: before }: Held,
  fresh: { credentials: string; expiresAt: Date | null; refreshExpiresAt?: Date | null | undefined },
  now: Date,
) =>
  sql`
    update connections set credentials = ${fresh.credentials}, expires_at = ${fresh.expiresAt}, renewing_until = null,
      refresh_expires_at = ${fresh.refreshExpiresAt === undefined ? sql`refresh_expires_at` : fresh.refreshExpiresAt},
      updated_at = ${now}
    where id = ${id} and credentials = ${before}`.execute(db);

export const endRenewal = (db: Db, { id, credentials }: Held) =>
  sql`update connections set renewing_until = null where id = ${id} and credentials = ${credentials}`.execute(db);
