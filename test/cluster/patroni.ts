import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../real/servers/server.ts';
import type { Runner } from './runner.ts';

export const passwords = {
  postgres: 'superuser-of-the-test',
  replicator: 'replica-of-the-test',
  crier: 'crier-of-the-test',
};

/** A PostgreSQL server and the Patroni that manages it: the primary, or its standby. */
export interface Node {
  readonly name: string;
  readonly port: number;
  /** The port where Patroni reports the role of the server. */
  readonly restPort: number;
  isPrimary(): Promise<boolean>;
  /** Like a power failure: Patroni and every PostgreSQL process end immediately. */
  kill9(): Promise<void>;
  start(): void;
  /** Fills its disk. Null if it has no separate disk. */
  readonly fillDisk: (() => Promise<void>) | null;
  freeDisk(): Promise<void>;
}

/** Enough for the database and its WAL. */
const diskMegabytes = 1_500;

/** Stores the state that the Patroni servers agree on: which one is the primary. */
export async function startEtcd(runner: Runner): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const folder = await runner.folder('etcd');
  const server = runner.run(runner.paths.etcd, [
    ...['--name', 'one', '--data-dir', join(folder, 'data')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `one=${peer}`],
  ]);
  await runner.untilAnswers(`${client}/health`, server);
  return port;
}

export async function startNode(runner: Runner, name: string, etcdPort: number): Promise<Node> {
  const [port, restPort] = [await freePort(), await freePort()];
  const disk = await runner.disk(name, diskMegabytes);
  const folder = disk ?? (await runner.folder(name));
  const ballast = join(folder, 'ballast');
  const cluster = join(folder, 'cluster');
  const configuration = join(folder, 'patroni.yml');
  await mkdir(folder, { recursive: true });
  await writeFile(configuration, JSON.stringify(settings({ name, folder, cluster, port, restPort, etcdPort, runner })));
  let patroni = runner.run('/usr/bin/python3', [runner.paths.patroni, configuration]);
  return {
    name,
    port,
    restPort,
    async isPrimary() {
      const answer = await fetch(`http://127.0.0.1:${restPort}/primary`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => null,
      );
      return answer?.status === 200;
    },
    async kill9() {
      const postmaster = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
      await patroni.stop();
      for (const pid of [postmaster, ...children.split(' ').filter(Boolean).map(Number)]) kill(pid);
    },
    start() {
      patroni = runner.run('/usr/bin/python3', [runner.paths.patroni, configuration]);
    },
    fillDisk: disk === null ? null : () => fill(ballast),
    freeDisk: () => rm(ballast, { force: true }),
  };
}

/** Writes until it fails, because PostgreSQL writes and deletes files meanwhile. */
const fill = (ballast: string) =>
  promisify(execFile)('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).then(
    () => Promise.reject(new Error('The disk has no end.')),
    () => {},
  );

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It exited with the others.
  }
}

/** Waits until one node is the primary and, with a standby, until the standby has all commits. */
export async function untilReplicated(nodes: readonly Node[], seconds = 120): Promise<Node> {
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline; await sleep(250)) {
    for (const node of nodes) {
      if (!(await node.isPrimary())) continue;
      const answer = await fetch(`http://127.0.0.1:${node.restPort}/cluster`).catch(() => null);
      const { members } = ((await answer?.json()) ?? { members: [] }) as { members: { role: string; state: string }[] };
      const isCopied = members.some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state));
      if (isCopied) return node;
    }
  }
  throw new Error(`The cluster has no primary with a standby after ${seconds} s.`);
}

interface Place {
  name: string;
  folder: string;
  cluster: string;
  port: number;
  restPort: number;
  etcdPort: number;
  runner: Runner;
}

/** Patroni reads YAML, and JSON is valid YAML. */
const settings = ({ name, folder, cluster, port, restPort, etcdPort, runner }: Place) => ({
  scope: 'crier',
  name,
  log: { level: 'WARNING' },
  restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  bootstrap: {
    dcs: {
      // The shortest times that Patroni's documentation allows.
      ttl: 20,
      loop_wait: 5,
      retry_timeout: 5,
      // Every commit is on both servers, so a failover loses no step that has begun.
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, use_slots: true },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: cluster,
    bin_dir: dirname(runner.paths.pg_basebackup),
    pgpass: join(folder, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: passwords.postgres },
      replication: { username: 'replicator', password: passwords.replicator },
      rewind: { username: 'rewinder', password: passwords.replicator },
    },
    pg_hba: ['host replication replicator 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 scram-sha-256'],
    parameters: {
      unix_socket_directories: folder,
      max_connections: 100,
      shared_buffers: '64MB',
      password_encryption: 'scram-sha-256',
    },
  },
});
