import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/postgres.ts';
import { openDatabase } from './database.ts';
import { retryTransient } from './retry-transient.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** A statement that fails in PostgreSQL with this code. */
const failWith = (code: string) =>
  database.pool.query(`do $$ begin raise exception 'It failed.' using errcode = '${code}'; end $$`);

/** Work that fails once in each of these ways, and then succeeds. */
function work(...failures: (() => Promise<unknown>)[]) {
  let runs = 0;
  const done = async () => {
    runs += 1;
    await failures[runs - 1]?.();
    return 'done';
  };
  return { done, runs: () => runs };
}

async function expectNoRetry(failing: () => Promise<unknown>, failure: object) {
  const { done, runs } = work(failing);
  await expect(retryTransient(done)).rejects.toMatchObject(failure);
  expect(runs()).toBe(1);
}

test('work that succeeds is done once', async () => {
  const { done, runs } = work();
  expect(await retryTransient(done)).toBe('done');
  expect(runs()).toBe(1);
});

test('work is retried until a database that could not be reached is back', async () => {
  const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  const unreachable = new pg.Pool({ connectionString: 'postgres://crier:x@127.0.0.1:1/crier' });
  const { done, runs } = work(refused, () => unreachable.query('select 1'));
  expect(await retryTransient(done)).toBe('done');
  expect(runs()).toBe(3);
  await unreachable.end();
});

test.for<[what: string, code: string]>([
  ['starts or stops', '57P03'],
  ['ends our connection', '57P01'],
  ['rolled it back to resolve a deadlock', '40P01'],
  ['waited too long for a lock', '55P03'],
  ['has too many connections', '53300'],
  ['is a standby, because another server takes over', '25006'],
])('work is retried when PostgreSQL %s (%s)', async ([, code]) => {
  const { done, runs } = work(() => failWith(code));
  expect(await retryTransient(done)).toBe('done');
  expect(runs()).toBe(2);
});

test.for(['23505', '22P02', '42P01', 'P0001'])(
  'an error that would occur again (%s) is thrown immediately',
  async (code) => {
    await expectNoRetry(() => failWith(code), { code });
  },
);

test('work on a pool that we closed ourselves is not retried', async () => {
  const { db, pool, close } = openDatabase(database.url);
  await db.selectFrom('workers').select('id').execute();
  await close();
  await expectNoRetry(() => pool.query('select 1'), { message: 'Cannot use a pool after calling end on the pool' });
  await expectNoRetry(() => db.selectFrom('workers').select('id').execute(), {
    message: expect.stringContaining('destroyed'),
  });
});
