import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { buildCore, type Core } from '../../app.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { migrate } from '../../foundation/db/migrate.ts';
import { isCalledInCheckout } from '../../foundation/system/admin-command-line.ts';
import { type Cleanup, cleanup } from '../../startup/cleanup.ts';
import { openConfiguredDatabase } from '../../startup/configured-database.ts';
import { ensureDataDir } from '../../startup/data-dir.ts';
import { freePort } from '../../startup/free-port.ts';
import { openLog } from '../../startup/log.ts';
import { requireData, requireOwnSettings } from '../../startup/require-data.ts';
import { sealingKeys } from '../../startup/sealing-keys.ts';
import { findSandbox } from './find-sandbox.ts';

/** Runs a command, whether or not Crier is running on the same database. Stops the servers that were started for it. */
export const withCore = <T>(run: (core: Core) => Promise<T>): Promise<T> => runOn(run, async () => null);

/** Same, for a command that reads data and creates none. */
export const withData = <T>(run: (core: Core) => Promise<T>): Promise<T> =>
  runOn(
    run,
    async () => null,
    async () => requireData(readConfig()),
  );

/** Same, for a command that also needs the sandbox. */
export const withSandbox = <T>(run: (core: Core, sandboxUrl: string) => Promise<T>): Promise<T> =>
  runOn((core) => run(core, core.sandboxUrl ?? ''), findSandbox);

/** Same, for a command that calls the networks: the sandbox, or the real ones with NETWORKS=live. */
export const withPlatforms = <T>(run: (core: Core) => Promise<T>): Promise<T> =>
  runOn(run, async (config, log, undo) => (config.platformMode === 'sandbox' ? findSandbox(config, log, undo) : null));

/** Same, with a separate database and sandbox, which are deleted afterwards. Nothing listens at its public URL. */
export const withThrowawaySandbox = <T>(run: (core: Core) => Promise<T>): Promise<T> =>
  runOn(run, findSandbox, throwawayConfig);

async function ownConfig(): Promise<Config> {
  const config = readConfig();
  if (isCalledInCheckout) requireOwnSettings(config);
  return config;
}

async function throwawayConfig(undo: Cleanup): Promise<Config> {
  const dataDir = await mkdtemp(join(tmpdir(), 'crier-proof-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const [host, port] = ['127.0.0.1', await freePort(0, '127.0.0.1', 'PORT')];
  const { platformOptions } = readConfig();
  const own = readConfig({ HOST: host, PORT: String(port), SANDBOX_PORT: '0', DATA_DIR: dataDir });
  return { ...own, platformOptions };
}

type FindSandbox = (config: Config, log: Logger, undo: Cleanup) => Promise<string | null>;

async function runOn<T>(
  run: (core: Core) => Promise<T>,
  sandbox: FindSandbox,
  configFor: (undo: Cleanup) => Promise<Config> = ownConfig,
): Promise<T> {
  const undo = cleanup();
  const opened = configFor(undo).then((config) => open(config, undo, sandbox));
  const ignoreSignals = stopOnSignal(undo, opened);
  try {
    return await run(await opened);
  } finally {
    await undo.run();
    ignoreSignals();
  }
}

async function open(config: Config, undo: Cleanup, sandbox: FindSandbox): Promise<Core> {
  // Standard output is for the result.
  const log = await openLog('warn', 2);
  await ensureDataDir(config);
  const sandboxUrl = await sandbox(config, log, undo);
  const database = await openConfiguredDatabase(config, log, undo);
  await migrate(database.directUrl);
  const core = buildCore(config, {
    ...database,
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    sandboxUrl,
    sealingKeys: sealingKeys(config.dataDir, config.secretKeys),
    log,
  });
  undo.push(() => core.close());
  return core;
}

/** How long a query may continue after a signal. */
const exitGraceMs = 5_000;

function stopOnSignal(undo: Cleanup, opened: Promise<Core>): () => void {
  let stopping = false;
  const stop = async () => {
    // npm forwards each signal, so it arrives twice.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(130), exitGraceMs).unref();
    undo.cancelStart();
    await opened.catch(() => {});
    await undo.run();
    process.exit(130);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => void process.off('SIGINT', stop).off('SIGTERM', stop);
}
