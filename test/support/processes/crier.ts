import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Ready } from '../../../src/startup/ready-file.ts';
import { type TemporaryFolder, temporaryFolder } from '../database/temporary-server.ts';

export const root = new URL('../../../', import.meta.url).pathname;
/** Far above the usual time, so that a busy machine fails no start. */
const startLimitMs = 180_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A Crier as `npm start` starts it. */
export interface CrierProcess {
  readonly ready: Ready;
  readonly dataDir: string;
  readonly environment: Record<string, string>;
  /** Everything it printed. */
  output(): string;
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<Ended>;
  /** Nothing is cleaned up, and its database keeps running. */
  kill9(): Promise<void>;
}

export interface DataFolder extends TemporaryFolder {
  readonly dataDir: string;
}

/**
 * A data folder. `remove()` also stops everything that still runs on it: every Crier here (they name the folder in
 * their arguments), and the PostgreSQL that outlives a killed one (`temporaryFolder` finds both, even if this process
 * is killed).
 */
export async function dataFolder(): Promise<DataFolder> {
  const folder = await temporaryFolder();
  return { ...folder, dataDir: join(folder.path, 'data') };
}

export interface StartOptions {
  folder: DataFolder;
  environment?: Record<string, string>;
  /** A command prefix for `node`: `setpriv …` for another user. */
  launcher?: readonly string[];
  /** The folder of another version. */
  checkout?: string;
}

/** Free ports, and nothing from the environment of the test run. */
export const environmentOf = ({ folder, environment = {} }: StartOptions): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  DATA_DIR: folder.dataDir,
  PORT: '0',
  SANDBOX_PORT: '0',
  ...environment,
});

export async function startCrier(options: StartOptions): Promise<CrierProcess> {
  const { child, ended, output } = launch(options);
  const environment = environmentOf(options);
  const { dataDir } = options.folder;
  const ready = await Promise.race([
    readyFile(dataDir, child),
    ended.then(() => {
      throw new Error(`Crier did not start:\n${output()}`);
    }),
  ]);
  return {
    ready,
    dataDir,
    environment,
    output,
    async stop(signal = 'SIGTERM') {
      process.kill(ready.pid, signal);
      return ended;
    },
    async kill9() {
      process.kill(ready.pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Starts without waiting, for a start that fails or is interrupted. */
export function beginStart(options: StartOptions): { pid: number; ended: Promise<Ended> } {
  const { child, ended } = launch(options);
  return { pid: child.pid ?? 0, ended };
}

/** The arguments of `npm start` to node: flags, and the program. */
export const startArguments = packageJson.scripts.start
  .split(' ')
  .slice(1)
  .map((argument) => (/\.[cm]?[jt]s$/.test(argument) ? join(root, argument) : argument));

function launch(options: StartOptions) {
  const { folder, launcher = [], checkout = root.slice(0, -1) } = options;
  const start = startArguments.map((argument) => argument.replace(root, `${checkout}/`));
  const [program = '', ...args] = [...launcher, process.execPath, ...start, `${folder.path}/`];
  // Not in the checkout, where a developer may have a .env file.
  const child = spawn(program, args, {
    cwd: folder.path,
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ...listen(child) };
}

/** Runs a program of the checkout to its end. */
export const runProgram = (...given: Parameters<typeof beginProgram>): Promise<Ended> => beginProgram(...given).ended;

/** Starts a program without waiting. */
export function beginProgram(
  args: readonly string[],
  environment: Record<string, string>,
  launcher: readonly string[] = [],
): { pid: number; ended: Promise<Ended> } {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const [program = '', ...rest] = [...launcher, process.execPath, ...args];
  const child = spawn(program, rest, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return { pid: child.pid ?? 0, ended: listen(child).ended };
}

function listen(child: ChildProcess) {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  const ended = once(child, 'exit').then(async ([code, signal]): Promise<Ended> => {
    // The last output may arrive after the exit. A database that outlives a killed Crier holds the pipes open.
    await Promise.race([closed, sleep(500)]);
    return { code, signal, stdout, stderr };
  });
  return { ended, output: () => stdout + stderr };
}

/** Written by this process, not left behind by an earlier one. */
async function readyFile(dataDir: string, { pid }: ChildProcess): Promise<Ready> {
  for (const deadline = Date.now() + startLimitMs; Date.now() < deadline; await sleep(25)) {
    const ready: Ready | null = await readFile(join(dataDir, 'ready.json'), 'utf8')
      .then(JSON.parse)
      .catch(() => null);
    if (ready && ready.pid === pid) return ready;
  }
  throw new Error(`Crier was not ready after ${startLimitMs / 1000} s.`);
}

interface RunningProcess {
  pid: number;
  program: string;
}

/** All processes on a data folder, by any parent: PostgreSQL and Crier here have it in their arguments. */
export async function processesOn({ path }: DataFolder): Promise<RunningProcess[]> {
  return (await allProcesses()).filter(({ program }) => program.includes(`${path}/`) && !program.startsWith('/bin/sh'));
}

export async function stillRunning(processes: readonly { pid: number }[]): Promise<RunningProcess[]> {
  return (await allProcesses()).filter(({ pid }) => processes.some((other) => other.pid === pid));
}

async function allProcesses(): Promise<RunningProcess[]> {
  if (process.platform !== 'linux') return withoutProc();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(readProcess));
  return found.filter((one) => one !== null);
}

/** Null if it has exited. A zombie has no arguments. */
async function readProcess(pid: string): Promise<RunningProcess | null> {
  const program = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return program ? { pid: Number(pid), program: program.split('\0').join(' ') } : null;
}

async function withoutProc(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,stat=,command=']);
  const lines = stdout.matchAll(/^\s*(\d+)\s+([^Z\s]\S*)\s+(.*)$/gm);
  return [...lines].map(([, pid, , program = '']) => ({ pid: Number(pid), program }));
}
