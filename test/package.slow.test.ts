import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import type { Ready } from '../src/startup/ready-file.ts';
import { type TemporaryFolder, temporaryFolder } from './support/database/temporary-server.ts';
import { root } from './support/processes/crier.ts';

let folder: TemporaryFolder;
let files: string[];
let size: number;

/** The package as npm installs it: the files of the tarball next to its dependencies. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const built = join(folder.path, 'built');
  execFileSync(process.execPath, [join(root, 'scripts/build-package.ts'), built], { stdio: 'pipe' });
  const listed = execFileSync('npm', ['pack', built, '--json'], { cwd: folder.path, encoding: 'utf8', stdio: 'pipe' });
  const packed: unknown = JSON.parse(listed);
  const [tarball] = Object.values(
    packed as Record<string, { filename: string; size: number; files: { path: string }[] }>,
  );
  files = tarball!.files.map(({ path }) => path);
  size = tarball!.size;

  const modules = join(folder.path, 'node_modules');
  await mkdir(join(modules, '@crier'), { recursive: true });
  execFileSync('tar', ['-xf', join(folder.path, tarball!.filename), '-C', join(modules, '@crier')]);
  await cp(join(modules, '@crier', 'package'), join(modules, '@crier', 'server'), { recursive: true });
  const others = (await readdir(join(root, 'node_modules'))).filter(
    (name) => !['.bin', '@crier', 'crier'].includes(name),
  );
  for (const name of others) await symlink(join(root, 'node_modules', name), join(modules, name));
});
afterAll(() => folder.remove());

const bin = () => join(folder.path, 'node_modules/@crier/server/bin/crier.js');

async function crier(args: string[], environment: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH ?? '', PORT: '0', SANDBOX_PORT: '0', ...environment };
  const child = spawn(process.execPath, [bin(), ...args], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'close').then(([code]): { code: number; output: string } => ({ code, output }));
  return { child, ended, output: () => output };
}

test('the package has programs, documents and a built dashboard, no tests and no sources, and is small', () => {
  for (const wanted of ['bin/crier.js', 'src/main.js', 'sandbox/thread.js', 'migrations/0001-accounts.sql', 'LICENSE'])
    expect(files).toContain(wanted);
  expect(files.filter((path) => /^dashboard\/dist\/[0-9a-f]{16}\/index\.html$/.test(path))).toHaveLength(1);
  expect(files.filter((path) => /\.ts$|\.test\.|^test\/|node_modules|\.env$/.test(path))).toEqual([]);
  expect(size).toBeLessThan(5_000_000);
});

test('help and version say what there is', async () => {
  expect(await (await crier(['--help'])).ended).toMatchObject({
    code: 0,
    output: expect.stringContaining('crier-data'),
  });
  expect(await (await crier(['--version'])).ended).toEqual({ code: 0, output: `${packageJson.version}\n` });
});

test('one command starts everything with its data in ./crier-data, and its other commands work on it', async () => {
  const running = await crier([]);
  await expect.poll(running.output, { timeout: 120_000, interval: 200 }).toContain('demo@crier.example');
  const ready: Ready = JSON.parse(await readFile(join(folder.path, 'crier-data', 'ready.json'), 'utf8'));
  const page = await fetch(ready.url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"')]);

  const users = await (await crier(['admin', 'list-users', '--json'])).ended;
  expect(users).toMatchObject({ code: 0, output: expect.stringContaining('demo@crier.example') });
  const help = await (await crier(['admin', 'create-key', '--help'])).ended;
  expect(help.output).toContain('npx @crier/server admin create-key --');
  expect(running.output()).not.toContain('does not exist and has no effect');
  const access = { CRIER_URL: ready.url, CRIER_KEY: ready.demo?.apiKey ?? '' };
  const posts = await (await crier(['list', '--json'], access)).ended;
  expect(posts).toMatchObject({ code: 0, output: expect.stringContaining('"ok":true') });

  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, output: expect.stringContaining('Crier has stopped') });
});
