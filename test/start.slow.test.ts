import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from './real/servers/server.ts';
import { testDatabase } from './support/database/postgres.ts';
import { eventually } from './support/eventually.ts';
import {
  beginStart,
  type CrierProcess,
  type DataFolder,
  dataFolder,
  processesOn,
  root,
  runProgram,
  startCrier,
  stillRunning,
} from './support/processes/crier.ts';
import { openSandbox } from './support/servers/sandbox.ts';
import { sandboxControl } from './support/servers/sandbox-control.ts';

describe('a Crier and its data folder', () => {
  let folder: DataFolder;
  let crier: CrierProcess;
  beforeAll(async () => {
    folder = await dataFolder();
    crier = await startCrier({ folder });
  });
  afterAll(() => folder.remove());

  test('a second start on the same folder says so and ends, and the first one works on', async () => {
    const { code, stderr } = await beginStart({ folder }).ended;
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      `Another Crier is running on ${folder.dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
    expect(JSON.parse(await readFile(join(folder.dataDir, 'ready.json'), 'utf8'))).toEqual(crier.ready);
    const [connection = ''] = await connect(crier);
    expect(await publish(crier, connection, 'Still here')).toMatchObject({ status: 'published' });
  });

  test('after kill -9 all is there again, and a post that was scheduled goes out once', async () => {
    const [connection = ''] = await connect(crier);
    const draft = await create(crier, { content: 'A draft', platforms: [connection] });
    const before = await get(crier, draft);
    const soon = new Date(Date.now() + 2_000).toISOString();
    const scheduled = await create(crier, { content: 'On time', platforms: [connection], scheduledTime: soon });
    const { demo } = crier.ready;
    const left = await mkdtemp(join(tmpdir(), `crier-rendition-${crier.ready.pid}-`));
    await crier.kill9();

    crier = await startCrier({ folder });
    // A copy of an image that the killed process was converting.
    expect(existsSync(left)).toBe(false);
    expect(crier.ready.demo).toEqual(demo);
    expect(await get(crier, draft)).toEqual(before);
    const post = await ended(crier, scheduled);
    expect(post).toMatchObject({ status: 'published' });
    expect(await sandboxPosts(crier, 'On time')).toMatchObject([{ id: post.postedId }]);
  });

  test('SIGINT stops Crier, sandbox and database', async () => {
    const { url, sandboxUrl } = crier.ready;
    const running = await processesOn(folder);
    expect(await crier.stop('SIGINT')).toMatchObject({ code: 0, signal: null });
    expect(await stillRunning([...running, ...(await processesOn(folder))])).toEqual([]);
    for (const address of [url, `${sandboxUrl}`]) await expect(fetch(address)).rejects.toThrow();
    await expect(stat(join(folder.dataDir, 'ready.json'))).rejects.toThrow('ENOENT');
  });
});

test('a client that never ends its request does not prevent an orderly stop', async () => {
  const folder = await aFolder();
  const crier = await startCrier({ folder });
  const { port, hostname } = new URL(crier.ready.url);
  const client = createConnection(Number(port), hostname);
  client.on('error', () => {});
  client.write(
    'POST /api/v1/auth/signin HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
  );
  const running = await processesOn(folder);
  expect(await crier.stop()).toMatchObject({ code: 0, signal: null });
  expect(crier.output()).toContain('Crier has stopped');
  expect(await stillRunning(running)).toEqual([]);
});

test('STOP_NOTICE_SECONDS: a stopping Crier says so at /readyz and accepts requests until a balancer has noticed', async () => {
  const crier = await startCrier({ folder: await aFolder(), environment: { STOP_NOTICE_SECONDS: '4' } });
  const [connection = ''] = await connect(crier);
  const stopped = crier.stop();
  await eventually(async () => {
    const response = await fetch(`${crier.ready.url}/readyz`);
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ stopping: true })]);
  });
  expect(await create(crier, { content: 'While it leaves', platforms: [connection] })).toEqual(expect.any(String));
  expect(await stopped).toMatchObject({ code: 0, signal: null });
  await expect(fetch(crier.ready.url)).rejects.toThrow();
});

test('a signal in the middle of a start leaves nothing running', async () => {
  const folder = await aFolder();
  const { pid, ended: over } = beginStart({ folder });
  const server = `-D ${folder.dataDir}/postgres/cluster`;
  await until(async () => (await processesOn(folder)).some(({ program }) => program.includes(server)));
  process.kill(pid, 'SIGTERM');
  expect(await over).toMatchObject({ code: 0 });
  expect(await processesOn(folder)).toEqual([]);
});

describe('a start that cannot go on', () => {
  test.each(['PORT', 'SANDBOX_PORT'])('names a taken %s, and how to fix it', async (variable) => {
    const folder = await aFolder();
    await using taken = await aServer();
    const { code, stderr } = await beginStart({ folder, environment: { [variable]: `${taken.port}` } }).ended;
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      `Another program is using port ${taken.port} on 127.0.0.1. ` +
        `Set ${variable} to another port, or to 0 to use any free port.`,
    );
    expect(await processesOn(folder)).toEqual([]);
  });

  test('says that a worker needs the database of the others', async () => {
    const folder = await aFolder();
    const { code, stderr } = await beginStart({ folder, environment: { ROLES: 'worker' } }).ended;
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(/^ROLES=worker needs DATABASE_URL: /)]);
    expect(await processesOn(folder)).toEqual([]);
  });

  test('says which data folder it cannot use', async () => {
    const folder = await aFolder();
    await writeFile(folder.dataDir, 'not a folder');
    const { code, stderr } = await beginStart({ folder }).ended;
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      `Cannot write to the data folder ${folder.dataDir} (EEXIST). Set DATA_DIR to a folder that this user can write to.`,
    );
  });

  test('says which database refuses it, and keeps its password to itself', async () => {
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const url = Object.assign(new URL(database.url), { password: 'hush' });
    const { code, stderr } = await beginStart({ folder: await aFolder(), environment: { DATABASE_URL: url.href } })
      .ended;
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(
      /^Cannot connect to the database .*: password authentication failed .* DATABASE_URL.*$/,
    );
    expect(stderr).not.toContain('hush');
  });
});

test('a sandbox that serves SANDBOX_PORT is used and left running; kill -9 while it answers posts nothing twice', async () => {
  const sandbox = await openSandbox('mastodon');
  onTestFinished(() => sandbox.close());
  const folder = await aFolder();
  const environment = { SANDBOX_PORT: new URL(sandbox.url).port };
  const killed = await startCrier({ folder, environment });
  expect(killed.ready.sandboxUrl).toBe(sandbox.url);
  const [connection = ''] = await connect(killed);
  await sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 2_000, times: 1 });
  const group = await create(killed, { content: 'Once', platforms: [connection], publishNow: true });
  await until(async () => (await sandbox.requests()).some(({ operation }) => operation === 'publish'));
  await killed.kill9();

  const crier = await startCrier({ folder, environment });
  expect(await ended(crier, group)).toMatchObject({ status: 'published' });
  expect(await sandboxPosts(crier, 'Once')).toHaveLength(1);
  await crier.stop();
  expect((await fetch(`${sandbox.url}/_control/health`)).status).toBe(200);
});

test('two processes start at the same time on an empty database: one takes the post, the other one publishes it', async () => {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  const sandbox = await openSandbox('mastodon');
  onTestFinished(() => sandbox.close());
  const shared = {
    DATABASE_URL: database.url,
    SECRET_KEY: '7a'.repeat(32),
    SANDBOX_PORT: new URL(sandbox.url).port,
    METRICS_PORT: String(await freePort()),
  };
  const [api, worker] = await Promise.all(
    ['api', 'worker'].map(async (role) =>
      startCrier({ folder: await aFolder(), environment: { ...shared, ROLES: role } }),
    ),
  );
  if (!api || !worker) throw new Error('unreachable');
  await expect(fetch(worker.ready.url)).rejects.toThrow();
  await eventually(() => expect(worker.output()).toContain('it publishes posts and serves no pages'));
  expect(worker.output()).not.toContain('Start page');

  const made = await admin(api, ['create-user', '--email', 'ada@example.com', '--password', 'correct horse']);
  const [connection = ''] = await connect(api, made.userId);
  const post = await publish(api, connection, 'Across processes', made.apiKey);
  expect(post).toMatchObject({ status: 'published' });
  expect(await sandboxPosts(api, 'Across processes')).toMatchObject([{ id: post.postedId }]);
  const ofWorker = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${shared.METRICS_PORT}${path}`);
    return [response.status, await response.text()];
  };
  expect(await ofWorker('/metrics')).toEqual([
    200,
    expect.stringMatching(/^crier_publish_outcomes_total\{platform="mastodon",outcome="published"\} [1-9]/m),
  ]);
  expect([(await ofWorker('/readyz'))[0], (await ofWorker('/api/v1/list-posts'))[0]]).toEqual([200, 404]);
  await Promise.all([api.stop(), worker.stop()]);
});

