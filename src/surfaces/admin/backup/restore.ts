import { resolve } from 'node:path';
import { Option } from 'commander';
import { buildCore, type Core } from '../../../app.ts';
import { type Config, readConfig } from '../../../config/config.ts';
import type { HoldScope } from '../../../features/publishing/maintenance/hold-restored.ts';
import { openDatabase } from '../../../foundation/db/database.ts';
import { lockDataDir } from '../../../foundation/db/embedded/data-dir-lock.ts';
import { type Cleanup, cleanup } from '../../../startup/cleanup.ts';
import { type ConfiguredDatabase, openConfiguredDatabase } from '../../../startup/configured-database.ts';
import { ensureDataDir } from '../../../startup/data-dir.ts';
import { openLog } from '../../../startup/log.ts';
import { sealingKeys } from '../../../startup/sealing-keys.ts';
import { adminCommand, type Common } from '../command.ts';
import { AdminError, UsageError } from '../error-message.ts';
import { keyFileIn, writeKeys } from '../keys/key-file.ts';
import { counted, printResult } from '../print-result.ts';
import { keyIn } from './backup.ts';
import { heldBackLines } from './held-back-lines.ts';
import { type Manifest, readManifest } from './layout.ts';
import { isEmpty } from './queries.ts';
import { type Restored, readBackup } from './read-backup.ts';
import { restoredKeys } from './restored-keys.ts';

interface Options extends Common {
  from: string;
  key?: string;
  hold: HoldScope;
}

export const restore = () =>
  adminCommand('restore', {
    about: 'Restore a backup into an empty database and storage.',
    more:
      'Set DATA_DIR, DATABASE_URL and STORAGE_URL as for `npm start`. The database must be empty, and Crier must not be running on ' +
      'it. Crier may have kept running after the backup, so posts that have become due since then may already be ' +
      'published. They are not published again: they become drafts, and posts that were being published fail with ' +
      'PUBLISH_OUTCOME_UNKNOWN, so that their authors check. --hold all does this with all scheduled posts, because someone ' +
      'may have published them early; use --hold none if Crier was stopped before the backup.',
    example: '--from /backups/crier-2027-04-01 --key /safe/crier.key',
  })
    .requiredOption('--from <folder>', 'the folder created by backup')
    .option('--key <file>', 'the file written by --key-to, if the key is not in the backup')
    .addOption(
      new Option('--hold <posts>', 'which scheduled posts become drafts')
        .choices(['overdue', 'all', 'none'])
        .default('overdue'),
    )
    .action(async (options: Options) => {
      const undo = cleanup();
      try {
        await run(options, undo);
      } finally {
        await undo.run();
      }
    });

async function run(options: Options, undo: Cleanup) {
  const folder = resolve(options.from);
  const manifest = await readManifest(folder);
  if (options.hold === 'none' && manifest.whileRunning)
    throw new UsageError(
      'This backup was taken while Crier was running, so Crier may have published posts after it. Use --hold overdue or all.',
    );
  const config = readConfig();
  await ensureDataDir(config);
  const keys = await restoredKeys(config, manifest, options.key ?? keyIn(folder));
  const database = await openEmptyDatabase(config, undo);
  if (config.secretKeys.length === 0) await writeKeys(keyFileIn(config.dataDir), keys);
  const core = await openCore(config, database, undo);
  const heldBack = await readBackup(core, database.directUrl, folder, manifest, options.hold);
  printResult(
    options,
    { takenAt: manifest.takenAt, files: manifest.media.files, held: heldBack },
    textOf(manifest, heldBack),
  );
}

async function openEmptyDatabase(config: Config, undo: Cleanup): Promise<ConfiguredDatabase> {
  const database = await openConfiguredDatabase(config, await openLog('warn', 2), undo);
  const lock = await lockDataDir(database.directUrl, config.dataDir);
  if (!lock) throw new AdminError(`Crier is running on ${config.dataDir}. Stop it first.`);
  undo.push(() => lock.release());
  const { db, close } = openDatabase(database.directUrl, { max: 1 });
  try {
    if (await isEmpty(db)) return database;
  } finally {
    await close();
  }
  throw new AdminError('The database is not empty. Set DATABASE_URL, or DATA_DIR without it, to an empty one.');
}

async function openCore(config: Config, database: ConfiguredDatabase, undo: Cleanup): Promise<Core> {
  const core = buildCore(config, {
    ...database,
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    sandboxUrl: null,
    sealingKeys: sealingKeys(config.dataDir, config.secretKeys),
    log: await openLog('warn', 2),
  });
  undo.push(() => core.close());
  return core;
}

function textOf({ takenAt, media }: Manifest, heldBack: Restored): string[] {
  const lines = [
    `Restored the state of ${takenAt.toISOString()}, with ${counted(media.files, 'file')}. Start Crier now.`,
  ];
  if (!media.included) lines.push('The backup contains no media: the storage must already have the files.');
  lines.push(...heldBackLines(heldBack));
  lines.push(
    'All users must sign in again. API keys and accounts that were revoked or deleted after the backup exist again: ' +
      'revoke them again. Networks with single-use refresh tokens may have to be connected again.',
  );
  return lines;
}
