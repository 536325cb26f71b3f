import { type RawBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../foundation/db/database.ts';
import { liftIdleLimit } from '../../../foundation/db/database.ts';
import { rowBatches } from '../../../foundation/db/row-batches.ts';

/**
 * Data that is useless on another server or after a while. Sessions, invitations, one-time links and tokens are left
 * out, so that none that was ended or used after the backup works again. Transaction ids (changes) are meaningless on
 * another server.
 */
const leftOut = [
  'migrations',
  'workers',
  'changes',
  'stream_users',
  'rate_counters',
  'request_log_bodies',
  'url_allowances',
  'statistics_cache',
  'statistics_cooldowns',
  'auth_sessions',
  'auth_verifications',
  'sign_in_challenges',
  'pending_sign_ups',
  'invitations',
  'attach_tokens',
  'password_resets',
  'email_changes',
  'oauth_flows',
  'oauth_codes',
  'account_choices',
];

/** The tables of a backup. Each comes after the tables it references. */
export async function selectTables(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> all (${leftOut}::text[])
    order by relname`.execute(db);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select child.relname as "from", parent.relname as "to" from pg_constraint
    join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid`.execute(db);
  const ordered: string[] = [];
  const add = (name: string) => {
    if (ordered.includes(name)) return;
    for (const { to } of references.filter(({ from }) => from === name)) add(to);
    ordered.push(name);
  };
  for (const { name } of tables) add(name);
  return ordered;
}

/** Every row in PostgreSQL's own notation, which preserves all values exactly. */
export async function* selectRows(tx: Db, table: string): AsyncGenerator<string> {
  yield* valuesOf<string>(tx, sql`select ${sql.ref(table)}::text as value from ${sql.table(table)}`);
}

export interface FileRecord {
  key: string;
  /** False until its upload has ended: the file may not exist yet. */
  isNeeded: boolean;
}

/** The stored files of all records. */
export const selectFiles = (tx: Db) =>
  valuesOf<FileRecord>(
    tx,
    sql`
      select json_build_object('key', storage_key, 'isNeeded', status = 'ready') as value
      from media where storage_key is not null
      union all
      select json_build_object('key', storage_key, 'isNeeded', true) from renditions`,
  );

async function* valuesOf<T>(tx: Db, query: RawBuilder<{ value: T }>): AsyncGenerator<T> {
  for await (const rows of rowBatches(tx, 'backed_up', query, sql`octet_length(value::text)`)) {
    for (const { value } of rows) yield value;
  }
}

export async function selectMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** A transaction with one snapshot for all its reads. */
export const snapshot = <T>(db: Database['db'], work: (tx: Database['db']) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await liftIdleLimit(tx);
      return work(tx);
    });

/** Rows of a backup are restored unchanged: no trigger counts, notifies or emits because of them. */
export async function setTriggers(tx: Db, tables: readonly string[], state: 'enable' | 'disable') {
  const how = state === 'enable' ? sql`enable trigger user` : sql`disable trigger user`;
  for (const table of tables) await sql`alter table ${sql.table(table)} ${how}`.execute(tx);
}

export async function insertRows(tx: Db, table: string, rows: readonly string[]) {
  // In an array, each quotation mark and backslash of a row would be escaped once more.
  const values = sql.join(rows.map((row) => sql`(${row}::text::${sql.table(table)})`));
  await sql`
    insert into ${sql.table(table)} overriding system value
    select (stored.row).* from (values ${values}) stored (row)`.execute(tx);
}

/** Sequences continue after the highest value. */
export async function continueSequences(tx: Db) {
  await sql`
    do $$ declare owned record; begin
      for owned in
        select table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
        from information_schema.columns
        where table_schema = current_schema() and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null
      loop
        execute format('select setval(%L, coalesce(max(%I), 0) + 1, false) from %I', owned.sequence, owned.column_name,
          owned.table_name);
      end loop;
    end $$`.execute(tx);
}

/** Another storage assigns a different version to the same file. */
export const updateObjectVersion = (tx: Db, key: string, version: string) =>
  sql`
    update media set object_version = ${version} where storage_key = ${key} and object_version is not null`.execute(tx);

/** Whether this database is unused. */
export async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    select to_regclass('users') is null as "isEmpty"`.execute(db);
  if (rows[0]!.isEmpty) return true;
  return (await db.selectFrom('users').select('id').limit(1).execute()).length === 0;
}
