import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  carelessSettings,
  silentLog,
  type TemporaryFolder,
  temporaryFolder,
} from '../../../../test/support/database/temporary-server.ts';
import { findBinaries } from './binaries.ts';
import { type Embedded, openEmbedded } from './embedded.ts';
import { chooseLauncher } from './launcher.ts';

let pristine: TemporaryFolder;
let temporary: TemporaryFolder;
let folder: string;
const opened: Embedded[] = [];
const children: ChildProcess[] = [];

/** Committed data survives a crash of the server, but not of the machine. */
const crashSafe = { ...carelessSettings, synchronous_commit: 'on' };

beforeAll(async () => {
  pristine = await temporaryFolder();
  folder = join(pristine.path, 'postgres');
  await (await open()).release();
});
afterAll(() => pristine.remove());

beforeEach(async () => {
  temporary = await temporaryFolder();
  folder = join(temporary.path, 'data', 'postgres');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of opened.splice(0)) await server.release();
  await temporary.remove();
});

test('a folder that holds something else is left alone', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'diary.txt'), 'dear diary');
  await expect(openEmbedded({ folder, log: silentLog })).rejects.toThrow(
    "contains files that are not Crier's database",
  );
  expect(await readdir(folder)).toEqual(['diary.txt']);
});

describe('on an empty folder', () => {
  test('the first start creates a durable UTF-8 cluster that sorts by code point and listens on this machine only', async () => {
    const server = await openEmbedded({ folder, log: silentLog });
    opened.push(server);
    expect(
      await query(
        server.url,
        `select current_user, current_database(), current_setting('fsync') fsync, current_setting('synchronous_commit') sync,
          current_setting('listen_addresses') listen,
          (select pg_encoding_to_char(encoding) || ' ' || datlocale from pg_database where datname = 'crier') text,
          (select string_agg(x, '' order by x) from unnest(array['b', 'a', 'Z', 'é', '_']) x) sorted`,
      ),
    ).toEqual([
      {
        current_user: 'crier',
        current_database: 'crier',
        fsync: 'on',
        sync: 'on',
        listen: '127.0.0.1',
        text: 'UTF8 C.UTF-8',
        sorted: 'Z_abé',
      },
    ]);
  });

  test('the password is random, required, and readable by its owner only', async () => {
    const { adminUrl } = await open();
    const password = await readFile(join(folder, 'password'), 'utf8');
    expect(password).toMatch(/^[\w-]{32}$/);
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await expect(query(adminUrl.replace(password, 'guess'), 'select')).rejects.toThrow(
      'password authentication failed',
    );
  });

  test('simultaneous first starts share one server on one cluster', async () => {
    const together = await Promise.all([openInChild(), openInChild(), openInChild(), open()]);
    expect(new Set(together.map(({ url }) => url)).size).toBe(1);
    expect(await readdir(join(folder, '..'))).toEqual(['postgres']);
  });

  test('a first start that is killed does not prevent the next one', async () => {
    const killed = spawnOpener();
    const unfinished = async () => (await readdir(join(folder, '..')).catch(() => [])).length > 0;
    await expect.poll(unfinished, { interval: 5 }).toBe(true);
    await sleep(200);
    killed.kill('SIGKILL');
    await once(killed, 'exit');

    const next = await open();
    expect(await query(next.url, 'select 1 answer')).toEqual([{ answer: 1 }]);
  });
});

