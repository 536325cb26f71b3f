import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { rotationGraceMs } from '../src/features/connections/credentials/rotate-sealing-key.ts';
import { openCredentials } from '../src/features/connections/credentials/stored-credentials.ts';
import { sealingKey } from '../src/foundation/lib/seal.ts';
import { sealingKeys } from '../src/startup/sealing-keys.ts';
import { type TestDatabase, testDatabase } from './support/database/postgres.ts';
import {
  type CrierProcess,
  type DataFolder,
  dataFolder,
  type Ended,
  environmentOf,
  processesOn,
  root,
  runProgram,
  startCrier,
} from './support/processes/crier.ts';
import { openSandbox } from './support/servers/sandbox.ts';

const commands = [
  'create-user',
  'set-plan',
  'create-key',
  'enable-workspace',
  'connect-sandbox',
  'rotate-secret-key',
  'export',
  'list-users',
  'delete-user',
  'list-keys',
  'revoke-key',
  'backup',
  'restore',
  'migrate',
  'doctor',
];
const newUser = (email: string) => ['create-user', '--email', email, '--password', 'correct horse'];

describe('the command line', () => {
  test('without a command, it lists the commands', async () => {
    const { code, stdout } = await runProgram(['src/admin.ts'], {});
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });

  test('every command has a help text with an example', async () => {
    const check = async (command: string) => {
      const { code, stdout } = await runProgram(['src/admin.ts', command, '--help'], {});
      expect(code).toBe(0);
      expect(stdout).toContain('--json');
      expect(stdout).toContain(`Example:\n  npm run admin -- ${command}`);
    };
    await Promise.all(commands.map(check));
  });

  test.each<[what: string, exitCode: number, args: string[], says: RegExp, environment?: Record<string, string>]>([
    ['a missing option', 2, ['export'], /required option '--user <id or email>' not specified/],
    [
      'an unknown plan',
      2,
      ['set-plan', '--user', 'a', '--plan', 'gold'],
      /'gold' is invalid. Allowed choices are starter, pro, pro_legacy, premium_legacy, agency\./,
    ],
    [
      'an impossible number',
      2,
      ['set-plan', '--user', 'a', '--plan', 'pro', '--connections', '-1'],
      /'-1' is invalid\. Use a whole number from 1/,
    ],
    [
      'an unknown network',
      2,
      ['connect-sandbox', '--user', 'a', '--networks', 'mastodon,myspace'],
      /^Unknown network: myspace\. Use all, or some of .*mastodon.*\.$/,
    ],
    [
      'no sandbox',
      1,
      ['connect-sandbox', '--user', 'a', '--networks', 'all'],
      /^NETWORKS=live has no sandbox\. .*NETWORKS=sandbox\.$/,
      { NETWORKS: 'live' },
    ],
    [
      'a wrong configuration, all of it',
      1,
      newUser('ada@example.com'),
      /^The configuration has 2 mistakes:\n {2}- PORT .*\n {2}- NETWORKS .*$/,
      { PORT: 'x', NETWORKS: 'y' },
    ],
    [
      'a database that does not answer',
      1,
      newUser('ada@example.com'),
      /^Cannot connect to the database 127\.0\.0\.1:1\/crier: .* Check DATABASE_URL, and that the server is running\.$/,
      { DATABASE_URL: 'postgres://crier:hush@127.0.0.1:1/crier' },
    ],
  ])('%s is reported in a sentence, with exit code %i', async (_what, exitCode, args, says, environment = {}) => {
    const folder = await aFolder();
    const { code, stdout, stderr } = await runAdmin(args, { DATA_DIR: folder.dataDir, ...environment });
    expect(code).toBe(exitCode);
    expect(stderr.trim()).toMatch(says);
    expect(stderr).not.toContain('    at ');
    expect(stdout).toBe('');
  });
});

