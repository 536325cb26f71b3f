import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lockOrWait } from './build-lock.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const builds = join(root, 'dashboard', 'dist');
const sources = [
  'dashboard/src',
  'dashboard/public',
  'dashboard/index.html',
  'dashboard/package.json',
  'dashboard/vite.config.ts',
  'dashboard/head-script-plugin.ts',
  'dashboard/openapi-plugin.ts',
  'dashboard/precompress-plugin.ts',
  'openapi.json',
  'client/src',
  // The composer counts texts with the service's own code.
  'src/foundation/text',
];

/**
 * The folder with the built dashboard, named after a hash of its sources. If it is missing, calls `onBuild` and builds
 * it. Of several processes, one builds; the others call `onWait` and wait for it.
 */
export async function builtDashboard(onBuild = () => {}, onWait = () => {}): Promise<string> {
  const folder = await wantedFolder();
  if (isFinished(folder)) return folder;
  await using lock = await lockOrWait(`${folder}.lock`, () => isFinished(folder), onWait);
  // Another process may have finished just before this one took the lock.
  if (!lock || isFinished(folder)) return folder;
  onBuild();
  await build(folder);
  return folder;
}

async function build(folder: string) {
  const unfinished = `${folder}.${process.pid}`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', join(root, 'dashboard'), '--outDir', unfinished, '--emptyOutDir', '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, args, { cwd: join(root, 'dashboard') });
  await removeOthers();
  // A process that was suspended for long may have lost the lock, and another one has built the same.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
}

export const isDashboardBuilt = async () => isFinished(await wantedFolder());

const isFinished = (folder: string) => existsSync(join(folder, 'index.html'));

async function wantedFolder(): Promise<string> {
  // The npm package has a build and no sources.
  const [packaged] = existsSync(join(root, 'dashboard', 'src')) ? [] : await finishedBuilds();
  return join(builds, packaged ?? (await fingerprint()));
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(sources.map(filesIn))).flat()) {
    hash.update(relative(root, file)).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(source: string): Promise<string[]> {
  const path = join(root, source);
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** Finished builds of other sources. A process that still uses one of them has the files served so far in memory. */
async function removeOthers() {
  for (const name of await finishedBuilds()) await rm(join(builds, name), { recursive: true, force: true });
}

async function finishedBuilds(): Promise<string[]> {
  const names = await readdir(builds).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{16}$/.test(name));
}
