import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { prepareStatements } from './prepared-statements.ts';
import type { DB } from './schema.gen.ts';

/** The database or a transaction on it. Queries take it as their first parameter and work with either. */
export type Db = Kysely<DB> | Transaction<DB>;

export interface Database {
  readonly db: Kysely<DB>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export function openDatabase(url: string, options: { max?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'crier',
    // A server that stops answering without closing the connection must not block its callers forever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 120_000,
  });
  // A connection that breaks while idle is replaced at the next query. Without this listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // When a connection breaks between two statements of a transaction, the next statement on it fails with the reason.
    client.on('error', () => {});
    prepareStatements(client);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Runs the work in the caller's transaction if there is one, or else in a new one. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
