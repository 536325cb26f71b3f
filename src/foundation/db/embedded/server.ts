import { execFile } from 'node:child_process';
import { access, constants, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { chooseLauncher } from './launcher.ts';
import type { OsUser } from './os-user.ts';

const run = promisify(execFile);

export interface LaunchOptions {
  folder: string;
  binaries: Binaries;
  osUser: OsUser | null;
  /** Undefined: pick a free one. */
  port: number | undefined;
  settings: Record<string, string>;
}

/** Durable, and small while idle. */
const ownSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  huge_pages: 'off',
  // No extra processes for reading, parallel plans or replication. JIT makes queries of our size slower.
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '4',
  max_logical_replication_workers: '0',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Bounds the disk space used and the time crash recovery takes.
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  autovacuum: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Log only starts, stops and crashes. Clients get the errors of failed statements; in the log, these would fill the
  // disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** A custom setting that identifies the server of a folder, whatever path the server uses for the folder. */
export const clusterSetting = 'crier.cluster';

const maxLogBytes = 1_000_000;

/** Starts a server without waiting for it. */
export async function launchServer({ folder, binaries, osUser, port: given, settings }: LaunchOptions) {
  await removeForeignPidFile(folder);
  const launcher = await chooseLauncher(osUser, binaries, folder);
  const port = String(given ?? (await freePort()));
  const all = {
    [clusterSetting]: clusterOf(folder),
    ...ownSettings,
    unix_socket_directories: hasSocket(folder, port) ? clusterOf(launcher.folder) : '',
    port,
    ...settings,
  };
  const args = [
    '-D',
    clusterOf(launcher.folder),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  await boundLog(folder);
  const log = await open(logOf(folder), 'a', 0o600);
  if (osUser) await log.chown(osUser.uid, osUser.gid);
  const child = launcher.spawn(launcher.binaries.postgres, args, log.fd);
  child.unref();
  await log.close();
  return { running: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null };
}

/** The folder of the socket that the server listens on in addition to its port; null if it has none we can use. */
export async function socketFolder(folder: string, port: number): Promise<string | null> {
  const isThere = await access(socketOf(folder, port), constants.W_OK).then(
    () => true,
    () => false,
  );
  return isThere ? clusterOf(folder) : null;
}

export interface RunningServer {
  pid: number;
  port: number;
  /** `starting`, `ready` or `stopping`. */
  status: string;
}

/** The server running on this folder, whichever process started it. */
export async function runningServer(folder: string): Promise<RunningServer | null> {
  const found = await readPidFile(folder);
  return found && (await isServerOf(folder, found.pid)) ? found : null;
}

/** Requests a fast shutdown. If that hangs, requests an immediate one, which the next start recovers from. */
export async function stopServer(folder: string, graceMs = 10_000) {
  const server = await runningServer(folder);
  if (!server) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(server.pid, signal);
    const deadline = performance.now() + graceMs;
    while (performance.now() < deadline) {
      if (!(await isServerOf(folder, server.pid))) return;
      await sleep(20);
    }
  }
  throw new Error(`The embedded PostgreSQL (process ${server.pid}) did not stop.${await logTail(folder)}`);
}

/** The end of the server's log, for error messages. */
export async function logTail(folder: string): Promise<string> {
  const text = await readFile(logOf(folder), 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(-10).join('\n');
  return ` The last lines of ${logOf(folder)}:\n${lines}`;
}

/** Socket paths have a length limit, which a deep DATA_DIR can exceed. */
const maxSocketPath = 100;
const hasSocket = (folder: string, port: string) =>
  process.platform !== 'win32' && Buffer.byteLength(socketOf(folder, port)) <= maxSocketPath;

const socketOf = (folder: string, port: number | string) => join(clusterOf(folder), `.s.PGSQL.${port}`);
const clusterOf = (folder: string) => join(folder, 'cluster');
const logOf = (folder: string) => join(folder, 'postgres.log');
const pidFileOf = (folder: string) => join(clusterOf(folder), 'postmaster.pid');

/** Line 1 is the process, line 4 the port and line 8 the status (`LOCK_FILE_LINE_*` in PostgreSQL's pidfile.h). */
async function readPidFile(folder: string): Promise<RunningServer | null> {
  const lines = (await readFile(pidFileOf(folder), 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port, status: lines[7]?.trim() ?? 'starting' } : null;
}

/**
 * PostgreSQL removes the pid file left by a crash. But if another process of the same user has that process id by now,
 * or if the dead server was never reaped, PostgreSQL assumes a server is running. In that case we remove the file.
 */
async function removeForeignPidFile(folder: string) {
  const found = await readPidFile(folder);
  if (found && !(await isServerOf(folder, found.pid))) await rm(pidFileOf(folder), { force: true });
}

/**
 * Recognizes the server by its command line. Unlike a process's working directory, the command line is readable without
 * rights over the process, which root in a container may lack. It is empty for a dead process that was not reaped.
 */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (line) => line.split('\0').join(' '),
    () => argumentsWithoutProc(pid),
  );
  return args.includes(` ${clusterSetting}=${clusterOf(folder)} `);
}

async function argumentsWithoutProc(pid: number): Promise<string> {
  if (process.platform === 'linux') return '';
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1');
  return address.port;
}

async function boundLog(folder: string) {
  const size = await stat(logOf(folder)).then(
    (found) => found.size,
    () => 0,
  );
  if (size > maxLogBytes) await truncate(logOf(folder));
}
