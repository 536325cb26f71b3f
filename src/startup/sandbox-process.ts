import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { freePort } from './ports.ts';

export interface SandboxProcess {
  readonly url: string;
  stop(): Promise<void>;
}

const program = new URL('../../sandbox/main.ts', import.meta.url).pathname;
const host = '127.0.0.1';

/** Uses the sandbox that serves the port already, and leaves it running; or starts one and keeps it alive. */
export async function openSandbox(config: Config, log: Logger): Promise<SandboxProcess> {
  const shared = `http://${host}:${config.sandboxPort}`;
  if (config.sandboxPort !== 0 && (await isSandbox(shared))) return { url: shared, stop: async () => {} };
  const port = await freePort(config.sandboxPort, host, 'SANDBOX_PORT');
  return keepAlive(port, join(config.dataDir, 'sandbox'), log);
}

/** Asked twice: the sandbox of a Crier that was killed ends by itself, but may still answer once. */
async function isSandbox(url: string): Promise<boolean> {
  const ask = async () => {
    const response = await globalThis.fetch(`${url}/_control/health`, { signal: AbortSignal.timeout(2_000) });
    return ((await response.json()) as { sandbox?: string }).sandbox === 'crier';
  };
  if (!(await ask().catch(() => false))) return false;
  await sleep(300);
  return ask().catch(() => false);
}

async function keepAlive(port: number, folder: string, log: Logger): Promise<SandboxProcess> {
  let stopping = false;
  let child = launch();
  await ready(child);

  function launch(): ChildProcess {
    const started = spawn(process.execPath, [program], {
      env: { SANDBOX_PORT: String(port), SANDBOX_HOST: host, SANDBOX_DATA: folder },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Ctrl-C is for us: the sandbox ends when we let go of it, after the last post went out.
      detached: true,
    });
    started.once('exit', async (code) => {
      if (stopping) return;
      log.error({ code }, 'the sandbox ended; starting it again');
      await sleep(500);
      if (!stopping) child = launch();
    });
    return started;
  }

  return {
    url: `http://${host}:${port}`,
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await Promise.race([ended, sleep(3_000).then(() => child.kill('SIGKILL'))]);
    },
  };
}

async function ready(child: ChildProcess) {
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The sandbox did not start (exit code ${code}).`);
  });
  await Promise.race([once(child, 'message'), failed]);
}
