import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { openDatabase } from '../src/foundation/db/database.ts';
import { migrationNames, readMigration } from '../src/foundation/db/migrations.ts';
import { selectRows, selectTables, snapshot } from '../src/surfaces/admin/backup/queries.ts';
import { schemaSql } from './schema-sql.ts';

export const releasesFolder = new URL('../releases/', import.meta.url);

/** A database as a release leaves it: SQL that creates it in an empty database, and the migrations applied to it. */
export interface Release {
  version: string;
  sql: string;
  migrations: { name: string; sha256: string }[];
}

/** All releases, oldest first. Each is a file `releases/<version>.sql`. */
export async function readReleases(folder: URL = releasesFolder): Promise<Release[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.sql'));
  const versions = files.map((name) => name.replace(/\.sql$/, ''));
  versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return Promise.all(
    versions.map(async (version) => parseRelease(version, await readFile(new URL(`${version}.sql`, folder), 'utf8'))),
  );
}

export function parseRelease(version: string, sql: string): Release {
  const lines = sql.matchAll(/^-- migration (\S+) ([0-9a-f]{64})$/gm);
  return { version, sql, migrations: [...lines].map(([, name = '', sha256 = '']) => ({ name, sha256 })) };
}

/** The text of `releases/<version>.sql`, from a migrated database with some data in it. */
export async function releaseSql(databaseUrl: string, version: string): Promise<string> {
  const names = await migrationNames();
  const marks = await Promise.all(names.map(async (name) => `-- migration ${name} ${await sha256Of(name)}`));
  const text = [
    `-- A database as Crier ${version} leaves it: its schema, and the data of the sandbox. Tests upgrade it to the present.`,
    '-- Written by "npm run release-schema"; do not edit.',
    ...marks,
    '',
    await schemaSql(databaseUrl),
    ...(await dataSql(databaseUrl)),
    migrationsTable,
    ...names.map((name) => `insert into migrations (name, additive) values (${pg.escapeLiteral(name)}, true);`),
  ];
  return `${text.join('\n')}\n`;
}

export async function sha256Of(migration: string): Promise<string> {
  return createHash('sha256')
    .update((await readMigration(migration)).text)
    .digest('hex');
}

const migrationsTable =
  'create table migrations (name text primary key, applied_at timestamptz not null default now(), additive boolean not null default false);';

/** Disables triggers, so that these rows count, notify and emit nothing. */
async function dataSql(databaseUrl: string): Promise<string[]> {
  const { db, close } = openDatabase(databaseUrl, { max: 1 });
  try {
    return await snapshot(db, async (tx) => {
      const lines: string[] = [];
      for (const table of await selectTables(tx)) {
        const rows = await Array.fromAsync(selectRows(tx, table));
        if (rows.length === 0) continue;
        const values = rows.map((row) => `  ${pg.escapeLiteral(row)}`).join(',\n');
        lines.push(
          `alter table ${table} disable trigger user;`,
          `insert into ${table} overriding system value select * from unnest(array[\n${values}\n]::text[]::${table}[]);`,
          `alter table ${table} enable trigger user;\n`,
        );
      }
      return lines;
    });
  } finally {
    await close();
  }
}
