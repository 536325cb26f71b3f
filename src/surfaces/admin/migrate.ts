import { type Config, readConfig } from '../../config/config.ts';
import { migrate, pendingMigrations } from '../../foundation/db/migrate.ts';
import { isBatch, type Migration } from '../../foundation/db/migrations.ts';
import { cleanup } from '../../startup/cleanup.ts';
import { openConfiguredDatabase } from '../../startup/configured-database.ts';
import { ensureDataDir } from '../../startup/data-dir.ts';
import { openLog } from '../../startup/log.ts';
import { requireData } from '../../startup/require-data.ts';
import { adminCommand, type Common } from './command.ts';
import { counted, printResult } from './print-result.ts';

export const migrateCommand = () =>
  adminCommand('migrate', {
    about: 'Apply the database migrations of this version of Crier.',
    more:
      'Crier also does this at startup. Run it before an upgrade, so that long migrations run while the previous version still works. With ' +
      '--plan it shows what would run and changes nothing. It can be interrupted and run again.',
    example: '--plan',
  })
    .option('--plan', 'show which migrations would run, their order and mode, and run none')
    .action(async (options: Common & { plan?: true }) => {
      const config = readConfig();
      if (options.plan) requireData(config);
      await onDatabase(config, (url) => (options.plan ? plan(url, options) : run(url, options)));
    });

async function plan(databaseUrl: string, options: Common) {
  const pending = await pendingMigrations(databaseUrl);
  const title =
    pending.length === 0
      ? 'The database is up to date: no migration would run.'
      : `${counted(pending.length, 'migration')} would run, in this order:`;
  printResult(options, { pending: pending.map(forPrograms) }, [title, ...pending.flatMap(forPeople)]);
}

async function run(databaseUrl: string, options: Common) {
  const applied = await migrate(databaseUrl, {
    // Standard output is for the result.
    onProgress: ({ migration: { name }, rows }) =>
      console.error(rows === 0 ? `${name} …` : `${name}: ${counted(rows, 'row')} changed`),
  });
  const summary =
    applied.length === 0 ? 'The database was up to date.' : `Applied ${counted(applied.length, 'migration')}.`;
  printResult(options, { applied }, [summary]);
}

const forPrograms = ({ name, about, online, breaking, statements }: Migration) => ({
  name,
  about,
  mode: online ? 'online' : 'short',
  breaking,
  statements: statements.map((sql) => ({ sql, inBatches: isBatch(sql) })),
});

const modes = {
  short: 'short: one transaction; waits for other statements, and lets them pass, for a second at a time',
  online: 'online: statement by statement and in batches, alongside running processes',
};

function forPeople(migration: Migration): string[] {
  const { name, about, online, breaking, statements } = migration;
  return [
    '',
    `${name}  ${about}`,
    `  ${online ? modes.online : modes.short}`,
    ...(breaking ? ['  breaking: first stop all processes of the previous version'] : []),
    ...statements.map((sql) => `${sql};`.replaceAll(/^(?=.)/gm, '    ')),
  ];
}

/** Unlike other commands, this does not migrate the database first. */
async function onDatabase(config: Config, use: (databaseUrl: string) => Promise<void>) {
  const undo = cleanup();
  try {
    await ensureDataDir(config);
    // The migration lock needs a connection that no pooler shares.
    const { directUrl } = await openConfiguredDatabase(config, await openLog('warn', 2), undo);
    await use(directUrl);
  } finally {
    await undo.run();
  }
}
