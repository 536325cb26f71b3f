import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { eventually } from '../../test/support/eventually.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces vite: records that a build started, and ends on command, with a page that names the build. */
const vite = `
  import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const folder = process.argv[process.argv.indexOf('--outDir') + 1];
  appendFileSync(join(process.cwd(), '..', 'builds.log'), process.ppid + '\\n');
  setInterval(() => {
    if (!existsSync(join(process.cwd(), '..', 'go'))) return;
    if (existsSync(join(process.cwd(), '..', 'fail'))) process.exit(1);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), 'built for ' + process.ppid);
    process.exit(0);
  }, 20);`;

/** The relevant part of a start. */
const program = `
  import { builtDashboard } from './src/startup/dashboard-build.ts';
  console.log('folder ' + await builtDashboard(() => console.log('builds'), () => console.log('waits')));`;

/** A fresh checkout: the real code that decides and waits, and a build that ends when the test says so. */
async function aCheckout() {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  for (const path of ['src/startup', 'src/foundation', 'package.json'])
    await cp(join(root, path), join(folder.path, path), { recursive: true });
  await mkdir(join(folder.path, 'dashboard/src'), { recursive: true });
  await mkdir(join(folder.path, 'dashboard/public'), { recursive: true });
  await mkdir(join(folder.path, 'client/src'), { recursive: true });
  await mkdir(join(folder.path, 'node_modules/vite/bin'), { recursive: true });
  const files = ['index.html', 'package.json', 'vite.config.ts', 'head-script-plugin.ts', 'precompress-plugin.ts'];
  for (const name of [...files, 'openapi-plugin.ts']) await writeFile(join(folder.path, 'dashboard', name), '');
  await writeFile(join(folder.path, 'openapi.json'), '{}');
  await writeFile(join(folder.path, 'node_modules/vite/bin/vite.js'), vite);
  await writeFile(join(folder.path, 'node_modules/vite/package.json'), '{ "type": "module" }');
  await writeFile(join(folder.path, 'start.ts'), program);
  return folder;
}

function start({ path }: TemporaryFolder) {
  const child = spawn(process.execPath, ['start.ts'], { cwd: path, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return { child, ended: once(child, 'close'), output: () => output };
}
type Started = ReturnType<typeof start>;

const goOn = ({ path }: TemporaryFolder) => writeFile(join(path, 'go'), '');
const buildsIn = async ({ path }: TemporaryFolder) =>
  (await readFile(join(path, 'builds.log'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
const pidOf = ({ child }: { child: ChildProcess }) => `${child.pid}`;

/** The builder, and the processes that wait for it. */
async function sorted(folder: TemporaryFolder, started: Started[]) {
  await eventually(async () => {
    expect(await buildsIn(folder)).not.toEqual([]);
    expect(started.filter(({ output }) => output().includes('waits'))).toHaveLength(started.length - 1);
  });
  const [first = ''] = await buildsIn(folder);
  const builder = started.find((one) => pidOf(one) === first);
  if (!builder) throw new Error('A process that was not started built.');
  return { builder, waiting: started.filter((one) => one !== builder) };
}

test('of processes that start together in a fresh checkout one builds, and the others wait for it', async () => {
  const folder = await aCheckout();
  const started = Array.from({ length: 4 }, () => start(folder));
  const { builder } = await sorted(folder, started);
  await goOn(folder);
  await Promise.all(started.map(({ ended }) => ended));
  expect(await buildsIn(folder)).toEqual([pidOf(builder)]);
  const folders = started.map(({ output }) => /^folder (.*)$/m.exec(output())?.[1]);
  expect(new Set(folders).size).toBe(1);
  expect(await readFile(join(`${folders[0]}`, 'index.html'), 'utf8')).toBe(`built for ${pidOf(builder)}`);
  expect(await readdir(join(folder.path, 'dashboard/dist'))).toHaveLength(1);
});

test('a killed builder blocks nobody: one of those who waited builds', async () => {
  const folder = await aCheckout();
  const { builder, waiting } = await sorted(
    folder,
    Array.from({ length: 3 }, () => start(folder)),
  );
  builder.child.kill('SIGKILL');
  await builder.ended.catch(() => {});
  await eventually(async () => expect((await buildsIn(folder)).length).toBeGreaterThan(1));
  await goOn(folder);
  await Promise.all(waiting.map(({ ended }) => ended));
  const [, second, ...more] = await buildsIn(folder);
  expect([waiting.map(pidOf).includes(`${second}`), more]).toEqual([true, []]);
  for (const { output } of waiting) expect(output()).toContain('folder ');
});

test('the lock of a killed builder whose id another process has now is taken over', async () => {
  const folder = await aCheckout();
  const first = start(folder);
  await eventually(async () => expect(await buildsIn(folder)).toHaveLength(1));
  const dist = join(folder.path, 'dashboard/dist');
  const lock = (await readdir(dist)).find((name) => name.endsWith('.lock'));
  first.child.kill('SIGKILL');
  await first.ended.catch(() => {});
  // This process is alive.
  await writeFile(join(dist, `${lock}`), `${process.pid} ...`);
  const next = start(folder);
  await goOn(folder);
  await next.ended;
  expect(next.output()).toMatch(/waits\nbuilds\nfolder /);
});

test('a build that fails is tried by the next, and every process reports it', async () => {
  const folder = await aCheckout();
  await writeFile(join(folder.path, 'fail'), '');
  await goOn(folder);
  const started = Array.from({ length: 2 }, () => start(folder));
  await Promise.all(started.map(({ ended }) => ended));
  for (const { output, child } of started)
    expect([child.exitCode, output()]).toEqual([1, expect.stringContaining('vite')]);
  expect((await readdir(join(folder.path, 'dashboard/dist'))).filter((name) => name.endsWith('.lock'))).toEqual([]);
});
