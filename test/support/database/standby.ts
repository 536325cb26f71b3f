import { chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from '../../../src/foundation/db/embedded/binaries.ts';
import { openEmbedded } from '../../../src/foundation/db/embedded/embedded.ts';
import { ensureOsUser } from '../../../src/foundation/db/embedded/os-user.ts';
import { launchServer } from '../../../src/foundation/db/embedded/server.ts';
import { freePort } from '../../../src/startup/free-port.ts';
import { carelessSettings, silentLog, temporaryFolder } from './temporary-server.ts';

/** A PostgreSQL server, and its standby. */
export interface Pair extends AsyncDisposable {
  readonly primaryPort: number;
  readonly standbyPort: number;
  /** The superuser's URL for servers on these ports, in this order. */
  url(...ports: number[]): string;
  /** Kills the primary, and promotes the standby. */
  failOver(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const settings = { ...carelessSettings, wal_level: 'replica', max_wal_senders: '4', scram_iterations: '1' };
  const primaryFolder = join(folder.path, 'primary');
  const primary = await openEmbedded({ folder: primaryFolder, log: silentLog, settings });
  stack.defer(() => primary.release());
  const { port, password } = new URL(primary.adminUrl);
  const standbyPort = await freePort(0, '127.0.0.1', 'PORT');
  const url = (...ports: number[]) =>
    `postgres://postgres:${password}@${ports.map((one) => `127.0.0.1:${one}`).join(',')}/postgres`;

  const standbyFolder = join(folder.path, 'standby');
  await copyCluster(primary.adminUrl, primaryFolder, standbyFolder);
  const osUser = await ensureOsUser(primaryFolder);
  if (osUser) await chownAll(standbyFolder, osUser.uid, osUser.gid);
  await launchServer({
    folder: standbyFolder,
    binaries: await findBinaries(),
    osUser,
    port: standbyPort,
    settings: {
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
    },
  });
  await untilStandby(url(standbyPort));
  const running = stack.move();
  return {
    primaryPort: Number(port),
    standbyPort,
    url,
    async failOver() {
      const pid = Number((await readFile(join(primaryFolder, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
      // The handle would start it again.
      await Promise.all([primary.release(), sleep(0).then(() => killIfAlive(pid))]);
      await query(url(standbyPort), 'select pg_promote()');
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function killIfAlive(pid: number) {
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has exited.
  }
}

/** Does what pg_basebackup does, which the server package does not contain. */
async function copyCluster(adminUrl: string, from: string, to: string) {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => {});
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  await mkdir(to);
  const filter = (path: string) => !/\/(\.s\.PGSQL\.\d+(\.lock)?|postmaster\.(pid|opts))$/.test(path);
  await cp(join(from, 'cluster'), join(to, 'cluster'), { recursive: true, filter });
  await cp(join(from, 'password'), join(to, 'password'));
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await writeFile(join(to, 'cluster/backup_label'), rows[0]!.labelfile, { mode: 0o600 });
  await writeFile(join(to, 'cluster/standby.signal'), '', { mode: 0o600 });
}

async function chownAll(folder: string, uid: number, gid: number) {
  await chown(folder, uid, gid);
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), uid, gid);
}

async function untilStandby(url: string) {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(100)) {
    if (await query(url, 'select 1').catch(() => null)) return;
  }
  throw new Error('The standby does not answer.');
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
