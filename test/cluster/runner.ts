import { execFile } from 'node:child_process';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureOsUser } from '../../src/foundation/db/embedded/os-user.ts';
import { type ServerProcess, startProcess, untilAnswers } from '../real/servers/server.ts';
import type { Programs } from './programs.ts';

/** Runs programs that refuse or need not run as root, in separate folders. */
export interface Runner {
  readonly paths: Programs['paths'];
  run(program: string, args: readonly string[]): ServerProcess;
  /** A folder that is writable for the programs. */
  folder(name: string): Promise<string>;
  /** The same on a separate disk, which can be filled. Null if this user may not mount one. */
  disk(name: string, megabytes: number): Promise<string | null>;
  untilAnswers(url: string, server: ServerProcess): Promise<void>;
}

export async function openRunner(home: string, { paths, env }: Programs, stack: AsyncDisposableStack): Promise<Runner> {
  const osUser = await ensureOsUser(home);
  await chmod(home, 0o711);
  const servers: ServerProcess[] = [];
  const disks: string[] = [];
  stack.defer(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    for (const path of disks) await run('umount', ['--lazy', path]);
  });
  const folder = async (name: string) => {
    const path = join(home, name);
    await mkdir(path, { recursive: true });
    await give(path);
    return path;
  };
  const give = async (path: string) => {
    if (osUser) await chown(path, osUser.uid, osUser.gid);
    await chmod(path, 0o711);
  };
  return {
    paths,
    run(program, args) {
      const server = startProcess(program, args, {
        ...osUser,
        cwd: home,
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
          LC_ALL: 'C.UTF-8',
          // Debian's etcd requires this on processors other than amd64.
          ETCD_UNSUPPORTED_ARCH: process.arch,
          ...env,
        },
      });
      servers.push(server);
      return server;
    },
    folder,
    async disk(name, megabytes) {
      const path = await folder(name);
      const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'crier-test', path]).then(
        () => true,
        () => false,
      );
      if (!isMounted) return null;
      disks.push(path);
      await give(path);
      return path;
    },
    untilAnswers: async (url, server) => void (await untilAnswers(url, server)),
  };
}

const run = promisify(execFile);

export const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
