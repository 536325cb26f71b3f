import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { connectionTo } from './connection-to.ts';
import { watchForSilence } from './embedded/silent-server.ts';
import { prepareStatements } from './prepared-statements.ts';
import type { DB } from './schema.gen.ts';
import { setSession } from './session-settings.ts';

/** The database or a transaction on it. Queries take it as their first parameter and work with either. */
export type Db = Kysely<DB> | Transaction<DB>;

export interface Database {
  readonly db: Kysely<DB>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  max?: number;
  /** What lasts longer than a transaction goes there. It differs from the URL behind a pooler, which shares connections. */
  directUrl?: string;
  /** False behind a pooler that does not know what is prepared on which connection. */
  keepsPreparedStatements?: boolean;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { max = 10, directUrl = url, keepsPreparedStatements = true } = options;
  const pool = new pg.Pool({
    ...connectionTo(url),
    max,
    idleTimeoutMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'crier',
    // A server that stops answering without closing the connection must not block its callers forever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 120_000,
    // Settings of a pooler's session would stay behind for other clients.
    ...(directUrl === url && { onConnect: (client) => client.query(setSession) }),
  });
  // A connection that breaks while idle is replaced at the next query. Without this listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // When a connection breaks between two statements of a transaction, the next statement on it fails with the reason.
    client.on('error', () => {});
    if (keepsPreparedStatements) prepareStatements(client);
  });
  // The sessions of a pooler are not those of the server. It stands near, and watches the server itself.
  const stopWatching = directUrl === url ? watchForSilence(pool, url) : () => {};
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    stopWatching();
    return db.destroy();
  };
  return { db, pool, close };
}

/** Runs the work in the caller's transaction if there is one, or else in a new one. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** For a transaction that waits for something other than the database, however long that takes. */
export const liftIdleLimit = (tx: Db) => sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
