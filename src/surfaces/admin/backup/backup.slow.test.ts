import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database/postgres.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { anImage } from '../../../../test/support/files/media.ts';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { type TestApp, testApp, testClock } from '../../../../test/support/service/app.ts';
import { aPerson } from '../../../../test/support/service/people.ts';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { eraseDueAccounts } from '../../../features/account-data/erasure/erase-due.ts';
import { deleteOrphanedFiles } from '../../../features/files/storing/orphaned-files.ts';
import { dispatch } from '../../../features/publishing/lanes/dispatcher.ts';
import type { HoldScope } from '../../../features/publishing/maintenance/hold-restored.ts';
import { migrate } from '../../../foundation/db/migrate.ts';
import { storageKey } from '../../../foundation/storage/storage-key.ts';
import { type Manifest, names, readManifest } from './layout.ts';
import { selectMigrations, selectTables } from './queries.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

const clock = testClock();
const secret = '5e'.repeat(32);
let folder: TemporaryFolder;
let service: TestService;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await testService({ clock, environment: { DATA_DIR: join(folder.path, 'data'), SECRET_KEY: secret } });
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

/** Every table that contains a secret for an account, a session or a link, and whether a backup includes it. */
const secretTables: Record<string, 'kept' | 'left out'> = {
  // These work once or for a short time. One that was used or ended after the backup must not work again.
  account_choices: 'left out',
  attach_tokens: 'left out',
  auth_sessions: 'left out',
  email_changes: 'left out',
  invitations: 'left out',
  oauth_codes: 'left out',
  oauth_flows: 'left out',
  password_resets: 'left out',
  pending_sign_ups: 'left out',
  sign_in_challenges: 'left out',
  // People and programs use these for a long time, and could not continue without them.
  api_keys: 'kept',
  auth_accounts: 'kept',
  auth_passkeys: 'kept',
  connection_links: 'kept',
  connections: 'kept',
  known_devices: 'kept',
  oauth_clients: 'kept',
  oauth_refresh_tokens: 'kept',
  recovery_codes: 'kept',
  two_factors: 'kept',
  webhooks: 'kept',
};

test('what works once or for a short time is left out, and every table with a secret was considered', async () => {
  const { rows } = await service.database.pool.query<{ name: string }>(`
    select distinct relname as name from pg_class
    join pg_attribute as field on field.attrelid = pg_class.oid and field.attnum > 0 and not field.attisdropped
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and field.attname ~ '(_hash|token|secrets?|password|public_key|credentials|grants)$'
      -- The fencing token of a claim opens nothing.
      and field.attname <> 'claim_token'`);
  const tables = await selectTables(service.app.db);
  const found = rows.map(({ name }) => [name, tables.includes(name) ? 'kept' : 'left out']);
  expect(Object.fromEntries(found)).toEqual(secretTables);
});

let backups = 0;
async function aBackup(options = { withMedia: true }) {
  backups += 1;
  const path = join(folder.path, `backup-${backups}`);
  const manifest = await writeBackup(service.app, path, { ...options, keyFile: null });
  return { path, manifest };
}

/** Another Crier with an empty database and an empty storage, filled from the backup. */
async function restored({ path, manifest }: { path: string; manifest: Manifest }, hold: HoldScope = 'overdue') {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const environment = { DATA_DIR: join(folder.path, `restored-${backups}`), SECRET_KEY: secret };
  const other: TestApp = await testApp({ clock, database, environment, sandboxUrl: service.sandbox.url });
  onTestFinished(() => other.close());
  const heldBack = await readBackup(other.app, database.url, path, manifest, hold);
  return { ...other, heldBack };
}

const inHours = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
const create = async (user: TestUser, post: object) =>
  (await user.call('POST', '/create-post', post)).body.postGroupId as string;
const statusOf = async ({ database }: Pick<TestApp, 'database'>, group: string) => {
  const { rows } = await database.pool.query(
    `select post_groups.status, array_agg(platform_posts.status) as targets, max(error ->> 'code') as code
     from post_groups join platform_posts on post_group_id = post_groups.id where post_groups.id = $1 group by 1`,
    [group],
  );
  return rows[0];
};
const copies = async (content: string) =>
  (await service.sandbox.posts()).filter((post: { text: string }) => post.text === content).length;

