import { chmod, cp, lstat, mkdir, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from './support/database/postgres.ts';
import { eventually } from './support/eventually.ts';
import { anImage } from './support/files/media.ts';
import {
  beginProgram,
  type CrierProcess,
  type DataFolder,
  dataFolder,
  environmentOf,
  runProgram,
  startCrier,
} from './support/processes/crier.ts';
import { openSandbox, type TestSandbox } from './support/servers/sandbox.ts';

test('everything is destroyed and comes back: posts, files, connections and keys, and nothing goes out twice', async () => {
  const sandbox = await openSandbox('mastodon');
  onTestFinished(() => sandbox.close());
  const folder = await aFolder();
  const environment = { SANDBOX_PORT: new URL(sandbox.url).port };
  const crier = await startCrier({ folder, environment });
  const { apiKey = '' } = crier.ready.demo ?? {};
  const connection = await connect(crier);

  const image = (await anImage({ type: 'png' })).bytes;
  const later = await create(crier, { content: 'Tomorrow, with an image', platforms: [connection] });
  const fileUrl = await upload(crier, later, image);
  await call(crier, 'PUT', `/update-post/${later}`, { status: 'scheduled', scheduledTime: inSeconds(86_400) });
  const before = await create(crier, { content: 'Before the backup', platforms: [connection], publishNow: true });
  await published(crier, before);
  const soon = await create(crier, { content: 'Soon', platforms: [connection], scheduledTime: inSeconds(86_400) });
  const webhook = { name: 'Mine', url: 'https://hooks.example.com/', events: ['post.published'] };
  await call(crier, 'POST', '/webhooks', webhook);

  const backups = join(folder.path, 'backups');
  await mkdir(backups);
  const to = join(backups, 'one');
  const made = await admin(crier.environment, ['backup', '--to', to]);
  expect(made).toMatchObject({ folder: to, files: 1, bytes: image.length, missingFiles: 0, keyIncluded: true });
  expect((await stat(to)).mode & 0o777).toBe(0o700);
  expect(await readFile(join(to, 'secret.key'), 'utf8')).toBe(
    await readFile(join(folder.dataDir, 'secret.key'), 'utf8'),
  );

  // After the backup, a user publishes a post that is scheduled in the backup.
  await call(crier, 'PUT', `/update-post/${soon}`, { publishNow: true });
  await published(crier, soon);
  expect(await copies(sandbox, 'Soon')).toBe(1);
  await crier.stop();
  await rm(folder.dataDir, { recursive: true });

  const restored = await admin(crier.environment, ['restore', '--from', to, '--hold', 'all']);
  expect(restored).toMatchObject({ files: 1, held: { drafts: 3, targets: 0, comments: 0 } });

  const again = await startCrier({ folder, environment });
  const known = { ...again, ready: { ...again.ready, demo: crier.ready.demo } };
  expect(await status(known, before)).toMatchObject({ status: 'published' });
  expect(await status(known, soon)).toMatchObject({ status: 'draft' });
  const served = await fetch(fileUrl.replace(crier.ready.url, again.ready.url));
  expect(Buffer.from(await served.arrayBuffer())).toEqual(image);
  expect(await call(known, 'GET', '/webhooks')).toMatchObject({ webhooks: [{ name: 'Mine' }] });

  // The credentials can be decrypted: a rescheduled post is published once, with its image.
  await call(known, 'PUT', `/update-post/${later}`, { status: 'scheduled', scheduledTime: inSeconds(2) });
  await published(known, later);
  expect(await copies(sandbox, 'Tomorrow, with an image')).toBe(1);
  expect(await copies(sandbox, 'Soon')).toBe(1);
  expect(await copies(sandbox, 'Before the backup')).toBe(1);

  // A restore never mixes with existing data.
  const refused = await runAdmin(again.environment, ['restore', '--from', to]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^Crier is running on /)]);
  await again.stop();
  const mixed = await runAdmin(again.environment, ['restore', '--from', to]);
  expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringMatching(/^The database is not empty\. /)]);
  expect(apiKey).not.toBe('');
});

test('the key can be kept apart, and a restore without it is refused before anything is written', async () => {
  const sandbox = await openSandbox('mastodon');
  onTestFinished(() => sandbox.close());
  const [folder, other] = [await aFolder(), await aFolder()];
  const environment = environmentOf({ folder, environment: { SANDBOX_PORT: new URL(sandbox.url).port } });
  await admin(environment, ['create-user', '--email', 'ada@example.com', '--password', 'correct horse']);
  await admin(environment, ['connect-sandbox', '--user', 'ada@example.com', '--networks', 'mastodon']);
  const [to, key] = [join(folder.path, 'backup'), join(folder.path, 'crier.key')];
  expect(await admin(environment, ['backup', '--to', to, '--key-to', key])).toMatchObject({ keyIncluded: false });
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  await expect(stat(join(to, 'secret.key'))).rejects.toThrow('ENOENT');

  const elsewhere = environmentOf({ folder: other });
  const refused = await runAdmin(elsewhere, ['restore', '--from', to]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /encrypted with the key [0-9a-f]{8}, which is not here\. Pass the file written by backup --key-to/,
  );
  await expect(stat(join(other.dataDir, 'postgres'))).rejects.toThrow('ENOENT');
  await cp(key, join(other.path, 'moved.key'));
  await admin(elsewhere, ['restore', '--from', to, '--key', join(other.path, 'moved.key'), '--hold', 'none']);
  const { users } = await admin(elsewhere, ['list-users']);
  expect(users).toMatchObject([{ email: 'ada@example.com', connections: 1 }]);

  // With SECRET_KEY, Crier reads no key file, so passing one cannot help.
  const cluster = environmentOf({ folder: await aFolder(), environment: { SECRET_KEY: 'ab'.repeat(32) } });
  const another = await runAdmin(cluster, ['restore', '--from', to, '--key', key]);
  expect([another.code, another.stderr]).toEqual([
    1,
    expect.stringContaining(`Set SECRET_KEY to the content of ${key}, `),
  ]);

  const twice = await runAdmin(environment, ['backup', '--to', to]);
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringMatching(/already exists\. Choose a new folder/)]);
});

