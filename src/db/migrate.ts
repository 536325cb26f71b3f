import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { connectionTo } from './connection-to.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** The key of the advisory lock. It can be any number that nothing else in this database uses. */
const migrationLock = 7_246_041;

/**
 * Applies the migrations that are missing and returns their names. Several processes may call it at once: one applies them,
 * the others wait. With `only`, later ones are left for another call. The lock needs a connection that no pooler shares.
 */
export async function migrate(databaseUrl: string, only?: readonly string[]): Promise<string[]> {
  const { Client, connectionString } = connectionTo(databaseUrl);
  const client = new Client({ connectionString, application_name: 'crier-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const known = await migrationNames();
    refuseUnknown(
      rows.map(({ name }) => name),
      known,
    );
    refuseUnknown(only ?? [], known);
    const wanted = only ? known.filter((name) => only.includes(name)) : known;
    const pending = wanted.filter((name) => !rows.some((row) => row.name === name));
    for (const name of pending) await apply(client, name);
    return pending;
  } finally {
    // The lock ends with the connection.
    await client.end();
  }
}

/** The operator can fix it; see the message. */
export class OtherVersionError extends Error {
  override name = 'OtherVersionError';
}

/** Tables of a newer version, or of one from before the first release, do not fit this code. */
function refuseUnknown(applied: readonly string[], known: readonly string[]) {
  const unknown = applied.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new OtherVersionError(
    `The database was made by another version of Crier (it has the migration ${unknown}). ` +
      'Start that version, or use an empty database: set DATABASE_URL or DATA_DIR to another one.',
  );
}

export async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

async function apply(client: pg.Client, name: string) {
  await client.query('begin');
  try {
    await client.query(await readFile(new URL(name, folder), 'utf8'));
    await client.query('insert into migrations (name) values ($1)', [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
