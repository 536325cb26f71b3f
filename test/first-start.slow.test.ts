import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from './support/eventually.ts';
import {
  beginStart,
  type CrierProcess,
  type DataFolder,
  dataFolder,
  processesOn,
  startCrier,
  stillRunning,
} from './support/processes/crier.ts';
import { startS3 } from './support/servers/s3.ts';

// Starting a process is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder: DataFolder;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.remove());

test('a start reports all mistakes in the configuration together', async () => {
  const environment = { PORT: 'high', ROLES: 'cook', DATABASE_URL: 'mysql://db', SECRET_KEY: 'abc' };
  const { code, stderr } = await beginStart({ folder, environment }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain('The configuration has 4 mistakes:');
  for (const variable of Object.keys(environment)) expect(stderr).toMatch(new RegExp(`^ {2}- ${variable}.* `, 'm'));
  expect(stderr).not.toContain('    at ');
});

test('a start reads .env, and the environment wins', async () => {
  await writeFile(join(folder.path, '.env'), 'ROLES=cook\nNETWORKS=lively\n');
  const { code, stderr } = await beginStart({ folder, environment: { NETWORKS: 'sandbox' } }).ended;
  expect([code, stderr.match(/^ {2}- \w+/gm)]).toEqual([1, ['  - ROLES']]);
});

test('a start on an address that other machines reach, without https, is refused before anything runs', async () => {
  const { code, stderr } = await beginStart({
    folder,
    environment: { HOST: '0.0.0.0', ROLES: 'api', NETWORKS: 'sandbox' },
  }).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('Other machines can reach Crier at HOST=0.0.0.0')]);
  await expect(stat(folder.dataDir)).rejects.toThrow('ENOENT');
});

describe('a Crier on an empty folder', () => {
  let crier: CrierProcess;
  let readiness: number;
  beforeAll(async () => {
    await writeFile(join(folder.path, '.env'), 'DEFALT_PLAN=starter\n');
    crier = await startCrier({ folder });
    readiness = (await fetch(`${crier.ready.url}/readyz`)).status;
  });

  test('writes ready.json when /readyz answers 200, not before', () => {
    expect(readiness).toBe(200);
  });

  test('reports a variable of .env that does not exist', () => {
    expect(crier.output()).toContain(
      'The variable DEFALT_PLAN does not exist and has no effect. Did you mean DEFAULT_PLAN?',
    );
  });

  test('prints one box, and tells scripts the same in ready.json, for its owner only', async () => {
    const { url, baseUrl, sandboxUrl, demo } = crier.ready;
    // The output and the file arrive independently of each other.
    await eventually(() => expect(crier.output()).toContain('Crier is ready.'));
    for (const text of [url, baseUrl, sandboxUrl, demo?.email, demo?.password, demo?.apiKey])
      expect(crier.output()).toContain(text);
    expect(baseUrl).toBe(`${url}/api/v1`);
    expect((await stat(join(folder.dataDir, 'ready.json'))).mode & 0o777).toBe(0o600);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${sandboxUrl}/_control/health`)).status).toBe(200);
  });

  test('keeps its data where no other user can read it', async () => {
    const entries = await readdir(folder.dataDir, { recursive: true, withFileTypes: true });
    const open: string[] = [];
    for (const { parentPath, name } of entries) {
      const path = join(parentPath, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mode & 0o077) open.push(path);
    }
    expect(open).toEqual([]);
    const isRoot = process.getuid?.() === 0;
    expect((await stat(folder.dataDir)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
  });

  test('shows the first call to copy, which publishes a post', async () => {
    await eventually(() => expect(crier.output()).toContain('publishNow'));
    const [command = ''] = /^ {2}curl .*\n.*$/m.exec(crier.output()) ?? [];
    const [, url = ''] = /curl -s (\S+)/.exec(command) ?? [];
    const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    const [, body = ''] = /-d '(.+)'/.exec(command) ?? [];
    const answer = await fetch(url, { method: 'POST', headers, body });
    const { success, postGroupId } = (await answer.json()) as { success: boolean; postGroupId: string };
    const post = async () => (await fetch(`${crier.ready.baseUrl}/get-post/${postGroupId}`, { headers })).json();
    expect(success).toBe(true);
    await eventually(async () => expect(await post()).toMatchObject({ status: 'published' }));
    const [, feed = ''] = /(http\S+\/feed\/\w+)/.exec(crier.output()) ?? [];
    expect(await (await fetch(feed)).text()).toContain('Hello, world');
  });

  test('stops on SIGTERM with its sandbox and its database, and logs no error in between', async () => {
    const { pid, url, sandboxUrl } = crier.ready;
    const running = await processesOn(folder);
    expect(running).toContainEqual(expect.objectContaining({ pid }));
    expect(running.map(({ program }) => program).join()).toContain(`-D ${folder.dataDir}/postgres/cluster`);

    expect(await crier.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
    expect(await stillRunning([...running, ...(await processesOn(folder))])).toEqual([]);
    for (const address of [url, `${sandboxUrl}`]) await expect(fetch(address)).rejects.toThrow();
    await expect(stat(join(folder.dataDir, 'ready.json'))).rejects.toThrow('ENOENT');
    const lines = crier.output().split('\n');
    expect(lines.at(-2)).toContain('"msg":"Crier has stopped"');
    expect(lines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });
});

test('a start with a storage that cannot be used says what to check', async () => {
  await using s3 = await startS3();
  const { endpoint, credentials } = s3.bucket;
  const { accessKeyId, secretAccessKey } = credentials!;
  const access = `accessKeyId=${accessKeyId}&secretAccessKey=${encodeURIComponent(secretAccessKey)}`;
  const environment = { STORAGE_URL: `s3://nowhere?endpoint=${endpoint}&${access}` };
  const { code, stderr } = await beginStart({ folder, environment }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain(`Media cannot be stored: ${endpoint} has no bucket nowhere. Check STORAGE_URL`);
  expect(stderr).not.toContain('    at ');
});
