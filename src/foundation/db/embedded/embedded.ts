import { hkdfSync } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { advisoryLocks } from '../advisory-locks.ts';
import { type DedicatedConnection, openDedicatedConnection } from '../dedicated-connection.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { ensureOsUser } from './os-user.ts';
import {
  clusterSetting,
  type LaunchOptions,
  launchServer,
  logTail,
  runningServer,
  socketFolder,
  stopServer,
} from './server.ts';

export interface EmbeddedOptions {
  /** Holds the cluster, its password and its log. Created if missing; nothing is written outside it. */
  folder: string;
  log: Log;
  /** Added to Crier's own server settings. */
  settings?: Record<string, string>;
  /** How long a start may take, including crash recovery. */
  startLimitMs?: number;
}

export interface Embedded {
  /** Connects to the database `crier` as its owner. */
  readonly url: string;
  /** Connects to the database `postgres` as superuser. */
  readonly adminUrl: string;
  /** The last process to release the server stops it. Close your connections first. */
  release(): Promise<void>;
}

interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * Every process that uses the server holds the first in shared mode, so only the last one can acquire it exclusively.
 */
const { embeddedUsers: usersLock, embeddedCreation: creationLock } = advisoryLocks;

const reviveAfterMs = 500;

/** An SQLSTATE. */
const wrongPassword = '28P01';

/**
 * Opens Crier's own PostgreSQL server. The server outlives a killed Crier: the next process that opens the same folder
 * reuses the running server, and so does a second process while the first one runs. If the server dies, we restart it.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log, settings = {}, startLimitMs = 120_000 } = options;
  const binaries = await findBinaries();
  const given = resolve(options.folder);
  const osUser = await ensureOsUser(given);
  const password = await ensureCluster({ folder: given, binaries, osUser, durable: settings.fsync !== 'off' });
  const launch = { folder: await realpath(given), binaries, osUser, settings };

  const adminUrl = (at: Address) => urlOf(at, 'postgres', password, 'postgres');
  const reach = (port?: number) => reachServer({ launch, port, adminUrl, log, startLimitMs });

  let { connection, ...at } = await reach();
  let released = false;
  let reviving: Promise<void> | undefined;
  const ownPassword = applicationPassword(password);
  await ensureDatabase(adminUrl(at), ownPassword);
  watch(connection);

  /** The shared lock ends with the connection. Reacquires it, and restarts the server if necessary. */
  function watch(watched: DedicatedConnection) {
    watched.onEnd(() => {
      reviving = revive();
    });
  }

  async function revive() {
    while (!released) {
      await sleep(reviveAfterMs, undefined, { ref: false });
      if (released) return;
      try {
        ({ connection } = await reach(at.port));
        return watch(connection);
      } catch (error) {
        log.warn((error as Error).message);
      }
    }
  }

  return {
    url: urlOf(at, 'crier', ownPassword, 'crier'),
    adminUrl: adminUrl(at),
    async release() {
      if (released) return;
      released = true;
      // The revival does not keep the process alive, so this timer does until the revival ends.
      const limit = new AbortController();
      await Promise.race([reviving, sleep(10_000, undefined, { signal: limit.signal }).catch(() => {})]);
      limit.abort();
      const last = await isLastUser(connection).catch(() => false);
      if (last) await stopServer(launch.folder);
      await connection.end();
    },
  };
}

/** How to connect to the server. */
interface Address {
  port: number;
  /** The folder of its socket, which is faster than the port; null if there is none. */
  socket: string | null;
}

