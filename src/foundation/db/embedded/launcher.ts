import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { type Binaries, reachableBinaries } from './binaries.ts';
import { type OsUser, serverEnvironment } from './os-user.ts';

/** Runs server programs as the server's OS user, with only that user's rights. */
export interface Launcher {
  binaries: Binaries;
  /** The folder, by the path the server uses. */
  folder: string;
  spawn(program: string, args: readonly string[], output: 'pipe' | 'ignore' | number): ChildProcess;
}

/** The server inherits our open folder and reaches it under this name, even if it cannot enter the parent folders. */
const inheritedFolder = '/proc/self/fd/3';

/**
 * Running as another user, the server may be unable to enter the parent folders of its data or its programs, for
 * example `/root`. It then inherits its folder as an open descriptor and runs copies of the programs. A capability to
 * enter every folder would also let it read every file on the machine.
 */
export async function chooseLauncher(osUser: OsUser | null, installed: Binaries, folder: string): Promise<Launcher> {
  const identity = osUser ?? {};
  const direct = { folder, spawn: launch(identity, null) };
  if (!osUser) return { ...direct, binaries: installed };
  const inheriting = { folder: inheritedFolder, spawn: launch(identity, folder) };
  const runs = (program: string) => succeeds(direct, program, ['--version']);
  const binaries = (await runs(installed.postgres)) ? installed : await reachableBinaries(installed);
  for (const way of [direct, inheriting]) {
    const enters = await succeeds(way, '/bin/sh', ['-c', 'cd "$1"', 'sh', way.folder]);
    if (enters && (await runs(binaries.postgres))) return { ...way, binaries };
  }
  throw new Error(
    `PostgreSQL does not run as root, and user ${osUser.uid} cannot access ${folder} or ${binaries.postgres}. ` +
      'Move them to a folder that this user can access, start Crier as a user other than root, or set DATABASE_URL.',
  );
}

/** The program runs in its own OS session, so Ctrl-C in our terminal does not reach it. */
function launch(identity: Partial<OsUser>, inherited: string | null): Launcher['spawn'] {
  return (program, args, output) => {
    const folders = inherited === null ? [] : [openSync(inherited, 'r')];
    try {
      const stdio = ['ignore' as const, output, output, ...folders];
      const options = { ...identity, cwd: '/', env: serverEnvironment, detached: true, stdio };
      return spawn(program, args, options).on('error', () => {});
    } finally {
      for (const folder of folders) closeSync(folder);
    }
  };
}

async function succeeds({ spawn: start }: Pick<Launcher, 'spawn'>, program: string, args: string[]): Promise<boolean> {
  const [code] = await once(start(program, args, 'ignore'), 'exit').catch(() => [null]);
  return code === 0;
}
