import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaSql } from '../../scripts/schema-sql.ts';
import { type TestDatabase, testDatabase } from '../../test/support/postgres.ts';
import { migrate, migrationNames } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const empty = () => database.pool.query('drop schema public cascade; create schema public');

test('several processes that start on an empty database apply each migration once', async () => {
  await empty();
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([await migrationNames(), [], []]);
});

test('a migrated database has nothing left to apply', async () => {
  await migrate(database.url);
  expect(await migrate(database.url)).toEqual([]);
});

test('schema.sql creates the same schema as the migrations', async () => {
  const text = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8');
  await empty();
  await database.pool.query(text);
  const withoutComments = (schema: string) => schema.replaceAll(/^ *--.*\n/gm, '');
  expect(withoutComments(await schemaSql(database.url))).toBe(withoutComments(text));
});

test('a database of another version is refused and not changed', async () => {
  await empty();
  await migrate(database.url);
  await database.pool.query(`insert into migrations (name) values ('9999-future.sql')`);
  await expect(migrate(database.url)).rejects.toThrow(
    'The database was made by another version of Crier (it has the migration 9999-future.sql).',
  );
});
