import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The OS user that the server runs as, if it is not ours. */
export interface OsUser {
  uid: number;
  gid: number;
}

const name = 'postgres';

/**
 * The server gets none of our environment, which holds secrets and possibly PG* variables that change its behaviour.
 * PATH is set because the programs that create users are often missing from Crier's own PATH.
 */
export const serverEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * PostgreSQL refuses to run as root. If Crier runs as root, the server runs as the owner of its folder. If the folder
 * does not exist yet, it runs as the OS user `postgres`, which is created if missing. Null: the server runs as our own
 * user.
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
    await run(program, args, { env: serverEnvironment }).catch(() => {});
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
    const ids = await Promise.all([
      run('id', ['-u', name], { env: serverEnvironment }),
      run('id', ['-g', name], { env: serverEnvironment }),
    ]);
    const [uid = 0, gid = 0] = ids.map(({ stdout }) => Number.parseInt(stdout, 10));
    return { uid, gid };
  } catch {
    return null;
  }
}
