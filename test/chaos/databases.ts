import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '../../src/foundation/db/embedded/embedded.ts';
import { addressOfAll, startDatabase } from '../cluster/database-cluster.ts';
import { untilReplicated } from '../cluster/patroni.ts';
import { findPrograms } from '../cluster/programs.ts';
import { openRunner } from '../cluster/runner.ts';
import { carelessSettings, silentLog } from '../support/database/temporary-server.ts';

export type DatabaseKind = 'server' | 'cluster';

export interface ChaosDatabase {
  readonly url: string;
  /** Crashes the database server, which then comes back. False if it is still recovering from the last crash. */
  die(): Promise<boolean>;
}

export const openDatabaseOf = (kind: DatabaseKind, folder: string, stack: AsyncDisposableStack) =>
  kind === 'server' ? aServer(folder, stack) : aCluster(folder, stack);

/** The machine keeps running, so nothing needs to reach the disk, but commits must survive a crash of the server. */
const crashSafe = { ...carelessSettings, synchronous_commit: 'on', max_connections: '200' };

/** One server, which is restarted. */
async function aServer(folder: string, stack: AsyncDisposableStack): Promise<ChaosDatabase> {
  const cluster = join(folder, 'postgres');
  const { url, release } = await openEmbedded({ folder: cluster, log: silentLog, settings: crashSafe });
  stack.defer(release);
  return {
    url,
    async die() {
      const [pid] = (await readFile(join(cluster, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
      if (pid) process.kill(Number(pid), 'SIGQUIT');
      return Boolean(pid);
    },
  };
}

/** How long a primary's machine is without power. Its standby takes over after about 20 s. */
const powerCutMs = 30_000;

/** Two servers. The primary loses power, the other takes over, and the first comes back as its standby. */
async function aCluster(folder: string, stack: AsyncDisposableStack): Promise<ChaosDatabase> {
  const runner = await openRunner(folder, await findPrograms(join(folder, 'debian')), stack);
  const nodes = await startDatabase(runner);
  let isWhole = true;
  return {
    url: addressOfAll(nodes),
    async die() {
      if (!isWhole) return false;
      isWhole = false;
      const primary = await untilReplicated(nodes);
      await primary.kill9();
      void (async () => {
        await sleep(powerCutMs, undefined, { ref: false });
        primary.start();
        await untilReplicated(nodes);
        isWhole = true;
      })().catch(() => {});
      return true;
    },
  };
}
