import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schemaSql } from '../../../scripts/schema-sql.ts';
import { newer, withMigrations } from '../../../test/support/database/newer-migrations.ts';
import { lockIsAwaited, type TestDatabase, testDatabase } from '../../../test/support/database/postgres.ts';
import { seedPosts } from '../../../test/support/database/seeded-posts.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { migrationNames } from './migrations.ts';

let database: TestDatabase;
let folders: TemporaryFolder;
beforeAll(async () => {
  folders = await temporaryFolder();
});
afterAll(() => folders.remove());
// It has all current migrations.
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const empty = () => database.pool.query('drop schema public cascade; create schema public');

const processes = [1, 2, 3];
/** One of them applied everything, the others nothing. */
const onlyOne = (results: string[][]) => results.toSorted((one, other) => other.length - one.length);
const versionWith = (name: string, files?: Record<string, string>) => withMigrations(join(folders.path, name), files);

test('several processes that start on an empty database apply each migration once', async () => {
  await empty();
  const applied = await Promise.all(processes.map(() => migrate(database.url)));
  expect(onlyOne(applied)).toEqual([await migrationNames(), [], []]);
});

test('a migrated database has nothing left to apply', async () => {
  expect(await migrate(database.url)).toEqual([]);
});

test('schema.sql creates the same schema as the migrations', async () => {
  await empty();
  const text = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8');
  await database.pool.query(text);
  const withoutComments = (schema: string) => schema.replaceAll(/^ *--.*\n/gm, '');
  expect(withoutComments(await schemaSql(database.url))).toBe(withoutComments(text));
});

test('a database of another version is refused and not changed', async () => {
  await database.pool.query(`insert into migrations (name) values ('9999-future.sql')`);
  await expect(migrate(database.url)).rejects.toThrow(
    'The database was created by another version of Crier (it has the migration 9999-future.sql).',
  );
});

describe('a newer version', () => {
  beforeEach(() => seedPosts(database, { posts: 70 }));

  const texts = async () =>
    (await database.pool.query('select search_text, priority, count(*)::int from platform_posts group by 1, 2')).rows;

  test('plans what it would do, in its order, and changes nothing', async () => {
    const folder = await versionWith('planned');
    const before = await schemaSql(database.url);
    const plan = await pendingMigrations(database.url, folder);
    expect(plan.map(({ name, online, about }) => ({ name, online, about }))).toEqual([
      { name: '8001-priority.sql', online: false, about: 'How urgent a post is.' },
      { name: '8002-search-text.sql', online: true, about: 'What the search reads.' },
    ]);
    expect(await schemaSql(database.url)).toBe(before);
    expect(await pendingMigrations(database.url)).toEqual([]);
  });

  test('changes old rows in batches', async () => {
    const rows: number[] = [];
    const folder = await versionWith('batches');
    const applied = await migrate(database.url, { folder, onProgress: (progress) => rows.push(progress.rows) });
    expect(applied).toEqual(Object.keys(newer));
    expect(rows).toEqual([0, 0, 50, 100, 140]);
    expect(await texts()).toEqual([{ search_text: 'x', priority: 0, count: 140 }]);
  });

  test('of which several processes start at the same time makes its indexes without a deadlock, once', async () => {
    const folder = await versionWith('at-once');
    const applied = await Promise.all(processes.map(() => migrate(database.url, { folder })));
    expect(onlyOne(applied)).toEqual([Object.keys(newer), [], []]);
  });

  test('that was interrupted goes on where it was, and makes an index again that was not finished', async () => {
    const folder = await versionWith('interrupted');
    await migrate(database.url, { folder, only: ['8001-priority.sql'] });
    await database.pool.query(`update platform_posts set search_text = 'done before' where id < 'published5'`);
    // An index that cannot be completed is left behind like an interrupted one.
    const unfinished = 'create unique index concurrently platform_posts_by_priority on platform_posts (priority)';
    await expect(database.pool.query(unfinished)).rejects.toThrow('could not create unique index');
    expect(await migrate(database.url, { folder })).toEqual(['8002-search-text.sql']);
    const { rows } = await database.pool.query('select from pg_index where not indisvalid');
    expect(rows).toEqual([]);
    expect((await texts()).map(({ search_text }) => search_text).sort()).toEqual(['done before', 'x']);
  });

  test('lets statements of running processes pass while it waits for a lock', async () => {
    const folder = await versionWith('locked');
    const [reader, other] = [await database.pool.connect(), await database.pool.connect()];
    try {
      await reader.query('begin; select from platform_posts limit 1');
      const migrated = migrate(database.url, { folder });
      await lockIsAwaited(database);
      // It queues behind the migration, which gives up for a moment.
      await other.query('select from platform_posts limit 1');
      await reader.query('commit');
      expect(await migrated).toEqual(Object.keys(newer));
    } finally {
      reader.release();
      other.release();
    }
  });

  test('that only adds leaves a database on which the version before may start again', async () => {
    await migrate(database.url, { folder: await versionWith('added') });
    expect(await migrate(database.url)).toEqual([]);
  });

  test('that is marked as breaking leaves a database that the version before refuses', async () => {
    const breaking = { '8003-drop.sql': '-- Drops.\n-- breaking\nalter table posts_unused drop column a;\n' };
    await database.pool.query('create table posts_unused (a text)');
    await migrate(database.url, { folder: await versionWith('breaking', breaking) });
    await expect(migrate(database.url)).rejects.toThrow('(it has the migration 8003-drop.sql)');
  });

  test('whose migration fails keeps what was applied before, and says which one failed', async () => {
    const failing = {
      ...newer,
      '8003-wrong.sql': 'alter table platform_posts add column a text; select no_such_column',
    };
    const migrated = migrate(database.url, { folder: await versionWith('failing', failing) });
    await expect(migrated).rejects.toThrow('Migration 8003-wrong.sql failed: column "no_such_column" does not exist');
    expect(await schemaSql(database.url)).not.toMatch(/^ {2}a text/m);
    const { rows } = await database.pool.query('select max(name) as last from migrations');
    expect(rows).toEqual([{ last: '8002-search-text.sql' }]);
  });
});
