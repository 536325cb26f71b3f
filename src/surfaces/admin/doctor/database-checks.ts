import { sql } from 'kysely';
import type { Core } from '../../../app.ts';
import { isServiceRunning, sealingKeyIdsInUse } from '../../../features/connections/credentials/rotate-sealing-key.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { migrationNames } from '../../../foundation/db/migrations.ts';
import { adminCommandLine } from '../../../foundation/system/admin-command-line.ts';
import { type Check, fail, ok, warn } from '../../../startup/checks.ts';
import { appliedMigrations, selectBacklog, selectFailingTasks, workState } from '../../health/queries.ts';

const oldestVersion = 15;
const minSkewSeconds = 1;
const badSkewSeconds = 5;

export async function server({ db }: Core): Promise<Check> {
  const before = performance.now();
  const { version } = await selectServer(db);
  const ms = (performance.now() - before).toFixed(0);
  if (version < oldestVersion)
    return fail('database', `PostgreSQL ${version} is too old.`, `Use PostgreSQL ${oldestVersion} or newer.`);
  return ok('database', `PostgreSQL ${version} responds in ${ms} ms.`);
}

/** False before the first migration. */
export const hasTables = ({ db }: Pick<Core, 'db'>) => selectHasTable(db, 'migrations');

export async function migrations({ db }: Core): Promise<Check> {
  if (!(await hasTables({ db })))
    return fail(
      'migrations',
      'The database has no Crier tables yet. Checks that need them were skipped.',
      `Start Crier, which creates them, or run ${adminCommandLine('migrate')}. If you expected tables, the settings point to another database.`,
    );
  const [applied, known] = await Promise.all([appliedMigrations(db), migrationNames()]);
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return fail(
      'migrations',
      `The database belongs to another version of Crier: it has ${unknown.join(', ')}.`,
      'Start that version, or a newer one.',
    );
  if (missing.length > 0)
    return fail(
      'migrations',
      `Missing: ${missing.join(', ')}.`,
      `Start Crier, which applies them, or run ${adminCommandLine('migrate')}.`,
    );
  return ok('migrations', `All ${known.length} are applied.`);
}

/** Every process follows the database's clock, but certificates and log times use the machine's. */
export async function clockSkew({ db, clock }: Core): Promise<Check> {
  const before = clock.now().getTime();
  const { now } = await selectServer(db);
  const after = clock.now().getTime();
  const seconds = Math.abs(now.getTime() - (before + after) / 2) / 1000;
  const detail = `This machine and the database differ by ${seconds.toFixed(2)} s.`;
  const todo =
    'Synchronize both machines with a time server (chrony, systemd-timesyncd). If the clock of the database is wrong, posts are published early or late.';
  if (seconds > badSkewSeconds) return fail('clock', detail, todo);
  return seconds > minSkewSeconds ? warn('clock', detail, todo) : ok('clock', detail);
}

export async function running({ db, clock }: Core): Promise<Check> {
  if (!(await isServiceRunning({ db }))) return warn('service', 'Crier is not running on this database.', 'Start it.');
  const { workers, dispatchedSecondsAgo } = await workState(db, '', clock.now());
  if (workers === 0)
    return fail(
      'service',
      'Crier is running without a worker: nothing is published.',
      'Start a process with ROLES=worker.',
    );
  const ago = `${(dispatchedSecondsAgo ?? 0).toFixed(0)} s ago`;
  if ((dispatchedSecondsAgo ?? 0) > 45)
    return fail('service', `A worker last checked for due posts ${ago}.`, 'Check its log and restart it.');
  return ok('service', `Workers: ${workers}. The last check for due posts was ${ago}.`);
}

export async function backlog({ db, clock }: Core): Promise<Check[]> {
  const now = clock.now();
  const [{ overdueSeconds }, kinds] = await Promise.all([workState(db, '', now), selectBacklog(db, now)]);
  const waiting = kinds.map(({ work, count }) => `${work.replaceAll('_', ' ')} ${count}`).join(', ');
  const overdue = overdueSeconds ?? 0;
  return [
    overdue > 60
      ? fail(
          'backlog',
          `The oldest due post has been waiting for ${overdue.toFixed(0)} s. Waiting: ${waiting}.`,
          'See docs/runbook.md.',
        )
      : ok('backlog', `Nothing is overdue. Waiting: ${waiting}.`),
  ];
}

export async function tasks({ db, clock }: Core): Promise<Check> {
  const failing = await selectFailingTasks(db, 3, clock.now());
  if (failing.length === 0) return ok('periodic tasks', 'None is failing repeatedly.');
  const list = failing.map(({ name, consecutiveFailures }) => `${name} (${consecutiveFailures} times)`).join(', ');
  return warn('periodic tasks', `Failing repeatedly: ${list}.`, 'The worker log shows the cause.');
}

export async function keys({ db, sealingKeys }: Core): Promise<Check> {
  const known = [sealingKeys.current, ...sealingKeys.previous].map(({ id }) => id);
  const missing = (await sealingKeyIdsInUse({ db })).filter((id) => !known.includes(id));
  if (missing.length === 0) return ok('stored credentials', 'All can be decrypted with the keys on this machine.');
  return fail(
    'stored credentials',
    `Some are encrypted with the key ${missing.join(', ')}, which this machine does not have.`,
    'Set SECRET_KEY to its previous value, or restore DATA_DIR/secret.key from a backup.',
  );
}

/** The major version, and the server's current time. */
async function selectServer(db: Db): Promise<{ version: number; now: Date }> {
  const { rows } = await sql<{ version: number; now: Date }>`
    select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as now`.execute(db);
  return rows[0]!;
}

async function selectHasTable(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(db);
  return rows[0]!.exists;
}
