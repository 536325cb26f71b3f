import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../../src/foundation/db/database.ts';
import { eventually } from '../eventually.ts';

export interface TestDatabase extends Database {
  readonly url: string;
}

/** A migrated, empty database for one test file. `close()` drops it, along with the connections to it. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('databaseTemplateUrl'));
  const name = `crier_test_${randomBytes(6).toString('hex')}`;
  // Copying files took 20 to 32 ms here, the default strategy 45 to 125 ms.
  await asAdmin(
    `create database ${name} template ${template.pathname.slice(1)} owner ${template.username} strategy file_copy`,
  );
  const url = new URL(template);
  url.pathname = name;
  const { db, pool, close } = openDatabase(url.href, { max: 3 });
  return {
    url: url.href,
    db,
    pool,
    async close() {
      await close();
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

/** Resolves once a session of this database waits for a lock. */
export const lockIsAwaited = ({ pool }: Pick<TestDatabase, 'pool'>) =>
  eventually(
    async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      if ((await pool.query(waiting)).rowCount === 0) throw new Error('No session waits for a lock.');
    },
    { interval: 10 },
  );

async function asAdmin(statement: string) {
  const client = new pg.Client({ connectionString: inject('databaseAdminUrl'), application_name: 'crier-test' });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
