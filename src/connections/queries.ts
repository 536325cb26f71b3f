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

export interface SealedSecret {
  id: string;
  secret: string;
}

/** The same of the secrets that sign what webhooks are told. */
export async function selectSecretsToReseal(
  tx: Db,
  keyId: string,
  after: string,
  limit: number,
): Promise<SealedSecret[]> {
  const { rows } = await sql<SealedSecret>`
    select id, secret from webhooks where id > ${after} and split_part(secret, '.', 2) <> ${keyId}
    order by id limit ${limit}
    for no key update`.execute(tx);
  return rows;
}

export async function replaceSecrets(
  tx: Db,
  changes: readonly { id: string; before: string; after: string }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhooks set secret = change.after
    from unnest(
      ${changes.map(({ id }) => id)}::text[],
      ${changes.map(({ before }) => before)}::text[],
      ${changes.map(({ after }) => after)}::text[]
    ) as change (id, before, after)
    where webhooks.id = change.id and webhooks.secret = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function selectSealingKeyIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct ${sealedWith} as id from connections
    union select distinct split_part(secret, '.', 2) from webhooks`.execute(db);
  return rows.map(({ id }) => id);
}

/** Waits for those who are writing connections, and holds back others, until the transaction ends. */
export const blockWriters = (tx: Db) => sql`lock table connections, webhooks in share row exclusive mode`.execute(tx);

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

export interface ConnectionRow extends StoredConnection {
  scopes: string[];
  refreshExpiresAt: Date | null;
  reconnectRequiredAt: Date | null;
  lastSuccessAt: Date | null;
  lastError: { message: string; occurredAt: string } | null;
}

const row = sql`${stored}, scopes, refresh_expires_at as "refreshExpiresAt",
  reconnect_required_at as "reconnectRequiredAt", last_success_at as "lastSuccessAt", last_error as "lastError"`;

export async function selectConnections(db: Db, userId: string): Promise<ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select ${row} from connections where user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}

export async function findByAccount(db: Db, userId: string, platform: string, accountId: string) {
  const { rows } = await sql<ConnectionRow>`
    select ${row} from connections
    where user_id = ${userId} and platform = ${platform} and account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

export async function findByAccounts(
  db: Db,
  userId: string,
  accounts: readonly { platform: string; accountId: string }[],
): Promise<StoredConnection[]> {
  const { rows } = await sql<StoredConnection>`
    select ${stored} from connections
    where user_id = ${userId} and (platform, account_id) in (
      select * from unnest(
        ${accounts.map(({ platform }) => platform)}::text[],
        ${accounts.map(({ accountId }) => accountId)}::text[]
      )
    )`.execute(db);
  return rows;
}

/** The network has just said who we are: that is evidence that the connection works. */
export const recordAccount = (db: Db, id: string, account: Account, now: Date) =>
  sql`
    update connections set handle = ${account.handle}, display_name = ${account.displayName},
      avatar_url = ${account.avatarUrl}, profile_url = ${account.profileUrl},
      traits = ${JSON.stringify(account.traits)}::jsonb, account_read_at = ${now}, reconnect_required_at = null
    where id = ${id}`.execute(db);

/** The network refused these very credentials. */
export const recordRefusal = (
  db: Db,
  { id, credentials }: Held,
  lastError: { message: string; occurredAt: string },
  now: Date,
) =>
  sql`
    update connections set reconnect_required_at = ${now}, last_error = ${JSON.stringify(lastError)}::jsonb
    where id = ${id} and credentials = ${credentials}`.execute(db);

/** The comments of a target without its account: those still to come are not posted, and say so. */
export const commentsSkipped = sql`(
  select jsonb_agg(case when result ->> 'status' = 'pending'
    then result || '{"status": "skipped", "skipReason": "connection_unavailable"}' else result end order by place)
  from jsonb_array_elements(first_comment_results) with ordinality as item (result, place)
)`;

/**
 * False if it was not there. Posts that wait for it are drafts again when they are due; comments that wait under published
 * ones are not posted, and say so.
 */
export async function deleteConnection(db: Db, userId: string, platform: string, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    -- Targets before their connection, as publishers do: nobody waits for somebody who waits for him.
    with active as materialized (
      select platform_posts.id from platform_posts join connections on connections.id = connection_id
      where connections.user_id = ${userId} and connections.platform = ${platform} and connections.account_id = ${accountId}
        and (run_at is not null or platform_posts.status = 'scheduled')
      order by platform_posts.id for update of platform_posts
    ),
    gone as materialized (
      select id from connections
      where user_id = ${userId} and platform = ${platform} and account_id = ${accountId}
        and (select count(*) from active) >= 0
      for update
    ),
    silenced as (
      update platform_posts set run_at = null, first_comment_results = ${commentsSkipped}
      from gone where connection_id = gone.id and status = 'published' and run_at is not null
    )
    delete from connections using gone where connections.id = gone.id returning 1`.execute(db);
  return rows.length > 0;
}

export interface Flow {
  userId: string;
  platform: string;
  secrets: string;
}

export const insertFlow = (db: Db, stateHash: Buffer, flow: Flow, expiresAt: Date) =>
  sql`insert into oauth_flows (state_hash, user_id, platform, secrets, expires_at)
    values (${stateHash}, ${flow.userId}, ${flow.platform}, ${flow.secrets}, ${expiresAt})`.execute(db);

/** A state works once. */
export async function takeFlow(db: Db, stateHash: Buffer, now: Date): Promise<Flow | null> {
  const { rows } = await sql<Flow & { expires_at: Date }>`
    delete from oauth_flows where state_hash = ${stateHash}
    returning user_id as "userId", platform, secrets, expires_at`.execute(db);
  const [flow] = rows;
  return flow && flow.expires_at > now ? flow : null;
}

export const insertChoice = (
  db: Db,
  choice: { id: string } & Omit<Flow, 'secrets'> & { grants: string },
  expiresAt: Date,
) =>
  sql`insert into account_choices (id, user_id, platform, grants, expires_at)
    values (${choice.id}, ${choice.userId}, ${choice.platform}, ${choice.grants}, ${expiresAt})`.execute(db);

export async function findChoice(db: Db, userId: string, id: string, now: Date) {
  const { rows } = await sql<{ platform: string; grants: string }>`
    select platform, grants from account_choices
    where id = ${id} and user_id = ${userId} and expires_at > ${now}`.execute(db);
  return rows[0] ?? null;
}

export async function takeChoice(db: Db, userId: string, id: string, now: Date) {
  const { rows } = await sql<{ platform: string; grants: string; expires_at: Date }>`
    delete from account_choices where id = ${id} and user_id = ${userId}
    returning platform, grants, expires_at`.execute(db);
  const [choice] = rows;
  return choice && choice.expires_at > now ? choice : null;
}

export async function deleteExpiredFlows(db: Db, now: Date) {
  await sql`delete from oauth_flows where expires_at <= ${now}`.execute(db);
  await sql`delete from account_choices where expires_at <= ${now}`.execute(db);
}

/** Long-lived credentials that end soon, and were not renewed in the last day. */
export async function selectEndingSoon(db: Db, now: Date, before: Date, limit: number): Promise<StoredConnection[]> {
  const { rows } = await sql<StoredConnection>`
    select ${stored} from connections
    where expires_at between ${now} and ${before} and expires_at - updated_at > interval '2 days'
      and updated_at < ${now}::timestamptz - interval '1 day' and reconnect_required_at is null
    order by expires_at limit ${limit}`.execute(db);
  return rows;
}

/** True for one asker, if the account was last read before then. */
export async function claimAccountRefresh(db: Db, id: string, now: Date, before: Date): Promise<boolean> {
  const { rows } = await sql`
    update connections set account_read_at = ${now}
    where id = ${id} and coalesce(account_read_at, created_at) < ${before} returning 1`.execute(db);
  return rows.length > 0;
}
