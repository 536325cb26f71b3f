import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Binaries } from './embedded-binaries.ts';

const run = promisify(execFile);

/** The OS user that the server runs as, if it is not our own. */
export interface OsUser {
  uid: number;
  gid: number;
}

/** The command that a server program is run with, and the options to spawn it. */
export interface Launcher {
  command: string[];
  spawn: { uid?: number; gid?: number; cwd: string; env: Record<string, string> };
}

const name = 'postgres';

/**
 * The server gets none of our environment, which holds secrets and possibly PG* variables that change what the server does.
 * The path is set because the programs that create users are often missing from the path that Crier is started with.
 */
const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * PostgreSQL refuses to run as root. If Crier runs as root, the server runs as the owner of its folder, or, if there is no
 * folder yet, as the OS user `postgres`, which is created if it is missing. Null: the server runs as our own user.
 */
export async function ensureOsUser(folder: string): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owned = await stat(folder).catch(() => null);
  if (owned && owned.uid !== 0) return { uid: owned.uid, gid: owned.gid };
  const existing = await lookUp();
  if (existing) return existing;
  const homeless = ['--system', '--no-create-home', '--home-dir', '/nonexistent'];
  const attempts = [
    ['useradd', ...homeless, '--user-group', name],
    // The group may exist without the user.
    ['useradd', ...homeless, '--gid', name, name],
    // BusyBox.
    ['adduser', '-S', '-D', '-H', name],
  ];
  for (const [program = '', ...args] of attempts) {
    await run(program, args, { env }).catch(() => {});
    const made = await lookUp();
    if (made) return made;
  }
  throw new Error(
    `PostgreSQL does not run as root, and Crier could not create the user "${name}" for it. ` +
      'Create that user, start Crier as a user other than root, or set DATABASE_URL.',
  );
}

async function lookUp(): Promise<OsUser | null> {
  try {
    const ids = await Promise.all([run('id', ['-u', name], { env }), run('id', ['-g', name], { env })]);
    const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number.parseInt(stdout, 10));
    return { uid, gid };
  } catch {
    return null;
  }
}

/**
 * As another user, the server may be unable to reach its programs or its folder, for example under `/root`. Then it gets the
 * smallest capability that is enough: reading everywhere or, if that does not suffice (a checkout made with umask 077, or a
 * container without that capability), overriding permissions. Copies of the programs and the cluster in a reachable place
 * would need neither, but would put data outside DATA_DIR.
 */
export async function chooseLauncher(osUser: OsUser | null, binaries: Binaries, folder: string): Promise<Launcher> {
  const own = { command: [], spawn: { cwd: '/', env } };
  if (!osUser) return own;
  const { uid, gid } = osUser;
  const capable = (capability: string): Launcher => ({
    command: [
      'setpriv',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      // PostgreSQL looks for its own programs with access(2), which ignores the capabilities of users other than root.
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
    ],
    spawn: own.spawn,
  });
  const launchers = [
    { ...own, spawn: { ...own.spawn, uid, gid } },
    capable('dac_read_search'),
    capable('dac_override'),
  ];
  const failures: string[] = [];
  for (const launcher of launchers) {
    const probe = [
      ...launcher.command,
      '/bin/sh',
      '-c',
      'cd "$1" && exec "$2" --version',
      'sh',
      folder,
      binaries.postgres,
    ];
    try {
      await run(probe[0] ?? '', probe.slice(1), launcher.spawn);
      return launcher;
    } catch (error) {
      failures.push((error as Error).message.trim());
    }
  }
  throw new Error(
    `PostgreSQL does not run as root, and user ${uid} cannot reach ${folder} or ${binaries.postgres}. ` +
      `Move them to a folder that this user can read, start Crier as a user other than root, or set DATABASE_URL.\n${failures.join('\n')}`,
  );
}
