import type { Logger } from 'pino';
import { buildCore, type Core } from '../../../app.ts';
import { type Config, ConfigurationError, readConfig } from '../../../config/config.ts';
import { type Check, fail, ok, todoOf, warn } from '../../../startup/checks.ts';
import { type Cleanup, cleanup } from '../../../startup/cleanup.ts';
import { openConfiguredDatabase } from '../../../startup/configured-database.ts';
import { ensureDataDir } from '../../../startup/data-dir.ts';
import { liveChecklist } from '../../../startup/live-checklist.ts';
import { openLog } from '../../../startup/log.ts';
import { requireData } from '../../../startup/require-data.ts';
import { sealingKeys } from '../../../startup/sealing-keys.ts';
import { StartError } from '../../../startup/start-error.ts';
import { adminCommand, type Common } from '../command.ts';
import { printResult } from '../print-result.ts';
import { runProbes } from './run-probes.ts';

export const doctor = () =>
  adminCommand('doctor', {
    about: 'Find problems in the installation, and show how to fix them.',
    more:
      'Checks configuration, database, migrations, clock, storage (with a file that it writes and deletes), mail server, ' +
      'disk, installed packages, service, backlog, periodic tasks, stored credentials, connections and network API versions. ' +
      'Changes nothing. The exit code is 1 if something is broken, and 0 if there are only warnings.',
    example: '--json',
  }).action(async (options: Common) => {
    const checks = await diagnose();
    const isFine = checks.every(({ status }) => status !== 'fail');
    printResult(options, { ok: isFine, checks }, [...checks.map(lineOf), '', summary(checks)]);
    if (!isFine) process.exitCode = 1;
  });

async function diagnose(): Promise<Check[]> {
  const undo = cleanup();
  try {
    const config = readConfig();
    const core = await open(config, await openLog('error', 2), undo);
    return [...configuration(core), ...(await runProbes(core))];
  } catch (error) {
    if (error instanceof ConfigurationError)
      return [fail('configuration', error.message, 'Correct these variables in .env or in the environment.')];
    if (error instanceof StartError)
      return [fail('start', error.message, todoOf(error.message, 'Nothing else can be checked until then.'))];
    throw error;
  } finally {
    await undo.run();
  }
}

/** Unlike other commands, it applies no migrations. */
async function open(config: Config, log: Logger, undo: Cleanup): Promise<Core> {
  requireData(config);
  await ensureDataDir(config);
  const database = await openConfiguredDatabase(config, log, undo);
  const core = buildCore(config, {
    ...database,
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    sandboxUrl: null,
    sealingKeys: sealingKeys(config.dataDir, config.secretKeys),
    log,
  });
  undo.push(() => core.close());
  return core;
}

function configuration(core: Core): Check[] {
  const { platformMode, unknownVariables } = core.config;
  const typos = unknownVariables.map((sentence) => warn('configuration', sentence, 'Correct its name, or remove it.'));
  if (platformMode === 'sandbox')
    return [
      ...typos,
      ok('networks', 'The sandbox simulates all networks (NETWORKS=sandbox): nothing is published to the real ones.'),
    ];
  return [...typos, ok('networks', 'The real ones (NETWORKS=live).'), ...liveChecklist(core)];
}

const lineOf = ({ name, status, detail, todo }: Check) =>
  `${status.padEnd(5)}${name.padEnd(20)}${detail}${todo ? `\n${' '.repeat(25)}${todo}` : ''}`;

function summary(checks: readonly Check[]): string {
  const [failed, warnings] = ['fail', 'warn'].map((wanted) => checks.filter(({ status }) => status === wanted).length);
  return failed === 0 && warnings === 0 ? 'No problems found.' : `Broken: ${failed}. Warnings: ${warnings}.`;
}
