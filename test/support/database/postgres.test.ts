import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from './postgres.ts';

test('two test databases are migrated, empty and independent', async () => {
  const one = await testDatabase();
  const two = await testDatabase();
  try {
    const user = { id: 'u1', email: 'a@example.com', name: 'A', plan: 'pro' };
    await one.db.insertInto('users').values(user).execute();
    await two.db.insertInto('users').values(user).execute();
    expect(await one.db.selectFrom('users').select('email').execute()).toEqual([{ email: 'a@example.com' }]);
  } finally {
    await one.close();
    await two.close();
  }
});

test('closing a test database drops it', async () => {
  const closed = await testDatabase();
  const name = new URL(closed.url).pathname.slice(1);
  const other = await testDatabase();
  try {
    await closed.close();
    const { rows } = await sql`select from pg_database where datname = ${name}`.execute(other.db);
    expect(rows).toEqual([]);
  } finally {
    await other.close();
  }
});