describe('a restored Crier', () => {
  test('has every row as it was, apart from sessions and what only one server understands', async () => {
    const ada = await service.aUser();
    const connection = await ada.aConnection();
    await create(ada, {
      content: 'Quotes " \\ and \n lines, \u2028 or \u2029, 👋',
      platforms: [connection],
      scheduledTime: inHours(24),
    });
    // Calls are logged a moment later.
    const logged = async () => (await service.database.pool.query('select from request_log_sizes')).rowCount;
    await expect.poll(logged).toBe(1);
    const backup = await aBackup();
    const { database } = await restored(backup, 'none');
    const rowsOf = async (pool: typeof database.pool, table: string) =>
      (await pool.query(`select ${table}::text as row from ${table} order by 1`)).rows;
    const tables = backup.manifest.tables.map(({ name }) => name);
    expect(tables).toEqual(expect.arrayContaining(['users', 'api_keys', 'connections', 'post_groups', 'quota_usage']));
    expect(tables).not.toContain('auth_sessions');
    for (const table of tables) {
      expect([table, await rowsOf(database.pool, table)]).toEqual([table, await rowsOf(service.database.pool, table)]);
    }
  });

  test('needs little memory, however many long texts the backup has', async () => {
    const ada = await service.aUser();
    const platforms = [
      await ada.aConnection('threads'),
      await ada.aConnection('threads'),
      await ada.aConnection('threads'),
    ];
    for (let number = 0; number < 20; number += 1) {
      await create(ada, { content: `Text ${number}`, platforms, scheduledTime: inHours(24) });
    }
    const { pool } = service.database;
    const parts = `jsonb_build_array(jsonb_build_object('text', repeat('"', 299000)))`;
    await pool.query(
      `update platform_posts set content = repeat('"', 299000), thread_parts = ${parts} where user_id = $1`,
      [ada.id],
    );
    const peakMb = () => process.resourceUsage().maxRSS / 1000;
    const before = peakMb();
    const { database } = await restored(await aBackup(), 'none');
    const { rows } = await database.pool.query(
      `select count(*)::int from platform_posts where length(content) = 299000`,
    );
    expect(rows).toEqual([{ count: 60 }]);
    expect(peakMb() - before).toBeLessThan(500);
    await pool.query('delete from post_groups where user_id = $1', [ada.id]);
  });

  test('publishes nothing that went out after the backup: that becomes a draft, and its log says why', async () => {
    const ada = await service.aUser();
    const connection = await ada.aConnection();
    const between = { content: 'Due in between', platforms: [connection], scheduledTime: inHours(1) };
    const later = { content: 'Due tomorrow', platforms: [connection], scheduledTime: inHours(24) };
    const [due, tomorrow] = [await create(ada, between), await create(ada, later)];
    const backup = await aBackup();
    clock.advance({ seconds: 2 * 3600 });
    await publishDue(service.app);
    expect(await copies('Due in between')).toBe(1);

    const other = await restored(backup);
    expect(other.heldBack).toMatchObject({ drafts: 1 });
    await publishDue(other.app);
    expect(await copies('Due in between')).toBe(1);
    expect(await statusOf(other, due)).toMatchObject({ status: 'draft', targets: ['draft'] });
    const { rows } = await other.database.pool.query(
      `select error from post_logs where post_group_id = $1 and event = 'publish_held'`,
      [due],
    );
    expect(rows).toEqual([
      { error: expect.stringMatching(/^Crier was restored from a backup of .* schedule it again\.$/) },
    ]);

    // The lost service no longer publishes anything; the restored one does, once.
    clock.advance({ seconds: 23 * 3600 });
    await publishDue(other.app);
    expect(await copies('Due tomorrow')).toBe(1);
    expect(await statusOf(other, tomorrow)).toMatchObject({ status: 'published' });
    await service.database.pool.query('delete from post_groups');
  });

  test('ends what was being published with an unknown outcome, also first comments', async () => {
    const ada = await service.aUser();
    const [one, two] = [await ada.aConnection(), await ada.aConnection()];
    const commented = await create(ada, {
      content: 'With a comment',
      platforms: [one],
      firstComments: [{ text: 'First', delaySeconds: 600 }],
      publishNow: true,
    });
    await publishDue(service.app);
    const open = await create(ada, { content: 'In a lane', platforms: [two], publishNow: true });
    await dispatch(service.app);
    const backup = await aBackup();
    clock.advance({ seconds: 1200 });
    await publishDue(service.app);

    const other = await restored(backup);
    expect(other.heldBack).toEqual({ drafts: 0, targets: 1, comments: 1, deletions: 0 });
    await publishDue(other.app);
    expect(await copies('In a lane')).toBe(1);
    expect(await copies('First')).toBe(1);
    expect(await statusOf(other, open)).toEqual({
      status: 'failed',
      targets: ['failed'],
      code: 'PUBLISH_OUTCOME_UNKNOWN',
    });
    const { rows } = await other.database.pool.query(
      'select first_comment_results from platform_posts where post_group_id = $1',
      [commented],
    );
    expect(rows[0].first_comment_results).toMatchObject([{ status: 'failed', error: { outcomeUnknown: true } }]);
    await service.database.pool.query('delete from post_groups');
  });

  test('holds all scheduled posts if asked to, or none', async () => {
    const ada = await service.aUser();
    const connection = await ada.aConnection();
    await create(ada, { content: 'Some day', platforms: [connection], scheduledTime: inHours(100) });
    const overdue = await create(ada, { content: 'Was stopped', platforms: [connection], scheduledTime: inHours(1) });
    const backup = await aBackup();
    clock.advance({ seconds: 7200 });
    expect((await restored(backup, 'all')).heldBack).toMatchObject({ drafts: 2 });
    const stopped = await restored(backup, 'none');
    await publishDue(stopped.app);
    expect(await statusOf(stopped, overdue)).toMatchObject({ status: 'published' });
    await service.database.pool.query('delete from post_groups');
  });
});

