import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/foundation/db/database.ts';
import { openEmbedded } from '../../src/foundation/db/embedded/embedded.ts';
import { describeServer, startProcess } from '../real/servers/server.ts';
import { silentLog, temporaryFolder } from '../support/database/temporary-server.ts';
import { root } from '../support/processes/crier.ts';
import { openNetwork } from './namespaces.ts';

const prefix = '10.78.0';

await describeServer('A machine that vanishes', start, ({ machine, url, holder, close }) => {
  afterAll(close);

  test('leaves no lock behind: the server ends the session of its transaction within a minute', async () => {
    await expect.poll(() => holder.lastLine(), { timeout: 30_000 }).toBe('locked');
    const { pool, close: closePool } = openDatabase(url);
    const isFree = async () =>
      (await pool.query<{ free: boolean }>('select pg_try_advisory_xact_lock(1) as free')).rows[0]?.free;
    expect(await isFree()).toBe(false);
    await machine.cut();
    const cutAt = performance.now();
    await expect.poll(isFree, { timeout: 60_000, interval: 500 }).toBe(true);
    console.log(`its lock was free ${((performance.now() - cutAt) / 1000).toFixed(0)} s after the plug was pulled`);
    await closePool();
  }, 120_000);
});

/** A database reached over a network, and a machine there that holds a lock in it. */
async function start() {
  await using stack = new AsyncDisposableStack();
  const network = await openNetwork(prefix, stack);
  const machine = await network.addMachine('a', `${prefix}.21`);
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const settings = { listen_addresses: `127.0.0.1,${network.address}` };
  const database = await openEmbedded({ folder: folder.path, log: silentLog, settings });
  stack.defer(() => database.release());
  await appendFile(join(folder.path, 'cluster/pg_hba.conf'), `host all all ${prefix}.0/24 scram-sha-256\n`);
  const { pool, close } = openDatabase(database.adminUrl);
  await pool.query('select pg_reload_conf()');
  await close();
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.hostname = network.address;
  const [program = '', ...args] = [...machine.launcher, process.execPath, join(root, 'test/cluster/lock-holder.ts')];
  const holder = startProcess(program, [...args, url.href]);
  stack.defer(() => holder.stop());
  const running = stack.move();
  return { name: 'a machine in a namespace', machine, url: database.url, holder, close: () => running.disposeAsync() };
}