describe('while Crier is running', () => {
  let database: TestDatabase;
  let folder: DataFolder;
  let crier: CrierProcess;
  beforeAll(async () => {
    [database, folder] = await Promise.all([testDatabase(), dataFolder()]);
    crier = await startCrier({ folder, environment: { DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await crier?.stop();
    await folder?.remove();
    await database?.close();
  });
  const admin = (...args: string[]) => runAdmin(args, crier.environment);
  const answerOf = (...args: string[]) => jsonOf(admin(...args, '--json'));

  test('create-user creates an account and a key that works immediately', async () => {
    const made = await answerOf(...newUser('Ada@Example.com'), '--plan', 'agency');
    expect(Object.keys(made)).toEqual(['userId', 'email', 'apiKey']);
    expect(made.email).toBe('ada@example.com');
    expect(await access(crier, made.apiKey)).toBe(404);
    const { user } = await answerOf('export', '--user', made.userId.toUpperCase());
    expect(user).toMatchObject({ id: made.userId, plan: 'agency' });
  });

  test('through npm, the JSON object is on the last line', async () => {
    const args = ['run', 'admin', '--', ...newUser('npm@example.com'), '--json'];
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: root,
      // Works even if a silent npm started the tests.
      env: { ...process.env, ...crier.environment, npm_config_loglevel: 'notice' },
    });
    expect(stdout).toContain('src/admin.ts create-user');
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ email: 'npm@example.com' });
  });

  test('without --json, the result is text for people', async () => {
    const { stdout } = await admin(...newUser('words@example.com'));
    expect(stdout).toMatch(
      /^words@example\.com has an account on the plan pro\.\nUser id {2}[0-9a-f]{24}\nAPI key {2}sk_\S+ {2}\(shown only once\)\n$/,
    );
    expect((await admin('set-plan', '--user', 'words@example.com', '--plan', 'starter')).stdout).toBe(
      'words@example.com is now on the plan starter.\n',
    );
    expect((await admin('create-key', '--user', 'words@example.com', '--name', 'Nightly job')).stdout).toMatch(
      /^words@example\.com has a new API key, "Nightly job"\.\nKey id {3}[0-9a-f]{24}\nAPI key {2}sk_\S+ {2}\(shown only once\)\n$/,
    );
    expect((await admin('enable-workspace', '--user', 'words@example.com')).stdout).toBe(
      'The API keys of words@example.com can now act for the users they manage.\n',
    );
    expect((await admin('connect-sandbox', '--user', 'words@example.com', '--networks', 'all')).stdout).toMatch(
      /^words@example\.com is connected to:\n(?: {2}\S+-\S+ {2}\S+\n)+$/,
    );
  });

  test('an error of the API is reported with what to do about it', async () => {
    await answerOf(...newUser('taken@example.com'));
    const says = async (...args: string[]) => {
      const { code, stderr } = await admin(...args);
      expect(code).toBe(1);
      return stderr.trim();
    };
    expect(await says(...newUser('taken@example.com'))).toBe(
      'An account with this email already exists. Use another email, or create a key for that user with create-key.',
    );
    expect(await says(...newUser('nowhere'))).toBe('Invalid email. Use an address like ada@example.com.');
    expect(await says('create-user', '--email', 'b@example.com', '--password', 'short')).toMatch(
      /^Password must have 8/,
    );
    expect(await says('create-key', '--user', 'nobody@example.com')).toBe(
      'User "nobody@example.com" not found. Use the id or email of an existing user, or create one with create-user.',
    );
  });

  test('set-plan, create-key and enable-workspace have their effect immediately', async () => {
    const { userId, apiKey } = await answerOf(...newUser('agency@example.com'));
    const user = 'Agency@example.com';
    expect(await answerOf('set-plan', '--user', user, '--plan', 'premium_legacy', '--connections', '7')).toEqual({
      userId,
      email: 'agency@example.com',
      plan: 'premium_legacy',
      connections: 7,
    });
    expect((await answerOf('export', '--user', user)).user).toMatchObject({
      plan: 'premium_legacy',
      connectionQuantity: 7,
    });

    const key = await answerOf('create-key', '--user', userId, '--name', 'Second');
    expect(Object.keys(key)).toEqual(['keyId', 'apiKey']);
    expect(await access(crier, key.apiKey)).toBe(404);

    const actAs = 'f'.repeat(24);
    expect(await refusal(crier, apiKey, actAs)).toBe('Workspace access is not enabled for this key');
    expect(await answerOf('enable-workspace', '--user', user)).toMatchObject({ userId, workspaceEnabled: true });
    expect(await refusal(crier, apiKey, actAs)).toBe('User is not managed by key');
  });

  test('connect-sandbox makes new accounts, which can be posted to, as many as asked for', async () => {
    const { apiKey, userId } = await answerOf(...newUser('many@example.com'));
    const connect = () => answerOf('connect-sandbox', '--user', userId, '--networks', 'mastodon', '--count', '12');
    const { connections } = await connect();
    expect(connections).toHaveLength(12);
    for (const { platformId, handle } of connections) {
      expect(platformId).toMatch(/^mastodon-\S+$/);
      expect(handle).toMatch(/^[a-z]+\d+@/);
    }
    const all = [...connections, ...(await connect()).connections];
    expect(new Set(all.map(({ handle }) => handle)).size).toBe(24);
    const ids = all.map(({ platformId }) => platformId);
    expect(await publish(crier, ids, apiKey)).toEqual(ids.map(() => 'published'));
  });

  test('export holds all that the user owns, of nobody else, and no secret', async () => {
    const { apiKey, userId } = await answerOf(...newUser('export@example.com'));
    const { connections } = await answerOf('connect-sandbox', '--user', userId, '--networks', 'mastodon');
    const ids = connections.map(({ platformId }: { platformId: string }) => platformId);
    await publish(crier, ids, apiKey);
    await call(crier, 'POST', '/create-post', apiKey, { content: 'A draft', platforms: ids });
    await call(crier, 'POST', '/auth/signin', '', { email: 'export@example.com', password: 'correct horse' });

    const { stdout } = await admin('export', '--user', userId, '--json');
    expect(stdout.trim()).not.toContain('\n');
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toContain('webhooks');
    expect(document.user).toMatchObject({ id: userId, email: 'export@example.com' });
    expect(document.apiKeys).toMatchObject([{ keyPrefix: apiKey.split('.')[0] }]);
    expect(document.connections.map(({ platformId }: { platformId: string }) => platformId)).toEqual(ids);
    expect(document.postGroups).toMatchObject([
      { status: 'published', platformPosts: [{ status: 'published', platformId: ids[0] }] },
      { status: 'draft', content: 'A draft', platformPosts: [{ status: 'draft' }], logs: [] },
    ]);
    expect(document.postGroups[0].logs.map(({ event }: { event: string }) => event)).toContain('publish_attempted');

    for (const secret of [apiKey, 'correct horse', ...(await secretsOf(database, folder.dataDir, userId))])
      expect(stdout).not.toContain(secret);
  });

  test('export writes a large account to a file of its owner’s alone', async () => {
    const { userId, apiKey } = await answerOf(...newUser('large@example.com'));
    const { connections } = await answerOf('connect-sandbox', '--user', userId, '--networks', 'mastodon');
    const [{ platformId }] = connections;
    const texts = Array.from({ length: 130 }, (_, index) => `Number ${index}`);
    for (const content of texts)
      await call(crier, 'POST', '/create-post', apiKey, { content, platforms: [platformId] });

    const file = join(folder.path, 'large.json');
    expect(await answerOf('export', '--user', userId, '--output', file)).toMatchObject({ userId, file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { postGroups } = JSON.parse(await readFile(file, 'utf8'));
    expect(postGroups.map(({ content }: { content: string }) => content)).toEqual(texts);

    const { code, stderr } = await admin('export', '--user', userId, '--output', join(folder.path, 'no/such.json'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Cannot write ${join(folder.path, 'no/such.json')} (ENOENT). Choose another --output.\n`,
    });
  });

  test('rotate-secret-key loses nothing if it is killed, and the next run leaves one new key', async () => {
    const file = join(folder.dataDir, 'secret.key');
    const keys = async () => (await readFile(file, 'utf8')).trim().split('\n');
    const { apiKey, userId } = await answerOf(...newUser('rotate@example.com'));
    const connect = async () =>
      (await answerOf('connect-sandbox', '--user', userId, '--networks', 'mastodon')).connections[0].platformId;
    const early = await connect();
    const [first] = await keys();

    const killed = spawn(process.execPath, ['src/admin.ts', 'rotate-secret-key'], {
      cwd: root,
      env: crier.environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [output] = await once(killed.stderr, 'data');
    expect(`${output}`).toContain('Crier is running. Waiting 11 s');
    killed.kill('SIGKILL');
    const [second] = await keys();
    expect(await keys()).toEqual([second, first]);
    const late = await connect();
    expect(await publish(crier, [early, late], apiKey)).toEqual(['published', 'published']);

    const started = performance.now();
    const done = await answerOf('rotate-secret-key');
    expect(performance.now() - started).toBeGreaterThan(rotationGraceMs);
    const [third] = await keys();
    expect(await keys()).toEqual([third]);
    expect([first, second]).not.toContain(third);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const total = await database.db.selectFrom('connections').select('id').execute();
    expect(done).toEqual({
      keyId: sealingKey(third ?? '').id,
      resealed: total.length,
      unreadable: 0,
      keysRemoved: 2,
    });
    expect(await publish(crier, [early, late, await connect()], apiKey)).toEqual([
      'published',
      'published',
      'published',
    ]);
  });
});

describe('while no Crier runs', () => {
  test('everything works, nothing keeps running, and a later start finds it all', async () => {
    const folder = await aFolder();
    const environment = environmentOf({ folder });
    const answerOf = (...args: string[]) => jsonOf(runAdmin([...args, '--json'], environment));
    // A killed Crier leaves this behind, with the pid of another program.
    await mkdir(folder.dataDir);
    const stale = { pid: process.pid, url: 'x', baseUrl: 'x', sandboxUrl: 'http://127.0.0.1:1', demo: null };
    await writeFile(join(folder.dataDir, 'ready.json'), JSON.stringify(stale));

    const { userId, apiKey } = await answerOf(...newUser('ada@example.com'));
    const { connections } = await answerOf(
      'connect-sandbox',
      '--user',
      userId,
      '--networks',
      'mastodon,bluesky',
      '--count',
      '2',
    );
    const rotated = await answerOf('rotate-secret-key');
    expect(rotated).toMatchObject({ resealed: connections.length, keysRemoved: 1 });
    const second = await answerOf('create-key', '--user', userId, '--name', 'Second');
    expect((await answerOf('export', '--user', userId)).connections).toHaveLength(connections.length);
    expect(await processesOn(folder)).toEqual([]);

    const crier = await startCrier({ folder });
    // The database is no longer empty: no demo.
    expect(crier.ready.demo).toBeNull();
    const ids = connections.map(({ platformId }: { platformId: string }) => platformId);
    for (const key of [apiKey, second.apiKey])
      expect(await publish(crier, ids, key)).toEqual(ids.map(() => 'published'));
    await crier.stop();
  });

  test('Ctrl-C while the database starts leaves it stopped', async () => {
    const folder = await aFolder();
    const args = ['src/admin.ts', ...newUser('ada@example.com')];
    const child = spawn(process.execPath, args, { cwd: root, env: environmentOf({ folder }), stdio: 'ignore' });
    const ended = once(child, 'exit');
    const server = `-D ${folder.dataDir}/postgres/cluster`;
    const starting = async () => (await processesOn(folder)).some(({ program }) => program.includes(server));
    await expect.poll(starting, { interval: 10 }).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await processesOn(folder)).toEqual([]);
  });
});

// A container's shell runs as root, even if Crier runs as another user.
if (process.getuid?.() === 0) {
  test('keys that root makes and rotates belong to the owner of the data folder', async () => {
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const folder = await aFolder();
    await mkdir(folder.dataDir);
    await chown(folder.dataDir, 65_534, 65_534);
    const environment = { DATA_DIR: folder.dataDir, DATABASE_URL: database.url };
    const owner = async () => (await stat(join(folder.dataDir, 'secret.key'))).uid;
    await jsonOf(runAdmin([...newUser('ada@example.com'), '--json'], environment));
    expect(await owner()).toBe(65_534);
    await jsonOf(runAdmin(['rotate-secret-key', '--json'], environment));
    expect(await owner()).toBe(65_534);
  });
}

describe('rotate-secret-key with SECRET_KEY', () => {
  test('seals all with the first key, and tells which others are of no use any more', async () => {
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const sandbox = await openSandbox('mastodon');
    onTestFinished(() => sandbox.close());
    const folder = await aFolder();
    const [oldest, older, newest] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32));
    const environment = {
      DATABASE_URL: database.url,
      DATA_DIR: folder.dataDir,
      SANDBOX_PORT: new URL(sandbox.url).port,
    };
    const admin = (keys: unknown[], ...args: string[]) =>
      runAdmin(args, { ...environment, SECRET_KEY: keys.join(',') });
    const connect = ['connect-sandbox', '--user', 'ada@example.com', '--networks', 'mastodon', '--json'];
    const { userId } = await jsonOf(admin([oldest], ...newUser('ada@example.com'), '--json'));
    await jsonOf(admin([oldest], ...connect));
    await jsonOf(admin([older, oldest], ...connect));

    // A key is missing, so its record is not changed.
    expect(await jsonOf(admin([newest, older], 'rotate-secret-key', '--json'))).toEqual({
      keyId: sealingKey(newest ?? '').id,
      resealed: 1,
      unreadable: 1,
      removableKeys: [{ position: 2, keyId: sealingKey(older ?? '').id }],
    });
    const { stdout } = await admin([newest, older, oldest], 'rotate-secret-key');
    expect(stdout).toBe(
      'Credentials of 1 connection are encrypted with the first key of SECRET_KEY.\n' +
        'When every process uses this SECRET_KEY, you can remove from it: number 2, number 3.\n',
    );
    expect(await credentialsOf(database, userId, { current: sealingKey(newest ?? ''), previous: [] })).toHaveLength(2);
    expect((await admin([newest], 'rotate-secret-key')).stdout).toContain('To change the key, put a new one');
    // A configured key needs no file.
    await expect(stat(join(folder.dataDir, 'secret.key'))).rejects.toThrow('ENOENT');
  });
});

async function aFolder(): Promise<DataFolder> {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

const runAdmin = (args: readonly string[], environment: Record<string, string>): Promise<Ended> =>
  runProgram(['src/admin.ts', ...args], environment);

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the answer, whatever its shape.
async function jsonOf(run: Promise<Ended>): Promise<any> {
  const { code, stdout, stderr } = await run;
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

// biome-ignore lint/suspicious/noExplicitAny: likewise.
async function call({ ready }: CrierProcess, method: string, path: string, key: string, body?: object): Promise<any> {
  const response = await fetch(ready.baseUrl + path, {
    method,
    headers: { ...(key && { 'x-service-key': key }), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** 404 with a working key, 401 otherwise. */
const access = async ({ ready }: CrierProcess, key: string) =>
  (await fetch(`${ready.baseUrl}/get-post/${'0'.repeat(24)}`, { headers: { 'x-service-key': key } })).status;

async function refusal({ ready }: CrierProcess, key: string, actAs: string) {
  const headers = { 'x-service-key': key, 'x-service-user-id': actAs };
  const response = await fetch(`${ready.baseUrl}/get-post/${'0'.repeat(24)}`, { headers });
  return ((await response.json()) as { error: string }).error;
}

/** The final statuses of the targets. */
async function publish(crier: CrierProcess, platforms: string[], key: string): Promise<string[]> {
  const post = { content: 'Hello', platforms, publishNow: true };
  const { postGroupId } = await call(crier, 'POST', '/create-post', key, post);
  let statuses: string[] = [];
  const ended = async () => {
    const { posts } = await call(crier, 'GET', `/get-post/${postGroupId}`, key);
    statuses = posts.map(({ status }: { status: string }) => status);
    return statuses.every((status) => status === 'published' || status === 'failed');
  };
  await expect.poll(ended, { interval: 25 }).toBe(true);
  return statuses;
}

async function credentialsOf({ db }: TestDatabase, userId: string, keys: ReturnType<typeof sealingKeys>) {
  const rows = await db.selectFrom('connections').selectAll().where('user_id', '=', userId).execute();
  return rows.map((row) => ({
    sealed: row.credentials,
    opened: openCredentials(
      { sealingKeys: keys },
      { userId, platform: row.platform, accountId: row.account_id, credentials: row.credentials },
    ),
  }));
}

/** Everything in the database that must not leave it: at least one secret of each kind. */
async function secretsOf(database: TestDatabase, dataDir: string, userId: string): Promise<string[]> {
  const { db } = database;
  const credentials = await credentialsOf(database, userId, sealingKeys(dataDir, []));
  const tokens = credentials.map(({ opened }) => (opened as { accessToken: string }).accessToken);
  const hashes = await db.selectFrom('api_keys').select('key_hash').where('user_id', '=', userId).execute();
  const accounts = await db.selectFrom('auth_accounts').select('password').where('user_id', '=', userId).execute();
  const sessions = await db.selectFrom('auth_sessions').select('token').where('user_id', '=', userId).execute();
  const kinds = [
    credentials.map(({ sealed }) => sealed),
    tokens,
    hashes.flatMap(({ key_hash }) => [key_hash.toString('hex'), key_hash.toString('base64')]),
    accounts.map(({ password }) => `${password}`),
    sessions.map(({ token }) => token),
    [(await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()],
  ];
  for (const kind of kinds) expect(kind.length).toBeGreaterThan(0);
  const secrets = kinds.flat();
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(16);
  return secrets;
}