describe('an account that its user had asked to delete before the backup', () => {
  const day = 86_400;
  async function leaving() {
    const ada = await aPerson(service);
    await ada.browser.post('/auth/deletion', { password: testPassword });
    return ada;
  }
  const isThere = async ({ database }: Pick<TestApp, 'database'>, { id }: { id: string }) =>
    (await database.pool.query('select from users where id = $1', [id])).rowCount === 1;

  test('can be kept for seven days after the restore, of which a mail tells its user', async () => {
    const ada = await leaving();
    const backup = await aBackup();
    await ada.browser.delete('/auth/deletion');
    clock.advance({ seconds: 10 * day });
    const other = await restored(backup);
    expect(other.heldBack).toMatchObject({ deletions: 1 });
    await eraseDueAccounts(other.app);
    expect(await isThere(other, ada)).toBe(true);
    const deletionAt = new Date(clock.now().getTime() + 7 * day * 1000).toISOString();
    expect(await queuedMails(other.app, ada.email, 'deletion_postponed')).toMatchObject([{ deletionAt }]);
    clock.advance({ seconds: 7 * day });
    await eraseDueAccounts(other.app);
    expect(await isThere(other, ada)).toBe(false);
  });

  test('is erased in time if Crier was stopped before the backup', async () => {
    const ada = await leaving();
    const backup = await aBackup();
    clock.advance({ seconds: 7 * day });
    const other = await restored(backup, 'none');
    await eraseDueAccounts(other.app);
    expect(await isThere(other, ada)).toBe(false);
    await ada.browser.delete('/auth/deletion');
  });
});

test('a backup of an older version is restored, and its rows are migrated', async () => {
  const older = await testDatabase();
  onTestFinished(() => older.close());
  const all = await selectMigrations(older.db);
  const known = all.filter((name) => name < '0018');
  await older.pool.query('drop schema public cascade; create schema public');
  await migrate(older.url, { only: known });
  await older.pool.query(
    `insert into users (id, email, name, plan) values ('ada', 'ada@example.com', 'Ada', 'agency')`,
  );
  const environment = { DATA_DIR: join(folder.path, 'older'), SECRET_KEY: secret };
  const { app, close } = await testApp({ clock, database: older, environment });
  onTestFinished(() => close());
  const path = join(folder.path, 'backup-of-older');
  const manifest = await writeBackup(app, path, { withMedia: true, keyFile: null });
  expect(manifest.migrations).toEqual(known);

  const database = await testDatabase();
  onTestFinished(() => database.close());
  await database.pool.query('drop schema public cascade; create schema public');
  const present = await testApp({
    clock,
    database,
    environment: { ...environment, DATA_DIR: join(folder.path, 'new') },
  });
  onTestFinished(() => present.close());
  await readBackup(present.app, database.url, path, manifest, 'overdue');
  expect(await selectMigrations(database.db)).toEqual(all);
  expect((await database.pool.query('select email, plan from users')).rows).toEqual([
    { email: 'ada@example.com', plan: 'agency' },
  ]);
});

