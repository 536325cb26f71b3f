import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from '../../../src/foundation/storage/s3.ts';
import { temporaryFolder } from '../../support/database/temporary-server.ts';
import { debianPackages, libraryFolder, libraryPath, versionIn } from './debian.ts';
import { fakeClock } from './fake-clock.ts';
import { type RealServer, type ServerProcess, startProcess } from './server.ts';

/** An S3 server that checks signatures. Its bucket does not exist yet. */
export interface RealS3 extends RealServer {
  readonly bucket: Bucket;
  /** Moves the server's clock. */
  advance(seconds: number): void;
}

/** Unpacked Debian packages, and everything their programs need to run from there. */
export interface UnpackedPackages {
  readonly unpacked: string;
  readonly libraries: string;
  /** The folder for the server's configuration and data. */
  readonly home: string;
  readonly env: Record<string, string>;
  /** For programs that use the test's clock. */
  readonly clockEnv: Record<string, string>;
  /** Runs a program in `home` until the server is closed. */
  run(program: string, args: readonly string[], env: Record<string, string>): ServerProcess;
}

interface S3Options {
  name: string;
  /** The first package determines the version of the server. */
  packages: readonly [string, ...string[]];
  /** Returns its bucket once the server responds. */
  start(packages: UnpackedPackages): Promise<Bucket>;
}

/** Starts the programs of an S3 server from Debian packages. Closing it stops them and removes all files. */
export async function startS3({ name, packages, start }: S3Options): Promise<RealS3> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const debian = join(folder.path, 'debian');
  const unpacked = await debianPackages([...packages, 'libfaketime'], debian);
  const libraries = await libraryFolder(unpacked);
  const clock = await fakeClock(join(folder.path, 'clock'), libraries);
  const home = join(folder.path, 'home');
  await mkdir(home);
  const env = {
    PATH: `${join(unpacked, 'usr/bin')}:${join(unpacked, 'usr/sbin')}:/usr/bin:/bin`,
    PYTHONPATH: join(unpacked, 'usr/lib/python3/dist-packages'),
    LD_LIBRARY_PATH: libraryPath(libraries),
  };
  const run: UnpackedPackages['run'] = (program, args, itsEnv) => {
    const server = startProcess(program, args, { cwd: home, env: itsEnv });
    stack.defer(() => server.stop());
    return server;
  };
  const bucket = await start({ unpacked, libraries, home, env, clockEnv: clock.env, run });
  const version = await versionIn(debian, packages[0]);
  const running = stack.move();
  return {
    name: `${name} ${version}`,
    bucket,
    advance: clock.advance,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
