import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { debianPackages, libraryFolder, libraryPath } from '../real/servers/debian.ts';
import { CannotRun } from '../real/servers/server.ts';

/** The Debian package of each program. */
const packages = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  pg_basebackup: 'postgresql',
};
type Name = keyof typeof packages;
const names = Object.keys(packages) as Name[];

export interface Programs {
  readonly paths: Readonly<Record<Name, string>>;
  /** Library paths for programs that are not installed. */
  readonly env: Record<string, string>;
}

/**
 * The programs of a PostgreSQL cluster: installed ones, and the others from Debian packages, which are unpacked into
 * `folder` without installing them. Without a folder, all must be installed.
 */
export async function findPrograms(folder: string | null): Promise<Programs> {
  const installed = await programsUnder('/');
  const missing = names.filter((name) => !installed[name]);
  if (missing.length === 0) return { paths: complete(installed), env: {} };
  const wanted = missing.map((name) => packages[name]);
  const install = `apt-get install ${wanted.join(' ')}`;
  if (folder === null) throw new CannotRun(`${missing.join(', ')} is not installed: ${install}`);
  const root = await debianPackages(wanted, folder).catch((error: Error) => {
    throw new CannotRun(`${error.message}. To install what is missing: ${install}`);
  });
  const env = {
    PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: libraryPath(await libraryFolder(root)),
  };
  return { paths: complete({ ...(await programsUnder(root)), ...installed }), env };
}

function complete(found: Partial<Record<Name, string>>): Record<Name, string> {
  const { etcd, patroni, haproxy, pgbouncer, pg_basebackup } = found;
  if (etcd && patroni && haproxy && pgbouncer && pg_basebackup)
    return { etcd, patroni, haproxy, pgbouncer, pg_basebackup };
  throw new CannotRun(`the packages lack a program: ${names.filter((name) => !found[name]).join(', ')}`);
}

async function programsUnder(root: string): Promise<Partial<Record<Name, string>>> {
  const versions = await readdir(join(root, 'usr/lib/postgresql')).catch(() => []);
  const newest = versions.sort((one, other) => Number(other) - Number(one));
  const folders = [
    'usr/local/bin',
    'usr/bin',
    'usr/local/sbin',
    'usr/sbin',
    ...newest.map((version) => `usr/lib/postgresql/${version}/bin`),
  ];
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    for (const path of folders.map((folder) => join(root, folder, name)))
      if (!found[name] && (await exists(path, name))) found[name] = path;
  }
  return found;
}

/** Debian's wrapper for PostgreSQL's programs picks a version by a configuration that this cluster does not have. */
async function exists(path: string, name: Name): Promise<boolean> {
  if (name === 'pg_basebackup' && !path.includes('/postgresql/')) return false;
  return access(path).then(
    () => true,
    () => false,
  );
}
