import { type ChildProcess, fork } from 'node:child_process';
import type { ImageJobs } from './image-process.ts';
import type { FromProcess, ToProcess } from './serve-jobs.ts';
import type { VideoJobs } from './video-process.ts';

export interface JobLimits {
  /** Aborting kills the process. */
  signal: AbortSignal;
  maxMemoryBytes: number;
  /** Of all threads together. Default: no limit but that of the signal. */
  maxCpuMs?: number;
}

/** The process crashed, or the file needed too much memory or CPU time. */
export class JobProcessEnded extends Error {
  override readonly name = 'JobProcessEnded';
}

export type ImageJobResult<Name extends keyof ImageJobs> = Awaited<ReturnType<ImageJobs[Name]>>;
type VideoJobResult = Awaited<ReturnType<VideoJobs['readVideo']>>;

interface Job {
  program: Program;
  name: string;
  args: unknown[];
  /** Reads the file for a job that does not find it on the local disk. */
  read?(start: number, end: number): Promise<Uint8Array>;
}

interface Program {
  url: URL;
  /**
   * Images are decoded outside of the heap. For videos, more than the jobs may take: Node would report to the log of the
   * service that the heap is full.
   */
  maxHeapMegabytes: number;
}
const imageProgram: Program = { url: new URL('./image-process.ts', import.meta.url), maxHeapMegabytes: 64 };
const videoProgram: Program = { url: new URL('./video-process.ts', import.meta.url), maxHeapMegabytes: 640 };

const idleMs = 30_000;
const idle = new Map<ChildProcess, { program: Program; timer: NodeJS.Timeout }>();

/** Decodes an image: a decoder would occupy the threads that disk, DNS and password hashing need. */
export const runImageJob = <Name extends keyof ImageJobs>(
  name: Name,
  args: Parameters<ImageJobs[Name]>,
  limits: JobLimits,
) => run({ program: imageProgram, name, args }, limits) as Promise<ImageJobResult<Name>>;

/** Reads the index of a video of this size. */
export const runVideoJob = (size: number, read: Required<Job>['read'], limits: JobLimits) =>
  run({ program: videoProgram, name: 'readVideo', args: [size], read }, limits) as Promise<VideoJobResult>;

/**
 * Runs a job in a separate process, because a decoder or parser can neither be stopped nor limited in memory. Callers
 * limit the number of concurrent jobs. The returned promise settles when the process has ended or is idle, so that its
 * memory is free again.
 */
async function run(
  { program, name, args, read }: Job,
  { signal, maxMemoryBytes, maxCpuMs = Number.POSITIVE_INFINITY }: JobLimits,
): Promise<unknown> {
  signal.throwIfAborted();
  const child = wake(program) ?? start(program);
  const { promise, resolve, reject } = Promise.withResolvers<{ result: unknown } | { error: string }>();
  let failure: unknown = new JobProcessEnded('The process of the job has ended.');
  const kill = () => child.kill('SIGKILL');
  const send = (message: ToProcess) => child.send(message, (error) => error && kill());
  const ended = () => reject(signal.aborted ? signal.reason : failure);
  const receive = async (message: FromProcess) => {
    if (!('id' in message)) return resolve(message);
    const { id, start, end } = message;
    try {
      send({ id, bytes: await read!(start, end) });
    } catch (error) {
      failure = error;
      kill();
    }
  };
  signal.addEventListener('abort', kill, { once: true });
  child.on('message', receive).once('exit', ended).once('error', reject);
  send({ name, args, limits: { maxMemoryBytes, maxCpuMs } });
  try {
    const answer = await promise;
    if ('error' in answer) throw new Error(`A job failed: ${answer.error}`);
    return answer.result;
  } finally {
    signal.removeEventListener('abort', kill);
    child.off('message', receive).off('exit', ended).off('error', reject);
    if (isRunning(child)) rest(child, program);
  }
}

function start({ url, maxHeapMegabytes }: Program): ChildProcess {
  const child = fork(url, {
    // It needs none of the service's secrets.
    env: {},
    execArgv: [`--max-old-space-size=${maxHeapMegabytes}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('exit', () => forget(child)).on('error', () => forget(child));
  return child;
}

/** An idle process of this program. What a video left in the memory of its process must not count against an image. */
function wake(program: Program): ChildProcess | undefined {
  const child = idle.keys().find((known) => idle.get(known)!.program === program);
  if (!child) return undefined;
  forget(child);
  child.ref();
  child.channel?.ref();
  return child;
}

/** An idle process does not keep the service running, and ends when the service does. */
function rest(child: ChildProcess, program: Program) {
  child.unref();
  child.channel?.unref();
  idle.set(child, { program, timer: setTimeout(() => child.disconnect(), idleMs).unref() });
}

/** A process that has ended may still count as connected for a moment. */
const isRunning = ({ connected, killed, exitCode, signalCode }: ChildProcess) =>
  connected && !killed && exitCode === null && signalCode === null;

function forget(child: ChildProcess) {
  clearTimeout(idle.get(child)?.timer);
  idle.delete(child);
}
