import { type ChildProcess, fork } from 'node:child_process';
import type { JobAnswer, JobRequest, Jobs } from './image-process.ts';

export interface JobLimits {
  /** Aborting kills the process. */
  signal: AbortSignal;
  maxMemoryBytes: number;
}

/** The process crashed or needed too much memory because of the image. */
export class ImageProcessEnded extends Error {
  override readonly name = 'ImageProcessEnded';
}

export type JobResult<Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]>>;

const program = new URL('./image-process.ts', import.meta.url);
const idleMs = 30_000;
const idle = new Map<ChildProcess, NodeJS.Timeout>();

/**
 * Runs a job in a separate process, because a decoder can neither be stopped nor limited in memory, and would occupy
 * the threads that disk, DNS and password hashing need. Callers limit the number of concurrent jobs. The returned
 * promise settles when the process has ended or is idle, so that its memory is free again.
 */
export async function runImageJob<Name extends keyof Jobs>(
  name: Name,
  args: Parameters<Jobs[Name]>,
  { signal, maxMemoryBytes }: JobLimits,
): Promise<JobResult<Name>> {
  signal.throwIfAborted();
  const child = wake() ?? start();
  const { promise, resolve, reject } = Promise.withResolvers<JobAnswer>();
  const kill = () => child.kill('SIGKILL');
  const ended = () => reject(signal.aborted ? signal.reason : new ImageProcessEnded('The image process has ended.'));
  signal.addEventListener('abort', kill, { once: true });
  child.once('message', resolve).once('exit', ended).once('error', reject);
  child.send({ name, args, maxMemoryBytes } satisfies JobRequest, (error) => error && kill());
  try {
    const answer = await promise;
    if ('error' in answer) throw new Error(`An image job failed: ${answer.error}`);
    return answer.result as JobResult<Name>;
  } finally {
    signal.removeEventListener('abort', kill);
    child.off('message', resolve).off('exit', ended).off('error', reject);
    if (isRunning(child)) rest(child);
  }
}

function start(): ChildProcess {
  const options = {
    // It needs none of the service's secrets.
    env: {},
    execArgv: ['--max-old-space-size=64'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  } as const;
  // Copies, because `fork` requires mutable arrays.
  const child = fork(program, { ...options, execArgv: [...options.execArgv], stdio: [...options.stdio] });
  child.on('exit', () => forget(child)).on('error', () => forget(child));
  return child;
}

function wake(): ChildProcess | undefined {
  const [child] = idle.keys();
  if (!child) return undefined;
  forget(child);
  child.ref();
  child.channel?.ref();
  return child;
}

/** An idle process does not keep the service running, and ends when the service does. */
function rest(child: ChildProcess) {
  child.unref();
  child.channel?.unref();
  idle.set(child, setTimeout(() => child.disconnect(), idleMs).unref());
}

/** A process that has ended may still count as connected for a moment. */
const isRunning = ({ connected, killed, exitCode, signalCode }: ChildProcess) =>
  connected && !killed && exitCode === null && signalCode === null;

function forget(child: ChildProcess) {
  clearTimeout(idle.get(child));
  idle.delete(child);
}