describe('on a folder with a cluster', () => {
  beforeEach(async () => {
    await mkdir(join(folder, '..'));
    // Preserves owners and modes, unlike Node's own copy.
    await promisify(execFile)('cp', ['-a', join(pristine.path, 'postgres'), folder]);
  });

  test('Crier does not connect as a superuser', async () => {
    const { url } = await open();
    await expect(query(url, "select pg_read_file('/etc/passwd')")).rejects.toThrow('permission denied');
  });

  test('the password of the application does not open the role of the superuser', async () => {
    const { url, adminUrl } = await open();
    const [own, superuser] = [new URL(url), new URL(adminUrl)];
    expect(own.password).toMatch(/^[\w-]{32}$/);
    superuser.password = own.password;
    await expect(query(superuser.href, 'select')).rejects.toThrow('password authentication failed');
    own.password = new URL(adminUrl).password;
    await expect(query(own.href, 'select')).rejects.toThrow('password authentication failed');
  });

  test('it is reached by its socket, which only its own user can open, and by its port if the path of the socket is too long', async () => {
    const clientAddress = 'select inet_client_addr() as address';
    const { url } = await open();
    expect(await query(url, clientAddress)).toEqual([{ address: null }]);
    const socket = join(folder, 'cluster', `.s.PGSQL.${new URL(url).port}`);
    expect((await stat(socket)).mode & 0o777).toBe(0o700);

    const deep = join(temporary.path, 'x'.repeat(100));
    await mkdir(deep, { mode: 0o711 });
    folder = join(deep, 'postgres');
    await promisify(execFile)('cp', ['-a', join(pristine.path, 'postgres'), folder]);
    const far = await open();
    expect(await query(far.url, clientAddress)).toEqual([{ address: '127.0.0.1' }]);
  });

  test('a restart keeps the data', async () => {
    const before = await open();
    await query(before.url, 'create table kept as select 42 answer');
    await before.release();
    expect(await serverPid()).toBeNull();
    const after = await open();
    expect(await query(after.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('after a kill -9 of the process that started it, the server is found running and used', async () => {
    const killed = await openInChild();
    await query(killed.url, 'create table kept as select 42 answer');
    const pid = await serverPid();
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');

    const next = await open();
    expect(next.url).toBe(killed.url);
    expect(await serverPid()).toBe(pid);
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await next.release();
    expect(await serverPid()).toBeNull();
  });

  test('after a kill -9 of the server and of its starter, the next start recovers committed data', async () => {
    const killed = await openInChild(crashSafe);
    await query(killed.url, 'create table kept as select 42 answer');
    killed.process.kill('SIGKILL');
    process.kill((await serverPid()) ?? 0, 'SIGKILL');

    const next = await open();
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('a server starts although another process has the process id of its crashed predecessor', async () => {
    await (await open()).release();
    const owner = await stat(folder);
    const bystander = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {});
    children.push(bystander);
    await writeFile(
      join(folder, 'cluster', 'postmaster.pid'),
      `${bystander.pid}\n${folder}/cluster\n1\n5432\n\n127.0.0.1\n\nready   \n`,
    );

    const next = await open();
    expect(await query(next.url, 'select 1 answer')).toEqual([{ answer: 1 }]);
    expect(bystander.exitCode).toBeNull();
  });

  test('the last release stops the server', async () => {
    const first = await open();
    const second = await open();
    expect(second.url).toBe(first.url);
    await first.release();
    expect(await query(second.url, 'select 1 answer')).toEqual([{ answer: 1 }]);
    await second.release();
    expect(await serverPid()).toBeNull();
  });

  test('two releases at the same time leave no server behind', async () => {
    const both = [await open(), await open()];
    await Promise.all(both.map((server) => server.release()));
    expect(await serverPid()).toBeNull();
  });

  test('opening during the last release gives a working server', async () => {
    for (let round = 0; round < 5; round += 1) {
      const leaving = await open();
      const [, coming] = await Promise.all([leaving.release(), sleep(round * 10).then(() => open())]);
      expect(await query(coming.url, 'select 1 answer')).toEqual([{ answer: 1 }]);
      await coming.release();
    }
  });

  test('the server keeps running while another connection of Crier is open', async () => {
    const server = await open();
    const client = new pg.Client({ connectionString: server.url, application_name: 'crier-admin' });
    await client.connect();
    await server.release();
    expect((await client.query('select 1 answer')).rows).toEqual([{ answer: 1 }]);
    await client.end();
    await (await open()).release();
    expect(await serverPid()).toBeNull();
  });

  test('an open server does not keep the process alive', async () => {
    const child = spawnOpener({ afterwards: '' });
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  test('a server that dies is started again at the same address', async () => {
    const server = await open(crashSafe);
    await query(server.url, 'create table kept as select 42 answer');
    process.kill((await serverPid()) ?? 0, 'SIGKILL');
    const answer = () => query(server.url, 'select answer from kept').catch((error: Error) => error.message);
    await expect.poll(answer).toEqual([{ answer: 42 }]);
    await server.release();
    expect(await serverPid()).toBeNull();
  });

  test('a release while the server is being started again completes, and the process exits', async () => {
    const child = spawnOpener({
      afterwards: `
        import { readFile } from 'node:fs/promises';
        process.kill(parseInt(await readFile(folder + '/cluster/postmaster.pid', 'utf8')), 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 100));
        await server.release();
        process.exitCode = 7;`,
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(7);
  });

  test('the server gets none of our environment', async () => {
    const { adminUrl } = await open();
    await query(adminUrl, 'create table environment (line text)');
    await query(adminUrl, "copy environment from program 'env'");
    const lines = await query(adminUrl, 'select line from environment');
    expect(lines).toContainEqual({ line: 'TZ=UTC' });
    expect(lines.map(({ line }) => line).join()).not.toMatch(/VITEST|HOME=/);
  });

  test('the log is emptied at a start once it has grown large', async () => {
    await (await open()).release();
    await appendFile(join(folder, 'postgres.log'), 'x'.repeat(1_000_000));
    await open();
    expect((await stat(join(folder, 'postgres.log'))).size).toBeLessThan(10_000);
  });

  test('a server that cannot start is an error with the last lines of its log', async () => {
    await (await open()).release();
    await rm(join(folder, 'cluster', 'global', 'pg_control'));
    await expect(open()).rejects.toThrow(/did not start[\s\S]*postgres\.log[\s\S]*pg_control/);
  });

  test('a server that is not ready in time is an error with the last lines of its log', async () => {
    const running = await openInChild();
    const pid = (await serverPid()) ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      await expect(openEmbedded({ folder, log: silentLog, startLimitMs: 1_000 })).rejects.toThrow(
        /not ready after 1 s[\s\S]*postgres\.log[\s\S]*ready to accept connections/,
      );
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await query(running.url, 'select 1 answer')).toEqual([{ answer: 1 }]);
  });

  test('a lost password is an error immediately', async () => {
    await openInChild();
    await writeFile(join(folder, 'password'), 'lost');
    await expect(open()).rejects.toThrow('does not accept the password');
  });
});

// PostgreSQL refuses to run as root, so root starts it as another user.
if (process.getuid?.() === 0) {
  describe('as root', () => {
    const capabilitiesOf = async (pid: number | null) =>
      (await readFile(`/proc/${pid}/status`, 'utf8')).match(/^Cap(Inh|Prm|Eff|Amb):\t0+$/gm)?.length;
    const rootsOwn = "select pg_read_file('/etc/shadow')";

    test('the server has no capability, and a superuser in it cannot read the files of root', async () => {
      const { adminUrl } = await open();
      expect(await capabilitiesOf(await serverPid())).toBe(4);
      await expect(query(adminUrl, rootsOwn)).rejects.toThrow('Permission denied');
    });

    test('neither under a folder that only root can enter, where it starts, recovers and stops all the same', async () => {
      await chmod(temporary.path, 0o700);
      const server = await open(crashSafe);
      expect(await capabilitiesOf(await serverPid())).toBe(4);
      await expect(query(server.adminUrl, rootsOwn)).rejects.toThrow('Permission denied');
      await query(server.url, 'create table kept as select 42 answer');
      process.kill((await serverPid()) ?? 0, 'SIGKILL');
      const answer = () => query(server.url, 'select answer from kept').catch((error: Error) => error.message);
      await expect.poll(answer).toEqual([{ answer: 42 }]);
      await server.release();
      expect(await serverPid()).toBeNull();
      expect(await query((await open()).url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });

    test('the server runs copies of its programs if only root can read those of the checkout', async () => {
      const installed = await findBinaries();
      const hidden = join(temporary.path, 'hidden');
      await cp(join(installed.postgres, '../../..'), hidden, { recursive: true, verbatimSymlinks: true });
      await chmod(hidden, 0o700);
      const binaries = { postgres: join(hidden, 'native/bin/postgres'), initdb: join(hidden, 'native/bin/initdb') };
      await mkdir(join(temporary.path, 'data'));
      const launcher = await chooseLauncher({ uid: 65_534, gid: 65_534 }, binaries, join(temporary.path, 'data'));
      expect(launcher.binaries.postgres).toMatch(/^\/var\/lib\/crier\//);
      expect((await stat(launcher.binaries.postgres)).uid).toBe(0);
      const [code] = await once(launcher.spawn(launcher.binaries.postgres, ['--version'], 'ignore'), 'exit');
      expect(code).toBe(0);
    });
  });
}

test('on a machine without server programs the error says to set DATABASE_URL', async () => {
  await expect(findBinaries('sunos-sparc')).rejects.toThrow(
    'No embedded PostgreSQL is available for this platform (sunos-sparc). Set DATABASE_URL',
  );
  await expect(findBinaries('win32-x64')).rejects.toThrow('Set DATABASE_URL');
});

async function open(settings: Record<string, string> = carelessSettings): Promise<Embedded> {
  const server = await openEmbedded({ folder, log: silentLog, settings });
  opened.push(server);
  return server;
}

/** Opens the server in another process, which keeps it open until it is killed. */
async function openInChild(settings = carelessSettings): Promise<{ url: string; process: ChildProcess }> {
  const child = spawnOpener({ settings });
  const [url] = await once(child.stdout, 'data');
  return { url: String(url).trim(), process: child };
}

function spawnOpener({ settings = carelessSettings, afterwards = 'setInterval(() => {}, 1000)' } = {}) {
  const module = new URL('./embedded.ts', import.meta.url).href;
  const script = `
    import { openEmbedded } from ${JSON.stringify(module)};
    const { folder, settings } = ${JSON.stringify({ folder, settings })};
    const server = await openEmbedded({ folder, settings, log: { info() {}, warn() {} } });
    console.log(server.url);
    ${afterwards}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'crier-test' });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** From the pid file of PostgreSQL; null when the server is stopped. */
async function serverPid(): Promise<number | null> {
  const text = await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}