describe('files', () => {
  async function aFile(user: TestUser) {
    const postGroupId = await create(user, { content: 'With an image', platforms: [await user.aConnection()] });
    const ask = { postGroupId, fileName: 'a.png', contentType: 'image/png' };
    const { body } = await user.call('POST', '/get-upload-url', ask);
    const { pathname, search } = new URL(body.uploadUrl);
    const { bytes } = await anImage({ type: 'png' });
    const headers = { 'content-type': 'image/png' };
    await service.server.inject({ method: 'PUT', url: pathname + search, headers, payload: bytes });
    expect((await user.call('POST', `/complete-media/${body.mediaId}`)).status).toBe(200);
    return { postGroupId, key: pathname.replace('/media/upload/', ''), bytes };
  }

  test('are not deleted while a backup copies them, and are deleted after it', async () => {
    const ada = await service.aUser();
    const { postGroupId, key } = await aFile(ada);
    const { storage } = service.app;
    const read: typeof storage.read = async (...args) => {
      // Another request deletes the post at this moment.
      await ada.call('DELETE', `/delete-post/${postGroupId}`);
      await deleteOrphanedFiles(service.app);
      expect(await storage.stat(key)).not.toBeNull();
      return storage.read(...args);
    };
    const path = join(folder.path, 'backup-during-deletion');
    const app = { ...service.app, storage: { ...storage, read } };
    const { media } = await writeBackup(app, path, { withMedia: true, keyFile: null });
    expect(media).toMatchObject({ files: 1, missing: 0 });
    await deleteOrphanedFiles(service.app);
    expect(await storage.stat(key)).toBeNull();
  });

  test('that a record names and the storage has lost are counted, and the backup goes on', async () => {
    const ada = await service.aUser();
    const { key } = await aFile(ada);
    await service.app.storage.remove([key]);
    expect((await aBackup()).manifest.media).toMatchObject({ files: 0, missing: 1 });
    await service.database.pool.query('delete from post_groups');
  });

  test('can be left out', async () => {
    const ada = await service.aUser();
    await aFile(ada);
    const { path, manifest } = await aBackup({ withMedia: false });
    expect(manifest.media).toMatchObject({ included: false, files: 0 });
    expect(await readdir(path)).not.toContain('media');
    await service.database.pool.query('delete from post_groups');
  });
});

describe('the folder', () => {
  test('is for its owner alone, and holds no key that SECRET_KEY gives', async () => {
    const { path } = await aBackup();
    for (const name of await readdir(path, { recursive: true })) {
      const { mode } = await stat(join(path, name));
      expect([name, mode & 0o077]).toEqual([name, 0]);
    }
    expect(await readdir(path)).not.toContain(names.key);
  });

  test('that is damaged is noticed, and nothing is restored', async () => {
    await service.aUser();
    const { path, manifest } = await aBackup();
    const users = manifest.tables.find(({ name }) => name === 'users')!;
    await expect(
      restored({
        path,
        manifest: { ...manifest, tables: manifest.tables.with(0, { ...manifest.tables[0]!, sha256: 'x' }) },
      }),
    ).rejects.toThrow(/is damaged: it has changed since the backup/);
    const file = join(path, names.table(users.name));
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length - 20));
    await expect(restored({ path, manifest })).rejects.toThrow();
  });

  test('without a manifest is no backup, and a failed backup leaves no folder', async () => {
    await expect(readManifest(folder.path)).rejects.toThrow(
      /does not contain a complete backup: manifest\.json is missing/,
    );
    const path = join(folder.path, 'failing');
    const storage = { ...service.app.storage, stat: () => Promise.reject(new Error('Storage is down.')) };
    const key = storageKey('image', 'a.png', clock.now(), 0);
    await service.database.pool.query(
      `insert into post_groups (id, user_id, content, status, target_count, open_targets)
       select 'g', id, 'x', 'draft', 0, 0 from users limit 1`,
    );
    await service.database.pool.query(
      `insert into media (id, user_id, post_group_id, type, mime_type, source_file_name, storage_key, status, created_at)
       select 'm', user_id, 'g', 'image', 'image/png', 'a.png', $1, 'uploading', now() from post_groups where id = 'g'`,
      [key],
    );
    const failing = writeBackup({ ...service.app, storage }, path, { withMedia: true, keyFile: null });
    await expect(failing).rejects.toThrow('Storage is down.');
    expect((await readdir(folder.path)).filter((name) => name.startsWith('failing'))).toEqual([]);
  });
});
