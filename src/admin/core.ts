import type { Logger } from 'pino';
import { buildCore, type Core } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { type Cleanup, cleanup } from '../startup/cleanup.ts';
import { ensureDataDir } from '../startup/data-dir.ts';
import { openConfiguredDatabase } from '../startup/database.ts';
import { openLog } from '../startup/log.ts';
import { sealingKeys } from '../startup/secrets.ts';
import { findSandbox } from './sandbox.ts';

/** Runs a command on the database of a Crier that may be running or not. What was started for it is stopped after it. */
export async function withCore<T>(run: (core: Core) => Promise<T>): Promise<T> {
  return surrounded(async (config, log, undo) => run(await open(config, log, undo, null)));
}

/** The same, for commands that talk to the sandbox. */
export async function withSandbox<T>(run: (core: Core, sandboxUrl: string) => Promise<T>): Promise<T> {
  return surrounded(async (config, log, undo) => {
    const sandboxUrl = await findSandbox(config, log, undo);
    return run(await open(config, log, undo, sandboxUrl), sandboxUrl);
  });
}

type Work<T> = (config: Config, log: Logger, undo: Cleanup) => Promise<T>;

async function surrounded<T>(work: Work<T>): Promise<T> {
  const config = readConfig();
  const undo = cleanup();
  stopOnSignal(undo);
  try {
    await ensureDataDir(config.dataDir);
    // Standard output is for the answer.
    return await work(config, openLog('warn', 2), undo);
  } finally {
    await undo.run();
  }
}

async function open(config: Config, log: Logger, undo: Cleanup, sandboxUrl: string | null): Promise<Core> {
  const databaseUrl = await openConfiguredDatabase(config, log, undo);
  await migrate(databaseUrl);
  const core = buildCore(config, {
    databaseUrl,
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    sandboxUrl,
    sealingKeys: sealingKeys(config.dataDir, config.secretKeys),
    log,
  });
  undo.push(() => core.close());
  return core;
}

/** The first signal ends the command between two of its steps, the second one at once; npm passes each on twice. */
function stopOnSignal(undo: Cleanup) {
  let asked = 0;
  const stop = async () => {
    asked += 1;
    if (asked > 2) process.exit(130);
    if (asked > 1) return;
    undo.bringNoMoreUp();
    await undo.run();
    process.exit(130);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
