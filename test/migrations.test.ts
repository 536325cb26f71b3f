import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRelease, readReleases, releaseSql, sha256Of } from '../scripts/release-sql.ts';
import { schemaSql } from '../scripts/schema-sql.ts';
import { migrate } from '../src/foundation/db/migrate.ts';
import { migrationNames, parseMigration, readMigration } from '../src/foundation/db/migrations.ts';
import { brokenRules } from './support/database/migration-rules.ts';
import { type TestDatabase, testDatabase } from './support/database/postgres.ts';
import { seedPosts } from './support/database/seeded-posts.ts';

const releases = await readReleases();
const present = await migrationNames();
const presentSchema = await readFile(new URL('../schema.sql', import.meta.url), 'utf8');

describe('migrations after the last release', () => {
  const released = releases.at(-1)?.migrations.map(({ name }) => name) ?? [];
  // Before the first release there are no older processes, and the files may still be edited.
  const later = releases.length === 0 ? [] : present.filter((name) => !released.includes(name));

  test('let processes of that release work during and after them', async () => {
    const migrations = await Promise.all(later.map((name) => readMigration(name)));
    expect(migrations.flatMap(brokenRules)).toEqual([]);
  });

  test('come after those of that release', () => {
    expect(later.filter((name) => name <= (released.at(-1) ?? ''))).toEqual([]);
  });
});

test('a migration that was released is never edited or removed', async () => {
  for (const { version, migrations } of releases) {
    for (const { name, sha256 } of migrations)
      expect([version, name, await sha256Of(name)]).toEqual([version, name, sha256]);
  }
});

describe('the rules notice a migration that', () => {
  test.for<[what: string, sql: string]>([
    ['drops a table', 'drop table posts'],
    ['drops a column', 'alter table posts add column a text, drop column b'],
    ['drops a default', 'alter table posts alter column a drop default'],
    ['drops a constraint for good', 'alter table posts drop constraint posts_a_check'],
    ['renames a column', 'alter table posts rename column a to b'],
    ['renames a table', 'alter table posts rename to texts'],
    ['changes a type', 'alter table posts alter column a type bigint'],
    ['forbids null', 'alter table posts alter a set not null'],
    ['adds a column without default that must not be null', 'alter table posts add column a text not null'],
    ['adds a unique column', 'alter table posts add column a text unique'],
    ['makes an index under a lock', 'create index posts_a on posts (a)'],
    ['makes an index concurrently in a transaction', 'create index concurrently if not exists posts_a on posts (a)'],
    ['makes an index that cannot be made again', '-- online\ncreate index concurrently posts_a on posts (a)'],
    ['forbids duplicates', '-- online\ncreate unique index concurrently if not exists posts_a on posts (a)'],
    ['checks all rows under a lock', `alter table posts add constraint a check (a <> '')`],
    ['validates a constraint in a transaction', 'alter table posts validate constraint a'],
    ['writes all rows for a default', 'alter table posts add column a uuid not null default gen_random_uuid()'],
    ['changes all rows in a transaction', `update posts set a = 'b'`],
    ['changes all rows together online', `-- online\nupdate posts set a = 'b'`],
    ['changes batches without a limit', `-- online\n-- batch\nupdate posts set a = 'b' where a is null`],
    ['locks a table', 'lock table posts'],
    ['cannot be run again', '-- online\nalter table posts add column a text'],
  ])('%s', ([, sql]) => {
    expect(brokenRules(parseMigration('0001.sql', sql))).toHaveLength(1);
  });

  test.for<[what: string, sql: string]>([
    [
      'creates a table with all it needs',
      'create table a (b text not null unique); create unique index c on a (b); update a set b = b',
    ],
    ['adds columns', `alter table posts add column a text, add column b numeric(10, 2) not null default 0`],
    ['drops an index', 'drop index posts_a'],
    ['allows null', 'alter table posts alter column a drop not null'],
    ['adds a constraint for new rows', `alter table posts add constraint a check (a <> '') not valid`],
    ['widens a constraint', `alter table posts drop constraint a, add constraint a check (a in ('b', 'c')) not valid`],
    ['replaces a function', 'create or replace function f() returns int language sql as $$select 1; drop table x$$'],
    ['makes an index online', '-- online\ncreate index concurrently if not exists posts_a on posts (a)'],
    [
      'changes rows in batches',
      '-- online\n-- batch\nupdate posts set a = 1 where id in (select id from posts where a is null limit 500)',
    ],
    ['says that it is breaking', '-- breaking\nalter table posts drop column a'],
  ])('but not one that %s', ([, sql]) => {
    expect(brokenRules(parseMigration('0001.sql', sql))).toEqual([]);
  });
});

describe('an upgrade', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  const load = async ({ sql }: { sql: string }) => {
    await database.pool.query('drop schema public cascade; create schema public');
    await database.pool.query(sql);
  };

  /** The order of columns only shows which came later; nothing else depends on it. */
  const sorted = (schema: string) =>
    schema
      .replaceAll(/^ *--.*\n|,$/gm, '')
      .split('\n')
      .toSorted();

  test('of every release, with its data, ends in the present schema', async () => {
    for (const release of releases) {
      await load(release);
      const { rows } = await database.pool.query<{ posts: number }>(
        'select count(*)::int as posts from platform_posts',
      );
      const old = release.migrations.map(({ name }) => name);
      expect(await migrate(database.url)).toEqual(present.filter((name) => !old.includes(name)));
      expect(sorted(await schemaSql(database.url))).toEqual(sorted(presentSchema));
      const after = await database.pool.query('select count(*)::int as posts from platform_posts');
      expect([release.version, after.rows]).toEqual([release.version, rows]);
    }
  });

  test('begins with the schema, the migrations and the rows of the release', async () => {
    await seedPosts(database, { posts: 20 });
    const count = 'select count(*)::int as posts, max(content) as content from platform_posts';
    const { rows } = await database.pool.query(count);
    const release = parseRelease('0.0.0', await releaseSql(database.url, '0.0.0'));
    expect(release.migrations.map(({ name }) => name)).toEqual(present);

    await load(release);
    expect((await database.pool.query(count)).rows).toEqual(rows);
    expect(sorted(await schemaSql(database.url))).toEqual(sorted(presentSchema));
    expect(await migrate(database.url)).toEqual([]);
  });
});
