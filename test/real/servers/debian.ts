import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotRun } from './server.ts';

const run = promisify(execFile);
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Unpacks Debian packages, and those of their dependencies that this machine lacks, into a folder. Nothing is
 * installed: apt gets its own lists and cache in that folder. `suites` are those of this Debian: '' for the main one,
 * '-backports'.
 */
export async function debianPackages(names: readonly string[], folder: string, suites: readonly string[] = ['']) {
  const codename = await codenameOfDebian();
  const lists = join(folder, 'lists');
  const archives = join(folder, 'cache', 'archives');
  for (const path of [join(lists, 'partial'), join(archives, 'partial')]) await mkdir(path, { recursive: true });
  const sources = join(folder, 'sources.list');
  const lines = suites.map(
    (suite) => `deb [signed-by=${keyring}] http://deb.debian.org/debian ${codename}${suite} main\n`,
  );
  await writeFile(sources, lines.join(''));
  const settings = [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=root',
    'APT::Install-Recommends=0',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=20',
  ].flatMap((setting) => ['-o', setting]);
  const target = suites.includes('-backports') ? ['-t', `${codename}-backports`] : [];
  await apt([...settings, '-qq', 'update']);
  await apt([...settings, ...target, '-qq', '-y', 'install', '--download-only', ...names]);
  const unpacked = join(folder, 'root');
  for (const file of (await readdir(archives)).filter((name) => name.endsWith('.deb')))
    await run('dpkg', ['-x', join(archives, file), unpacked]);
  return unpacked;
}

async function apt(args: readonly string[]) {
  await run('apt-get', args, { env: { ...process.env, LC_ALL: 'C' } }).catch((error: Error & { stderr?: string }) => {
    const [reason] = (error.stderr ?? '').match(/^E: .*/m) ?? [error.message];
    throw new CannotRun(`Debian's packages cannot be had here: ${reason}`);
  });
}

async function codenameOfDebian(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const [, codename] = /^VERSION_CODENAME=(\w+)/m.exec(release) ?? [];
  if (!/^ID=debian/m.test(release) || !codename) throw new CannotRun('this is not Debian');
  return codename;
}

/** The folder of shared libraries for this architecture. */
export async function libraryFolder(unpacked: string): Promise<string> {
  const names = await readdir(join(unpacked, 'usr/lib'));
  return join(unpacked, 'usr/lib', names.find((name) => name.endsWith('-linux-gnu')) ?? '');
}

/** The library path for programs of these packages. */
export function libraryPath(libraries: string): string {
  const inRoot = libraries.replace(/\/usr\/lib\/(?=[^/]+$)/, '/lib/');
  return [libraries, inRoot, join(libraries, 'ceph')].join(':');
}

/** The version of an unpacked package. */
export async function versionIn(folder: string, name: string): Promise<string> {
  const file = (await readdir(join(folder, 'cache/archives'))).find((archive) => archive.startsWith(`${name}_`));
  return decodeURIComponent(file?.split('_')[1] ?? '').replace(/^\d+:/, '');
}
