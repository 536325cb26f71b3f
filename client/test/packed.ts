import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Client from '@crier/client';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

export type ClientModule = typeof Client;

/** The client as npm would install it: built, packed and unpacked. `folder` looks like a project that depends on it. */
export async function packedClient() {
  const { path, remove } = await temporaryFolder();
  const [source, folder] = [`${path}/source`, `${path}/project/node_modules/@crier/client`];
  // A copy, so that several test files can build at the same time.
  await cp(`${root}client`, source, { recursive: true, filter: (name) => !name.endsWith('/dist') });
  const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}` };
  const { stdout } = await run('npm', ['pack', '--pack-destination', path], { cwd: source, env });
  await mkdir(folder, { recursive: true });
  const archive = stdout.trim().split('\n').at(-1);
  await run('tar', ['-xzf', `${path}/${archive}`, '-C', folder, '--strip-components=1']);
  const entry = pathToFileURL(`${folder}/dist/index.js`).href;
  return { entry, folder, project: `${path}/project`, load: () => import(entry) as Promise<ClientModule>, remove };
}
