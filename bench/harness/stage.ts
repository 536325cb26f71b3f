import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { openDatabase } from '../../src/foundation/db/database.ts';
import { openEmbedded } from '../../src/foundation/db/embedded/embedded.ts';
import { silentLog } from '../../test/support/database/temporary-server.ts';
import { type CrierProcess, dataFolder, runProgram, startCrier } from '../../test/support/processes/crier.ts';
import { type LoadClient, startLoadClient } from './load.ts';
import type { Parties } from './processes.ts';
import {
  emptyProfileFolder,
  printCpuProfiles,
  profiledEnvironment,
  profiledSettings,
  profileFolder,
  profileStatements,
} from './profile.ts';

export const secretKey = '7a'.repeat(32);

/** A sandbox, a database, Crier processes on it and a load client, all in separate processes. */
export interface Stage extends AsyncDisposable {
  readonly criers: readonly CrierProcess[];
  readonly sandboxUrl: string;
  readonly databaseUrl: string;
  /** Connects as superuser to the service's database. */
  readonly superuserUrl: string;
  readonly pool: pg.Pool;
  readonly client: LoadClient;
  /** With Crier as the service. */
  readonly parties: Parties;
  /** Runs an admin command and returns its output. */
  admin<T>(command: string, ...args: string[]): Promise<T>;
}

export interface StageOptions {
  processes?: number;
  environment?: Record<string, string>;
  /** A command prefix for `node`. */
  launcher?: readonly string[];
}

export async function startStage({ processes = 1, environment = {}, launcher }: StageOptions = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const profiles = profileFolder();
  if (profiles) {
    await emptyProfileFolder(profiles);
    stack.defer(() => printCpuProfiles(profiles));
  }
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  const sandbox = await startSandbox(join(folder.path, 'sandbox'), stack);
  const databaseFolder = join(folder.path, 'postgres');
  const settings = profiles ? profiledSettings : {};
  const embedded = await openEmbedded({ folder: databaseFolder, log: silentLog, settings });
  const database = stack.adopt(embedded, ({ release }) => release());
  const { pool } = stack.adopt(openDatabase(database.url, { max: 2 }), ({ close }) => close());
  const client = stack.use(await startLoadClient());
  const own = {
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
    SANDBOX_PORT: new URL(sandbox.url).port,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    ...(profiles && profiledEnvironment(profiles)),
    ...environment,
  };
  const criers: CrierProcess[] = [];
  for (let started = 0; started < processes; started += 1) {
    const data = stack.adopt(await dataFolder(), ({ remove }) => remove());
    const crier = await startCrier({ folder: data, environment: own, ...(launcher && { launcher }) });
    stack.defer(async () => void (await crier.stop()));
    criers.push(crier);
  }
  const postmaster = Number((await readFile(join(databaseFolder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const superuserUrl = database.adminUrl.replace('/postgres?', '/crier?').replace(/\/postgres$/, '/crier');
  if (profiles) {
    const statements = await profileStatements(superuserUrl);
    stack.defer(() => statements.print());
  }
  const resources = stack.move();
  return {
    criers,
    sandboxUrl: sandbox.url,
    databaseUrl: database.url,
    superuserUrl,
    pool,
    client,
    parties: {
      client: [client.pid],
      service: criers.map(({ ready }) => ready.pid),
      database: [postmaster],
      sandbox: [sandbox.pid],
    },
    async admin<T>(command: string, ...args: string[]) {
      const ended = await runProgram(['src/admin.ts', command, ...args, '--json'], criers[0]!.environment);
      if (ended.code !== 0) throw new Error(ended.stderr);
      return JSON.parse(ended.stdout.trim().split('\n').at(-1)!) as T;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function startSandbox(folder: string, stack: AsyncDisposableStack) {
  const sandbox = fork(new URL('../../sandbox/main.ts', import.meta.url), [], {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_DATA: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  stack.defer(async () => {
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  });
  const [{ url }] = (await once(sandbox, 'message')) as [{ url: string }];
  return { url, pid: sandbox.pid ?? 0 };
}