test('ROLES=api without any worker is ready, takes posts, and says that nothing is published', async () => {
  const crier = await startCrier({ folder: await aFolder(), environment: { ROLES: 'api' } });
  const [connection = ''] = await connect(crier);
  expect(await create(crier, { content: 'For later', platforms: [connection], publishNow: true })).toEqual(
    expect.any(String),
  );
  const response = await fetch(`${crier.ready.url}/readyz`);
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({
      ready: true,
      checks: expect.objectContaining({
        dispatcher: { ok: false, detail: expect.stringContaining('no worker is publishing') },
      }),
    }),
  ]);
  expect(crier.output()).toContain('posts are accepted, but no worker is publishing');
  expect(await sandboxPosts(crier, 'For later')).toEqual([]);
  await crier.stop();
});

test('a live start on data made in the sandbox says what it ends, and prints no password', async () => {
  const folder = await aFolder();
  const before = await startCrier({ folder });
  await before.stop();
  const { demo } = before.ready;
  if (!demo) throw new Error('There is no demo account.');

  const live = await startCrier({ folder, environment: { NETWORKS: 'live' } });
  expect(live.ready).toMatchObject({ demo: null, sandboxUrl: null });
  const listed = await fetch(`${live.ready.baseUrl}/list-posts`, { headers: { 'x-service-key': demo.apiKey } });
  expect(listed.status).toBe(401);
  expect((await fetch(`${live.ready.url}/metrics`)).status).toBe(200);
  const passedOn = await fetch(`${live.ready.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(passedOn.status).toBe(401);
  await live.stop();
  expect(live.output()).toContain('This data was created in the sandbox, and Crier is now live.');
  for (const secret of [demo.password, demo.apiKey]) expect(live.output()).not.toContain(secret);

  const again = await startCrier({ folder });
  expect(again.ready.demo).toBeNull();
  await again.stop();
});

// PostgreSQL refuses to run as root, so Crier behaves differently as root: both cases are tested if possible.
if (process.getuid?.() === 0) {
  test('root may keep its data where nobody else can enter', async () => {
    const folder = await aFolder();
    await chmod(folder.path, 0o700);
    const crier = await startCrier({ folder });
    const [connection = ''] = await connect(crier);
    expect(await publish(crier, connection, 'From root')).toMatchObject({ status: 'published' });
    expect(await crier.stop()).toMatchObject({ code: 0 });
    expect(await processesOn(folder)).toEqual([]);
  });

  test('an ordinary user needs no rights but its own', async () => {
    const nobody = 65_534;
    const folder = await aFolder();
    const home = join(folder.path, 'home');
    await mkdir(home);
    for (const path of [folder.path, home]) await chown(path, nobody, nobody);
    const crier = await startCrier({ folder, environment: { HOME: home }, launcher: launcherFor(nobody) });
    expect((await stat(join(folder.dataDir, 'ready.json'))).uid).toBe(nobody);
    expect((await stat(join(folder.dataDir, 'postgres'))).uid).toBe(nobody);
    const [connection = ''] = await connect(crier);
    expect(await publish(crier, connection, 'From nobody')).toMatchObject({ status: 'published' });
    expect(await crier.stop()).toMatchObject({ code: 0 });
    expect(await processesOn(folder)).toEqual([]);
  });
}

/** If only root can enter a parent folder of the checkout, the user gets read-only access everywhere. */
function launcherFor(uid: number): string[] {
  const plain = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const reading = [...plain, '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  const canRead = ([program = '', ...args]: string[]) => {
    try {
      execFileSync(program, [...args, 'ls', root], { stdio: 'ignore', cwd: '/' });
      return true;
    } catch {
      return false;
    }
  };
  return canRead(plain) ? plain : reading;
}

interface PlatformPost {
  status: string;
  postedId: string | null;
}

async function aFolder(): Promise<DataFolder> {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

/** A server that accepts everything and never responds. */
async function aServer() {
  const server = createServer((socket) => void socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

async function admin({ environment }: CrierProcess, args: readonly string[]) {
  const { code, stdout, stderr } = await runProgram(['src/admin.ts', ...args, '--json'], environment);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** A new connection. */
async function connect(crier: CrierProcess, user = crier.ready.demo?.userId ?? ''): Promise<string[]> {
  const { connections } = await admin(crier, ['connect-sandbox', '--user', user, '--networks', 'mastodon']);
  return connections.map(({ platformId }: { platformId: string }) => platformId);
}

async function call<T>({ ready }: CrierProcess, method: string, path: string, body?: object, key?: string): Promise<T> {
  const response = await fetch(ready.baseUrl + path, {
    method,
    headers: { 'x-service-key': key ?? ready.demo?.apiKey ?? '', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const create = async (crier: CrierProcess, post: object, key?: string) =>
  (await call<{ postGroupId: string }>(crier, 'POST', '/create-post', post, key)).postGroupId;

const get = (crier: CrierProcess, group: string, key?: string) =>
  call<{ posts: PlatformPost[] }>(crier, 'GET', `/get-post/${group}`, undefined, key);

async function publish(crier: CrierProcess, connection: string, content: string, key?: string): Promise<PlatformPost> {
  return ended(crier, await create(crier, { content, platforms: [connection], publishNow: true }, key), key);
}

async function ended(crier: CrierProcess, group: string, key?: string): Promise<PlatformPost> {
  let post: PlatformPost | undefined;
  await until(async () => {
    [post] = (await get(crier, group, key)).posts;
    return post?.status === 'published' || post?.status === 'failed';
  });
  return post!;
}

async function sandboxPosts({ ready }: CrierProcess, text: string): Promise<{ id: string }[]> {
  const posts = await sandboxControl(ready.sandboxUrl!)<{ id: string; text: string }[]>('GET', '/posts');
  return posts.filter((post) => post.text === text);
}

const until = (check: () => Promise<boolean>) => expect.poll(check, { interval: 25 }).toBe(true);
