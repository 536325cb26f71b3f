import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { isAlive } from '../../foundation/system/is-alive.ts';
import type { Cleanup } from '../../startup/cleanup.ts';
import { isSandbox, openSandbox } from '../../startup/sandbox-thread.ts';
import { AdminError } from './error-message.ts';

const Running = z.object({ pid: z.int().positive(), sandboxUrl: z.string() });

/** The sandbox of the Crier running on this data folder, or one started for this command. */
export async function findSandbox(config: Config, log: Logger, undo: Cleanup): Promise<string> {
  if (config.platformMode !== 'sandbox') {
    throw new AdminError(
      'NETWORKS=live has no sandbox. Connect real accounts with POST /connect/{network}, or set NETWORKS=sandbox.',
    );
  }
  const running = await runningSandbox(config.dataDir);
  if (running) return running;
  const sandbox = await openSandbox(config, log);
  await sandbox.opened;
  undo.push(() => sandbox.stop());
  return sandbox.url;
}

/** Null if there is no ready file, or if the Crier that wrote it was killed. */
async function runningSandbox(dataDir: string): Promise<string | null> {
  const ready = await readFile(join(dataDir, 'ready.json'), 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  const running = Running.safeParse(ready).data;
  return running && isAlive(running.pid) && (await isSandbox(running.sandboxUrl)) ? running.sandboxUrl : null;
}
