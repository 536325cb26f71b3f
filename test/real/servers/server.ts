import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'vitest';

/** A real server that cannot be installed or started here. The tests that need it are skipped with this reason. */
export class CannotRun extends Error {
  override name = 'CannotRun';
}

export interface RealServer extends AsyncDisposable {
  /** Includes the version, for the output of the tests. */
  readonly name: string;
}

/**
 * Starts a server, and describes it with its startup time. If it cannot run, the tests are skipped and the reason is
 * shown.
 */
export async function describeServer<S extends Pick<RealServer, 'name'>>(
  name: string,
  start: () => Promise<S>,
  tests: (server: S) => void,
) {
  const started = performance.now();
  const server = await start().catch((error: unknown) => {
    if (error instanceof CannotRun) return error;
    throw error;
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (server instanceof CannotRun) return test.skip(`${name} cannot run here: ${server.message}`, () => {});
  describe(`${server.name} (ready after ${seconds} s)`, () => tests(server));
}

export interface ServerProcess {
  readonly pid: number;
  /** The last line of its output. */
  lastLine(): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/** Runs a program until `stop()`, which also stops its children. */
export function startProcess(program: string, args: readonly string[], options: SpawnOptions = {}): ServerProcess {
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'exit').catch(() => {});
  const pid = child.pid ?? 0;
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null || pid === 0) return;
    for (const signal of ['SIGCONT', 'SIGKILL'] as const) process.kill(-pid, signal);
    await ended;
  };
  process.once('exit', () => {
    if (child.exitCode === null && child.signalCode === null && pid) process.kill(-pid, 'SIGKILL');
  });
  const lastLine = () => output.trim().split('\n').at(-1) ?? '';
  return { pid, lastLine, hasEnded: () => child.exitCode !== null || child.signalCode !== null, stop };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Starting = Pick<ServerProcess, 'lastLine' | 'hasEnded'>;

/** Waits until the server responds, with any response. */
export const untilAnswers = (url: string, server: Starting, seconds?: number): Promise<Response> =>
  untilReady(() => fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null), server, seconds);

export async function untilReady<T>(
  look: () => Promise<T | null>,
  { lastLine, hasEnded }: Starting,
  seconds = 60,
): Promise<T> {
  for (const deadline = performance.now() + seconds * 1000; ; await sleep(100)) {
    const found = await look();
    if (found !== null) return found;
    if (hasEnded() || performance.now() > deadline) throw new CannotRun(`it does not start: ${lastLine()}`);
  }
}