function urlOf({ port, socket }: Address, role: string, password: string, database: string): string {
  const url = `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  return socket === null ? url : `${url}?host=${encodeURIComponent(socket)}`;
}

/** A one-way derivation: knowing the application role's password does not reveal the superuser's. */
const applicationPassword = (superuserPassword: string) =>
  Buffer.from(hkdfSync('sha256', superuserPassword, '', 'crier: role of the application', 24)).toString('base64url');

interface ServerOptions {
  launch: Omit<LaunchOptions, 'port'>;
  /** Undefined: pick a free one. */
  port: number | undefined;
  adminUrl(at: Address): string;
  log: Log;
  startLimitMs: number;
}

/** Uses the server running on the folder, or starts one. PostgreSQL itself prevents a second server on the folder. */
async function reachServer({ launch, port, adminUrl, log, startLimitMs }: ServerOptions) {
  const deadline = performance.now() + startLimitMs;
  const { folder } = launch;
  let started: Awaited<ReturnType<typeof launchServer>> | undefined;
  let failedStarts = 0;
  let reason = 'it did not start';
  while (performance.now() < deadline) {
    const running = await runningServer(folder);
    if (running?.status === 'ready') {
      const { port: at } = running;
      const address = { port: at, socket: await socketFolder(folder, at) };
      const answer = await join(adminUrl(address), folder);
      if (!(answer instanceof Error)) {
        log.info(`PostgreSQL ${started ? 'started' : 'found running'} on port ${at}`);
        return { connection: answer, ...address };
      }
      if ('code' in answer && answer.code === wrongPassword) {
        throw new Error(`The embedded PostgreSQL does not accept the password in ${folder}/password.`);
      }
      reason = answer.message;
      await sleep(100);
    } else if (running) {
      reason = `it is ${running.status}`;
    } else if (!started?.running()) {
      // Our server exited immediately: another start was faster, the port was taken in the meantime, or it cannot start
      // at all.
      if (started) failedStarts += 1;
      if (failedStarts === 3) throw new Error(`The embedded PostgreSQL did not start.${await logTail(folder)}`);
      started = await launchServer({ ...launch, port });
    }
    await sleep(25);
  }
  throw new Error(
    `The embedded PostgreSQL was not ready after ${startLimitMs / 1000} s: ${reason}.${await logTail(folder)}`,
  );
}

/** A connection that holds the shared lock, or the reason there is none yet. */
async function join(url: string, folder: string): Promise<DedicatedConnection | Error> {
  let connection: DedicatedConnection | undefined;
  try {
    connection = await openDedicatedConnection(url, 'crier-embedded', { connectLimitMs: 2_000 });
    const [found] = await connection.query<{ cluster: string }>(
      `select current_setting('${clusterSetting}', true) as cluster`,
    );
    if (found?.cluster !== `${folder}/cluster`) {
      throw new Error(`its port is in use by the server of ${found?.cluster}`);
    }
    // Waits while the last process stops the server, and then fails because the server is gone.
    await connection.query(`select pg_advisory_lock_shared(${usersLock})`);
    return connection;
  } catch (error) {
    await connection?.end();
    return error as Error;
  }
}

/** Uses a separate connection, because creating a database leaves about 12 MB in its backend. */
async function ensureDatabase(adminUrl: string, password: string) {
  const connection = await openDedicatedConnection(adminUrl, 'crier-start');
  try {
    await createIfMissing(connection, password);
  } finally {
    await connection.end();
  }
}

async function createIfMissing(connection: DedicatedConnection, password: string) {
  // Several first starts at the same time take turns.
  await connection.query(`select pg_advisory_lock(${creationLock})`);
  const found = await connection.query("select from pg_database where datname = 'crier'");
  if (found.length === 0) {
    // Not a superuser, so a malicious query can neither read files nor run programs.
    await connection.query('drop role if exists crier');
    await connection.query('create role crier login');
    await connection.query('create database crier owner crier');
  }
  await connection.query(`alter role crier password '${password}'`);
}

/** True: no other process uses the server, and none can start using it while this connection lasts. */
async function isLastUser(connection: DedicatedConnection): Promise<boolean> {
  await connection.query(`select pg_advisory_unlock_shared(${usersLock})`);
  const [tried] = await connection.query<{ alone: boolean }>(`select pg_try_advisory_lock(${usersLock}) alone`);
  if (!tried?.alone) return false;
  // The backend of a connection that was just closed lives on for a few milliseconds.
  for (let waited = 0; waited < 40; waited += 1) {
    const others = await connection.query(
      "select from pg_stat_activity where application_name like 'crier%' and pid <> pg_backend_pid()",
    );
    if (others.length === 0) return true;
    await sleep(50);
  }
  return false;
}
