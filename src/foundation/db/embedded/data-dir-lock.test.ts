import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../../test/support/database/postgres.ts';
import { lockDataDir } from './data-dir-lock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a second Crier on the same data folder gets no lock until the first one releases it', async () => {
  const first = await lockDataDir(database.url, '/somewhere/data');
  expect(first).not.toBeNull();
  expect(await lockDataDir(database.url, '/somewhere/else/../data')).toBeNull();
  await first?.release();
  const next = await lockDataDir(database.url, '/somewhere/data');
  expect(next).not.toBeNull();
  await next?.release();
});

test('Criers on different data folders do not affect each other', async () => {
  const locks = [await lockDataDir(database.url, '/a/data'), await lockDataDir(database.url, '/b/data')];
  expect(locks).not.toContain(null);
  for (const lock of locks) await lock?.release();
});

test('a lock is taken again after its connection broke', async () => {
  const lock = await lockDataDir(database.url, '/broken/data');
  const lockers = async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      "select pid from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and application_name = 'crier-lock' and datname = current_database()",
    );
    return rows.map(({ pid }) => pid);
  };
  const [before] = await lockers();
  await database.pool.query('select pg_terminate_backend($1)', [before]);
  await expect.poll(lockers).toEqual([expect.not.toSatisfy((pid) => pid === before)]);
  expect(await lockDataDir(database.url, '/broken/data')).toBeNull();
  await lock?.release();
  await expect.poll(lockers).toEqual([]);
});

test('a database that cannot be reached is an error, not a refused lock', async () => {
  await expect(lockDataDir('postgres://crier:x@127.0.0.1:1/crier', '/data')).rejects.toThrow('ECONNREFUSED');
});
