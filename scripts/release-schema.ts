// Writes releases/<version>.sql, from which tests of later versions upgrade. A step of docs/releasing.md.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { openEmbedded } from '../src/foundation/db/embedded/embedded.ts';
import { silentLog, temporaryFolder } from '../test/support/database/temporary-server.ts';
import { root } from './demo-crier.ts';
import { releaseSql, releasesFolder } from './release-sql.ts';

const { version } = packageJson;
const folder = await temporaryFolder();
try {
  const dataDir = join(folder.path, 'data');
  await publishDemo(dataDir);
  const database = await openEmbedded({ folder: join(dataDir, 'postgres'), log: silentLog });
  const text = await releaseSql(database.url, version);
  await database.release();
  await mkdir(releasesFolder, { recursive: true });
  await writeFile(new URL(`${version}.sql`, releasesFolder), text);
  console.log(`Wrote releases/${version}.sql.`);
} finally {
  await folder.remove();
}

/** Creates the data of a user's first day: all networks, posts in all states, files, events. */
async function publishDemo(dataDir: string) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0' };
  const crier = spawn(process.execPath, ['src/main.ts'], { cwd: root, env, stdio: 'ignore' });
  const ended = once(crier, 'exit');
  try {
    await untilReady(dataDir, ended);
    await promisify(execFile)(process.execPath, ['scripts/demo.ts'], { cwd: root, env });
  } finally {
    crier.kill('SIGTERM');
    await ended;
  }
}

async function untilReady(dataDir: string, ended: Promise<unknown>) {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!(await readFile(join(dataDir, 'ready.json')).catch(() => null))) {
    if (isOver) throw new Error('Crier did not start: npm start shows why.');
    await sleep(100);
  }
}
