import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/postgres.ts';
import { openDatabase } from './database.ts';
import { plannedAnew } from './prepared-statements.ts';

test('a connection that breaks between two statements fails the transaction, not the process', async () => {
  const database = await testDatabase();
  const { db, close } = openDatabase(database.url);
  const broken = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // Give the idle connection time to notice the break.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sql`select 1`.execute(tx);
  });
  await expect(broken).rejects.toThrow();
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await close();
  await database.close();
});

test('a connection prepares no endless number of statements, and no very long one', async () => {
  const database = await testDatabase();
  const { db, close } = openDatabase(database.url, { max: 1 });
  const sums = Array.from({ length: 1_200 }, (_, count) => sql`select ${1}::int + ${sql.raw(String(count))} as sum`);
  const long = sql`select ${1}::int as sum /* ${sql.raw('long '.repeat(6_000))} */`;
  for (const statement of [long, ...sums]) await statement.execute(db);
  expect((await sql<{ sum: number }>`select ${1}::int + 5000 as sum`.execute(db)).rows).toEqual([{ sum: 5001 }]);
  const { rows } = await sql<{ statements: number; longest: number }>`
    select count(*)::int as statements, max(length(statement)) as longest from pg_prepared_statements`.execute(db);
  expect(rows[0]!.statements).toBeLessThanOrEqual(1_000);
  expect(rows[0]!.longest).toBeLessThan(20_000);
  await close();
  await database.close();
});

test('a statement is prepared once on a connection, unless its plan depends on its values', async () => {
  const database = await testDatabase();
  const { db, close } = openDatabase(database.url, { max: 1 });
  const prepared = async () =>
    (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows.map(
      ({ statement }) => statement.trim(),
    );
  for (const value of [1, 2]) {
    await sql`select ${value}::int + 1`.execute(db);
    await sql`${plannedAnew} select ${value}::int + 2`.execute(db);
  }
  expect(await prepared()).toEqual(expect.arrayContaining(['select $1::int + 1']));
  expect((await prepared()).filter((statement) => statement.includes('+ 2'))).toEqual([]);
  await close();
  await database.close();
});
