import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface WorkerSettings {
  databaseUrl: string;
  sandboxUrl: string;
  publicUrl: string;
  dataDir: string;
  sealingKey: string;
  clockBase: number;
  clockFactor: number;
  platformTimeoutMs: number;
  /** The clock's error. */
  skewMs: number;
}
export interface PoolSettings extends Omit<WorkerSettings, 'skewMs'> {
  /** The folder for compiled code. Later workers start in half the time. */
  compileCache: string;
  /** For the next worker. */
  skewMs(): number;
}

/** Worker processes that can be killed one by one. */
export function workerPool({ skewMs, compileCache, ...settings }: PoolSettings) {
  const workers: ChildProcess[] = [];
  const start = async () => {
    const own: WorkerSettings = { ...settings, skewMs: skewMs() };
    const child = fork(new URL('worker.ts', import.meta.url), [JSON.stringify(own)], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    workers.push(child);
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  };
  return {
    start,
    size: () => workers.length,
    /** As the kernel does when memory runs out. */
    async kill9(index: number) {
      const [child] = workers.splice(index % workers.length, 1);
      child?.kill('SIGKILL');
      if (child?.exitCode === null) await once(child, 'exit');
    },
    /**
     * Like a machine that is migrated or swapping: it continues as if nothing had happened, after others have taken
     * over.
     */
    suspend(index: number, ms: number) {
      const child = workers[index % workers.length];
      child?.kill('SIGSTOP');
      setTimeout(() => child?.kill('SIGCONT'), ms).unref();
    },
    async end() {
      const ends = workers.splice(0).map(async (child) => {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      });
      await Promise.all(ends);
    },
  };
}
