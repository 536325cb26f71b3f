import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/postgres.ts';
import { retryWhileDown } from './database-down.ts';
import { openDedicatedConnection } from './dedicated-connection.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

function aLog() {
  const lines: string[] = [];
  const add = (text: string) => void lines.push(text);
  return { lines, log: { warn: add, info: add } };
}

/** Nothing listens there. */
const nowhere = 'postgres://crier:hush@127.0.0.1:1/crier';
const connectTo = async (url: string) => (await openDedicatedConnection(url, 'crier-test')).end();

const changed = (change: (url: URL) => void) => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

describe('a step of a start that finds the database down', () => {
  test('is repeated until the database is back, with one line when it goes and one when it returns', async () => {
    const { lines, log } = aLog();
    let runs = 0;
    const answer = await retryWhileDown(log)(async () => {
      runs += 1;
      await connectTo(runs < 3 ? nowhere : database.url);
      return 'started';
    });
    expect([answer, runs]).toEqual(['started', 3]);
    expect(lines).toEqual([
      'the database does not respond (connect ECONNREFUSED 127.0.0.1:1): Crier retries for 60 seconds',
      'the database responds again',
    ]);
  });

  test('ends with a sentence after a limited time', async () => {
    const given = retryWhileDown(aLog().log, { waitSeconds: 1 })(() => connectTo(nowhere));
    await expect(given).rejects.toThrow(
      'The database did not respond for 1 seconds (connect ECONNREFUSED 127.0.0.1:1). Check that the server is running, then start Crier again.',
    );
  });

  test('is not repeated once the start is cancelled', async () => {
    const throwIfCancelled = () => {
      throw new Error('Stopped during startup.');
    };
    const given = retryWhileDown(aLog().log, { throwIfCancelled })(() => connectTo(nowhere));
    await expect(given).rejects.toThrow('Stopped during startup.');
  });

  test('is repeated if its connection breaks in the middle', async () => {
    const { lines, log } = aLog();
    let runs = 0;
    await retryWhileDown(log)(async () => {
      runs += 1;
      if (runs === 1) await database.pool.query('select pg_terminate_backend(pg_backend_pid())');
    });
    expect([runs, lines.length]).toEqual([2, 2]);
  });
});

test.each<[what: string, failing: () => Promise<unknown>]>([
  ['a wrong password', () => connectTo(changed((url) => Object.assign(url, { password: 'wrong' })))],
  ['a database that does not exist', () => connectTo(changed((url) => Object.assign(url, { pathname: '/missing' })))],
  ['a mistake in a statement', () => database.pool.query('select from nowhere')],
  ['a migration that is missing', () => migrate(database.url, { only: ['9999-missing.sql'] })],
  ['any other error', async () => Promise.reject(new Error('It failed.'))],
])('%s is not repeated', async (_, failing) => {
  const { lines, log } = aLog();
  await expect(retryWhileDown(log)(failing)).rejects.toThrow();
  expect(lines).toEqual([]);
});
