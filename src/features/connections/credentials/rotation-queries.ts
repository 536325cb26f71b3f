import { sql } from 'kysely';
import { advisoryLocks } from '../../../foundation/db/advisory-locks.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { liftIdleLimit } from '../../../foundation/db/database.ts';

/** The tables with sealed records, and the columns whose values bind a record to its row. */
export const sealedTables = {
  connections: { id: 'id', sealed: 'credentials', boundTo: ['user_id', 'platform', 'account_id'] },
  webhooks: { id: 'id', sealed: 'secret', boundTo: ['id'] },
  /** A mail that was already sent has no sealed record. */
  mails: { id: 'id', sealed: 'data', boundTo: ['id'] },
  two_factors: { id: 'user_id', sealed: 'secret', boundTo: ['user_id'] },
} as const;
export type SealedTable = keyof typeof sealedTables;

export interface SealedRecord {
  id: string;
  sealed: string;
  boundTo: string[];
}

/** The second part of a sealed record is the id of the key that sealed it. */
const keyIdIn = (table: SealedTable) => sql<string>`split_part(${sql.ref(sealedTables[table].sealed)}, '.', 2)`;

/** The next rows by id whose records were sealed with another key. Locks them until the commit. */
export async function selectToReseal(tx: Db, table: SealedTable, keyId: string, after: string, limit: number) {
  const { id, sealed, boundTo } = sealedTables[table];
  const { rows } = await sql<SealedRecord>`
    select ${sql.ref(id)} as id, ${sql.ref(sealed)} as sealed, array[${sql.join(boundTo.map(sql.ref))}]::text[] as "boundTo"
    from ${sql.table(table)}
    where ${sql.ref(id)} > ${after} and ${keyIdIn(table)} <> ${keyId}
    order by ${sql.ref(id)} limit ${limit} for no key update`.execute(tx);
  return rows;
}

export interface Resealing {
  id: string;
  before: string;
  after: string;
}

/** Replaces only records that have not changed, so that newer ones are not overwritten. */
export async function replaceSealed(tx: Db, table: SealedTable, changes: readonly Resealing[]): Promise<number> {
  const { id, sealed } = sealedTables[table];
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} as stored set ${sql.ref(sealed)} = change.after
    from unnest(
      ${changes.map((change) => change.id)}::text[],
      ${changes.map(({ before }) => before)}::text[],
      ${changes.map(({ after }) => after)}::text[]
    ) as change (id, before, after)
    where stored.${sql.ref(id)} = change.id and stored.${sql.ref(sealed)} = change.before`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function selectSealingKeyIds(db: Db): Promise<string[]> {
  const tables = Object.keys(sealedTables) as SealedTable[];
  const ids = tables.map(
    (table) => sql`
      select ${keyIdIn(table)} as id from ${sql.table(table)} where ${sql.ref(sealedTables[table].sealed)} is not null`,
  );
  const { rows } = await sql<{ id: string }>`${sql.join(ids, sql` union `)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Waits for transactions that are writing to these tables, and blocks later ones until this transaction ends. */
export const blockWriters = (tx: Db) =>
  sql`lock table connections, webhooks, mails, two_factors in share row exclusive mode`.execute(tx);

/** Every running Crier instance holds the lock of its data folder on a connection with this application name. */
export async function selectServicesRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`
    select exists (
      select from pg_stat_activity where datname = current_database() and application_name = 'crier-lock'
    ) as running`.execute(db);
  return rows[0]!.running;
}

export type LockMode = 'exclusive' | 'shared';

/**
 * The lock ends with the transaction, so that it also works behind a pooler that shares connections between
 * transactions.
 */
export async function lockRotation(tx: Db, mode: LockMode) {
  await liftIdleLimit(tx);
  const lock = sql.raw(mode === 'exclusive' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  await sql`select ${lock}(${advisoryLocks.keyRotation})`.execute(tx);
}
