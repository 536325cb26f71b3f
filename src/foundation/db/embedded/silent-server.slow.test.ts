import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openCable } from '../../../../test/cluster/tcp-proxy.ts';
import { testDatabase } from '../../../../test/support/database/postgres.ts';
import { openDatabase } from '../database.ts';
import { openListener } from '../listener.ts';
import { lockDataDir } from './data-dir-lock.ts';

/** The same database through a proxy whose connection can be cut. */
async function throughCable() {
  const database = await testDatabase();
  const url = new URL(database.url);
  const cable = await openCable(Number(url.port));
  url.port = String(cable.port);
  // The address of a Unix socket would bypass the proxy.
  url.searchParams.delete('host');
  return { database, cable, url: url.href };
}

test('a statement that is only slow is answered', async () => {
  const { database, cable, url } = await throughCable();
  const { db, close } = openDatabase(url);
  expect((await sql`select 1 as one, pg_sleep(12)`.execute(db)).rows).toMatchObject([{ one: 1 }]);
  await close();
  await cable[Symbol.asyncDispose]();
  await database.close();
});

test('a statement whose answer cannot come fails within 20 s, and the next one is answered when the way is open', async () => {
  const { database, cable, url } = await throughCable();
  const { db, close } = openDatabase(url);
  await sql`select 1`.execute(db);
  cable.cut();
  const started = performance.now();
  await expect(sql`select 1`.execute(db)).rejects.toThrow('no longer responds');
  expect(performance.now() - started).toBeLessThan(20_000);
  cable.repair();
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  await close();
  await cable[Symbol.asyncDispose]();
  await database.close();
});

test('a listener whose server fell silent says so within 20 s, and listens again when the way is open', async () => {
  const { database, cable, url } = await throughCable();
  const listener = await openListener(url, { failed() {}, succeeded() {} });
  const heard: string[] = [];
  listener.on('news', (text) => heard.push(text));
  cable.cut();
  await expect.poll(() => listener.connected).toBe(false);
  cable.repair();
  await expect.poll(() => listener.connected).toBe(true);
  await database.pool.query(`select pg_notify('news', 'all is well')`);
  await expect.poll(() => heard).toEqual(['all is well']);
  await listener.close();
  await cable[Symbol.asyncDispose]();
  await database.close();
});

test('the lock of a data folder whose server fell silent is taken again after a fail-over', async () => {
  const { database, cable, url } = await throughCable();
  const lock = await lockDataDir(url, '/silent/data');
  const holders = async () => {
    // Other tests lock folders in other databases of the same server.
    const { rows } = await database.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity join pg_locks using (pid)
       where datname = current_database() and application_name = 'crier-lock' and locktype = 'advisory'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const [before] = await holders();
  cable.cut();
  // A promoted standby does not have the session.
  await database.pool.query('select pg_terminate_backend($1)', [before]);
  await expect.poll(holders).toEqual([]);
  cable.failOver();
  await expect.poll(holders).toHaveLength(1);
  await lock?.release();
  await cable[Symbol.asyncDispose]();
  await database.close();
});
