import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { connectionTo } from './connection-to.ts';
import { watchForSilence } from './embedded/silent-server.ts';
import { prepareStatements } from './prepared-statements.ts';
import type { DB } from './schema.gen.ts';
import { setSession } from './session-settings.ts';

/** The database or a transaction on it. Queries take either as their first parameter. */
export type Db = Kysely<DB> | Transaction<DB>;

export interface Database {
  readonly db: Kysely<DB>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  max?: number;
  /** For session-level work. Differs from the URL behind a pooler, which shares connections. */
  directUrl?: string;
  /** False behind a pooler that does not track which statements are prepared on which connection. */
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
    // A server that stops responding without closing the connection must not block callers forever.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 120_000,
    // Session settings would leak to the pooler's other clients.
    ...(directUrl === url && { onConnect: (client) => client.query(setSession) }),
  });
  // A connection that breaks while idle is replaced at the next query. Without this listener, the error would end the
  // process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // If a connection breaks between two statements of a transaction, the next statement fails with the reason.
    client.on('error', () => {});
    if (keepsPreparedStatements) prepareStatements(client);
  });
  // A pooler's sessions are not the server's. The pooler is close by and watches the server itself.
  const stopWatching = directUrl === url ? watchForSilence(pool, url) : () => {};
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const close = () => {
    stopWatching();
    return db.destroy();
  };
  return { db, pool, close };
}

/** Runs the work in the caller's transaction, or in a new one if there is none. */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** For a transaction that waits on something other than the database, for any length of time. */
export const liftIdleLimit = (tx: Db) => sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
