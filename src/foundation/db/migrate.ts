import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { advisoryLocks } from './advisory-locks.ts';
import { connectionTo } from './connection-to.ts';
import { isBatch, type Migration, migrationNames, migrationsFolder, readMigration } from './migrations.ts';
import { setSession } from './session-settings.ts';
import { withoutComments } from './sql-statements.ts';

export interface MigrateOptions {
  /** Migrations not listed are left for another call. */
  only?: readonly string[];
  folder?: URL;
  /** Called before each migration, and after each batch of an online one. */
  onProgress?(progress: { migration: Migration; rows: number }): void;
}

/**
 * Applies missing migrations and returns their names. Several processes may call it at the same time: one applies them,
 * the others wait. The lock needs a connection that no pooler shares.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const { only, folder = migrationsFolder, onProgress = () => {} } = options;
  return connected(databaseUrl, async (client) => {
    await waitForLock(client);
    const known = await migrationNames(folder);
    const pending = pendingOf(await appliedMigrations(client), known, only);
    if (pending.length === 0) return [];
    await client.query(createMigrations);
    for (const name of pending) {
      const migration = await readMigration(name, folder);
      onProgress({ migration, rows: 0 });
      try {
        if (migration.online) await applyOnline(client, migration, (rows) => onProgress({ migration, rows }));
        else await applyShort(client, migration);
      } catch (error) {
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
    }
    return pending;
  });
}

/**
 * The migrations that `migrate` would apply, in order. Changes nothing, and does not wait for a process that is
 * migrating.
 */
export async function pendingMigrations(databaseUrl: string, folder: URL = migrationsFolder): Promise<Migration[]> {
  const applied = await connected(databaseUrl, appliedMigrations);
  const pending = pendingOf(applied, await migrationNames(folder));
  return Promise.all(pending.map((name) => readMigration(name, folder)));
}

/** The operator can fix this; the message says how. */
export class OtherVersionError extends Error {
  override name = 'OtherVersionError';
}

interface Applied {
  name: string;
  additive?: boolean;
}

function pendingOf(applied: readonly Applied[], known: readonly string[], only?: readonly string[]): string[] {
  refuseUnknown(applied, known);
  refuseUnknown(
    (only ?? []).map((name) => ({ name })),
    known,
  );
  return known.filter((name) => (only?.includes(name) ?? true) && !applied.some((row) => row.name === name));
}

/**
 * This code cannot use the tables of a newer version, unless that version only added to them: during an upgrade,
 * processes of the previous version may still start.
 */
function refuseUnknown(applied: readonly Applied[], known: readonly string[]) {
  const newest = known.at(-1) ?? '';
  const unknown = applied.find(({ name, additive }) => !known.includes(name) && !(additive && name > newest));
  if (unknown === undefined) return;
  throw new OtherVersionError(
    `The database was created by another version of Crier (it has the migration ${unknown.name}). ` +
      'Start that version, or use an empty database: set DATABASE_URL or DATA_DIR to another one.',
  );
}

async function connected<T>(databaseUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const { Client, connectionString } = connectionTo(databaseUrl);
  const client = new Client({ connectionString, application_name: 'crier-migrate', connectionTimeoutMillis: 10_000 });
  // If the connection is lost, the next statement fails with the reason. Without a listener, the process would end.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(setSession);
    return await run(client);
  } finally {
    // The lock ends with the connection.
    await client.end().catch(() => {});
  }
}

const lockPollMs = 100;

/**
 * Polls instead of waiting in one statement. A waiting statement is a transaction, and `create index concurrently`
 * waits for all transactions to end.
 */
async function waitForLock(client: pg.Client) {
  const attempt = () =>
    client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [advisoryLocks.migration]);
  while (!(await attempt()).rows[0]?.locked) await sleep(lockPollMs);
}

const createMigrations = `
  create table if not exists migrations (name text primary key, applied_at timestamptz not null default now());
  alter table migrations add column if not exists additive boolean not null default false`;

async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`);
  if (!rows[0]?.exists) return [];
  return (await client.query<Applied>('select * from migrations')).rows;
}

const record = (client: pg.Client, { name, breaking }: Migration) =>
  client.query('insert into migrations (name, additive) values ($1, $2)', [name, !breaking]);

/** Statements of running processes queue behind a migration that waits for a lock, so each wait is limited to this. */
const lockTimeout = '1s';
const lockAttempts = 60;
const lockPauseMs = 1_000;
const lockNotAvailable = '55P03';

async function applyShort(client: pg.Client, migration: Migration, attempt = 1): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'`);
    await client.query(migration.text);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    const isLocked = error instanceof pg.DatabaseError && error.code === lockNotAvailable;
    if (!isLocked || attempt >= lockAttempts) throw error;
    await sleep(lockPauseMs);
    return applyShort(client, migration, attempt + 1);
  }
}

/** Each batch is a separate transaction, followed by a pause that lets other work through. */
const batchPauseMs = 20;

async function applyOnline(client: pg.Client, migration: Migration, onRows: (rows: number) => void) {
  await dropInvalidIndexes(client, migration);
  for (const statement of migration.statements) {
    let total = 0;
    for (;;) {
      const { rowCount } = await client.query(statement);
      if (!isBatch(statement) || !rowCount) break;
      total += rowCount;
      onRows(total);
      await sleep(batchPauseMs);
    }
  }
  await record(client, migration);
}

/** An interrupted `create index concurrently` leaves an invalid index behind. */
async function dropInvalidIndexes(client: pg.Client, { statements }: Migration) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = 'public'::regnamespace`,
  );
  const made = statements.map(
    (statement) => /\bconcurrently if not exists (\w+)/i.exec(withoutComments(statement))?.[1],
  );
  for (const { name } of rows.filter((row) => made.includes(row.name)))
    await client.query(`drop index concurrently ${pg.escapeIdentifier(name)}`);
}
