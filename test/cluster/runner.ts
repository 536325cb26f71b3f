import { chmod, chown, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ensureOsUser } from '../../src/db/embedded-os-user.ts';
import { type ServerProcess, startProcess, untilAnswers } from '../real/servers/server.ts';
import type { Programs } from './programs.ts';

/** Runs programs that refuse to run as root, or need not, in folders of their own. */
export interface Runner {
  readonly paths: Programs['paths'];
  run(program: string, args: readonly string[]): ServerProcess;
  /** A folder that the programs may write to. */
  folder(name: string): Promise<string>;
  untilAnswers(url: string, server: ServerProcess): Promise<void>;
}

export async function openRunner(home: string, { paths, env }: Programs, stack: AsyncDisposableStack): Promise<Runner> {
  const osUser = await ensureOsUser(home);
  await chmod(home, 0o711);
  const servers: ServerProcess[] = [];
  stack.defer(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  return {
    paths,
    run(program, args) {
      const server = startProcess(program, args, {
        ...osUser,
        cwd: home,
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
          LC_ALL: 'C.UTF-8',
          // Debian's etcd asks for this on processors other than amd64.
          ETCD_UNSUPPORTED_ARCH: process.arch,
          ...env,
        },
      });
      servers.push(server);
      return server;
    },
    async folder(name) {
      const path = join(home, name);
      await mkdir(path, { recursive: true });
      if (osUser) await chown(path, osUser.uid, osUser.gid);
      await chmod(path, 0o711);
      return path;
    },
    untilAnswers: async (url, server) => void (await untilAnswers(url, server)),
  };
}

export const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
