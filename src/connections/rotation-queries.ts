import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface SealedConnection {
  id: string;
  userId: string;
  platform: string;
  accountId: string;
  credentials: string;
}

/** The second part of a sealed record is the id of the key that sealed it. */
const credentialsKeyId = sql<string>`split_part(credentials, '.', 2)`;
const secretKeyId = sql<string>`split_part(secret, '.', 2)`;
const mailKeyId = sql<string>`split_part(data, '.', 2)`;

/** The next connections, by id, whose credentials were sealed with another key. They are locked until the commit. */
export function selectToReseal(tx: Db, keyId: string, after: string, limit: number): Promise<SealedConnection[]> {
  return tx
    .selectFrom('connections')
    .select(['id', 'user_id as userId', 'platform', 'account_id as accountId', 'credentials'])
    .where('id', '>', after)
    .where(credentialsKeyId, '<>', keyId)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
}

type Change = { id: string; before: string; after: string };

/** Replaces only credentials that are still the same as before: newer ones are not overwritten. */
export async function replaceCredentials(tx: Db, changes: readonly Change[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update connections set credentials = change.after
    from ${changeRows(changes)}
    where connections.id = change.id and connections.credentials = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export interface SealedSecret {
  id: string;
  secret: string;
}

/** As `selectToReseal`, for the signing secrets of webhooks. */
export function selectSecretsToReseal(tx: Db, keyId: string, after: string, limit: number): Promise<SealedSecret[]> {
  return tx
    .selectFrom('webhooks')
    .select(['id', 'secret'])
    .where('id', '>', after)
    .where(secretKeyId, '<>', keyId)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
}

export async function replaceSecrets(tx: Db, changes: readonly Change[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhooks set secret = change.after
    from ${changeRows(changes)}
    where webhooks.id = change.id and webhooks.secret = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export interface SealedMail {
  id: string;
  data: string;
}

/** As `selectToReseal`, for mails that wait to be sent. */
export function selectMailsToReseal(tx: Db, keyId: string, after: string, limit: number): Promise<SealedMail[]> {
  return tx
    .selectFrom('mails')
    .select(['id', 'data'])
    .where('id', '>', after)
    .where('data', 'is not', null)
    .where(mailKeyId, '<>', keyId)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .$narrowType<SealedMail>()
    .execute();
}

export async function replaceMailData(tx: Db, changes: readonly Change[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update mails set data = change.after
    from ${changeRows(changes)}
    where mails.id = change.id and mails.data = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** As `selectToReseal`, for the secrets of two-factor sign-in. Their id is that of the user. */
export function selectTwoFactorsToReseal(tx: Db, keyId: string, after: string, limit: number): Promise<SealedSecret[]> {
  return tx
    .selectFrom('two_factors')
    .select(['user_id as id', 'secret'])
    .where('user_id', '>', after)
    .where(secretKeyId, '<>', keyId)
    .orderBy('user_id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
}

export async function replaceTwoFactors(tx: Db, changes: readonly Change[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update two_factors set secret = change.after
    from ${changeRows(changes)}
    where two_factors.user_id = change.id and two_factors.secret = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

const changeRows = (changes: readonly Change[]) => sql`unnest(
    ${changes.map(({ id }) => id)}::text[],
    ${changes.map(({ before }) => before)}::text[],
    ${changes.map(({ after }) => after)}::text[]
  ) as change (id, before, after)`;

export async function selectSealingKeyIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct ${credentialsKeyId} as id from connections
    union select distinct ${secretKeyId} from webhooks
    union select distinct ${mailKeyId} from mails where data is not null
    union select distinct ${secretKeyId} from two_factors`.execute(db);
  return rows.map(({ id }) => id);
}

/** Waits for transactions that are writing to these tables, and makes later ones wait until this transaction ends. */
export const blockWriters = (tx: Db) =>
  sql`lock table connections, webhooks, mails, two_factors in share row exclusive mode`.execute(tx);

/** Every running Crier holds the lock of its data folder on a connection with this application name. */
export async function selectServicesRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (
      select from pg_stat_activity where datname = current_database() and application_name = 'crier-lock'
    ) as running`.execute(db);
  return rows[0]!.running;
}

/** The key of the advisory lock. It can be any number that nothing else in this database uses. */
const rotationLock = 7_246_045;

export type LockMode = 'exclusive' | 'shared';

export const lockRotation = (connection: Db, mode: LockMode) =>
  (mode === 'exclusive'
    ? sql`select pg_advisory_lock(${rotationLock})`
    : sql`select pg_advisory_lock_shared(${rotationLock})`
  ).execute(connection);

export const unlockRotation = (connection: Db, mode: LockMode) =>
  (mode === 'exclusive'
    ? sql`select pg_advisory_unlock(${rotationLock})`
    : sql`select pg_advisory_unlock_shared(${rotationLock})`
  ).execute(connection);
