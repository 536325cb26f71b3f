import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { freePort } from './free-port.ts';
import { StartError } from './start-error.ts';

export interface RunningSandbox {
  readonly url: string;
  /** Resolves once the sandbox responds. Rejects if the sandbox cannot start. */
  readonly opened: Promise<void>;
  stop(): Promise<void>;
}

const program = new URL('../../sandbox/thread.ts', import.meta.url);
const host = '127.0.0.1';

/**
 * Uses the sandbox that already runs on the port, and does not stop it. Otherwise starts one, and restarts it if it
 * fails. Its URL is known before it has loaded, which takes as long as building the service.
 */
export async function openSandbox(config: Config, log: Logger): Promise<RunningSandbox> {
  const shared = `http://${host}:${config.sandboxPort}`;
  if (config.sandboxPort !== 0 && (await isSandbox(shared)))
    return { url: shared, opened: Promise.resolve(), stop: async () => {} };
  const port = await freePort(config.sandboxPort, host, 'SANDBOX_PORT');
  return keepAlive({ port, host, folder: join(config.dataDir, 'sandbox'), keepDays: config.retention.sandbox }, log);
}

export async function isSandbox(url: string): Promise<boolean> {
  try {
    // If nothing listens, this fails immediately. A busy sandbox may take a while.
    const response = await globalThis.fetch(`${url}/_control/health`, { signal: AbortSignal.timeout(10_000) });
    return ((await response.json()) as { sandbox?: string }).sandbox === 'crier';
  } catch {
    return false;
  }
}

interface Options {
  port: number;
  host: string;
  folder: string;
  keepDays: number | null;
}

/**
 * The sandbox runs in its own thread, shares neither code nor event loop with us, and takes 50 MB less than a process.
 */
function keepAlive(options: Options, log: Logger): RunningSandbox {
  const { port, folder } = options;
  let stopping = false;
  let thread = launch();
  const opened = once(thread, 'message').then(
    () => {},
    (cause: unknown) => {
      stopping = true;
      const reason = cause instanceof Error ? cause.message : 'it ended';
      throw new StartError(
        `The sandbox did not start: ${reason}. If another sandbox uses the folder ${folder}, stop it, or set SANDBOX_PORT to its port to share it.`,
        { cause },
      );
    },
  );
  // If startup fails for another reason, nothing awaits this promise.
  opened.catch(() => {});

  function launch(): Worker {
    const started = new Worker(program, {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    started.on('error', (error) => log.error({ err: error }, 'the sandbox failed'));
    started.once('exit', async () => {
      if (stopping) return;
      await sleep(500);
      if (!stopping) thread = launch();
    });
    return started;
  }

  const hasEnded = ({ threadId }: Worker) => threadId === -1;
  return {
    url: `http://${host}:${port}`,
    opened,
    async stop() {
      stopping = true;
      if (hasEnded(thread)) return;
      const ended = once(thread, 'exit');
      thread.postMessage('stop');
      await Promise.race([ended, sleep(3_000, undefined, { ref: false }).then(() => thread.terminate())]);
    },
  };
}