test('a backup that was killed leaves no key in the next one, which has it elsewhere', async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const folder = await aFolder();
  const environment = environmentOf({ folder, environment: { DATABASE_URL: database.url } });
  const [to, key] = [join(folder.path, 'backup'), join(folder.path, 'crier.key')];
  const started = () => readdir(folder.path).then((all) => all.filter((name) => name.startsWith('backup')));
  // The backup has stored the key and now waits for this table.
  const locking = await database.pool.connect();
  await locking.query('begin; lock table webhooks in access exclusive mode');
  const { pid, ended } = beginProgram(['src/admin.ts', 'backup', '--to', to], environment);
  await eventually(async () => {
    const [unfinished = ''] = await started();
    expect(await readdir(join(folder.path, unfinished))).toContain('secret.key');
  });
  process.kill(pid, 'SIGKILL');
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  await locking.query('rollback');
  locking.release();

  expect(await admin(environment, ['backup', '--to', to, '--key-to', key])).toMatchObject({ keyIncluded: false });
  expect((await readdir(to)).sort()).toEqual(['files.jsonl.gz', 'manifest.json', 'tables']);
  expect(await started()).toEqual(['backup']);
});

test('a key file that everybody could read is replaced by one for its owner alone', async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const folder = await aFolder();
  const environment = environmentOf({ folder, environment: { DATABASE_URL: database.url } });
  const file = (name: string) => join(folder.path, name);
  const earlier = '0a'.repeat(32);
  await writeFile(file('crier.key'), earlier, { mode: 0o644 });
  await chmod(file('crier.key'), 0o644);
  await symlink('crier.key', file('a-link'));
  const before = await open(file('crier.key'));
  onTestFinished(() => before.close());
  for (const [index, name] of ['crier.key', 'a-link'].entries()) {
    await admin(environment, ['backup', '--to', file(`backup-${index}`), '--key-to', file(name)]);
    expect((await stat(file('crier.key'))).mode & 0o777).toBe(0o600);
    const current = await readFile(join(folder.dataDir, 'secret.key'), 'utf8');
    expect(await readFile(file('crier.key'), 'utf8')).toBe(`${current}${earlier}\n`);
  }
  expect((await lstat(file('a-link'))).isSymbolicLink()).toBe(true);
  // A reader that had the old file open sees nothing of the new key.
  expect(await before.readFile('utf8')).toBe(earlier);
});

async function aFolder(): Promise<DataFolder> {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

const runAdmin = (environment: Record<string, string>, args: string[]) =>
  runProgram(['src/admin.ts', ...args], environment);

async function admin(environment: Record<string, string>, args: string[]) {
  const { code, stdout, stderr } = await runAdmin(environment, [...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

async function connect(crier: CrierProcess): Promise<string> {
  const user = crier.ready.demo?.userId ?? '';
  const { connections } = await admin(crier.environment, ['connect-sandbox', '--user', user, '--networks', 'mastodon']);
  return connections[0].platformId;
}

async function call<T>(
  { ready }: Pick<CrierProcess, 'ready'>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(ready.baseUrl + path, {
    method,
    headers: { 'x-service-key': ready.demo?.apiKey ?? '', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const create = async (crier: CrierProcess, post: object) =>
  (await call<{ postGroupId: string }>(crier, 'POST', '/create-post', post)).postGroupId;

const status = (crier: Pick<CrierProcess, 'ready'>, group: string) =>
  call<{ status: string }>(crier, 'GET', `/get-post/${group}`);

const published = (crier: Pick<CrierProcess, 'ready'>, group: string) =>
  expect.poll(async () => (await status(crier, group)).status, { interval: 250 }).toBe('published');

async function upload(crier: CrierProcess, postGroupId: string, bytes: Buffer): Promise<string> {
  const ask = { postGroupId, fileName: 'a.png', contentType: 'image/png' };
  const made = await call<{ uploadUrl: string; mediaId: string }>(crier, 'POST', '/get-upload-url', ask);
  const put = await fetch(made.uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes });
  expect(put.status).toBe(200);
  await call(crier, 'POST', `/complete-media/${made.mediaId}`);
  return made.uploadUrl.split('?')[0]!.replace('/media/upload/', '/media/');
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const copies = async (sandbox: TestSandbox, text: string) =>
  (await sandbox.posts()).filter((post) => post.text === text).length;
