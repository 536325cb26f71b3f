import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { prepareStatements } from './prepared-statements.ts';
import type { DB } from './schema.gen.ts';

/** The database, or a transaction on it: queries take it as their first parameter and do not care which. */
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
    // A server that fell silent, without closing the connection, must not hold up whoever asked it for ever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 120_000,
  });
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // One that breaks while in use, between two statements: the next statement on it fails, and says why.
    client.on('error', () => {});
    prepareStatements(client);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** In the caller's transaction, or in one of its own. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
