import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openDatabase } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { type CrierProcess, dataFolder, runProgram, startCrier } from '../test/support/crier-process.ts';

export type Bench = Awaited<ReturnType<typeof startBench>>;

/** Starts a sandbox, a database and this many Crier processes on it, and connects this many Mastodon accounts. */
export async function startBench(options: { connections: number; processes?: number }) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  const sandboxUrl = await aSandbox(join(folder.path, 'sandbox'), stack);
  const { url } = stack.adopt(
    await openEmbedded({ folder: join(folder.path, 'postgres'), log: { info() {}, warn() {} } }),
    ({ release }) => release(),
  );
  const { pool } = stack.adopt(openDatabase(url, { max: 2 }), ({ close }) => close());
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY: '7a'.repeat(32),
    SANDBOX_PORT: new URL(sandboxUrl).port,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
  };
  const criers: CrierProcess[] = [];
  for (let started = 0; started < (options.processes ?? 1); started += 1) {
    const own = stack.adopt(await dataFolder(), ({ remove }) => remove());
    criers.push(
      stack.adopt(await startCrier({ folder: own, environment }), async (crier) => void (await crier.stop())),
    );
  }
  await connect(criers[0]!, options.connections);
  const held = stack.move();
  return { criers, sandboxUrl, pool, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function aSandbox(folder: string, stack: AsyncDisposableStack): Promise<string> {
  const sandbox = fork(new URL('../sandbox/main.ts', import.meta.url), [], {
    env: { PATH: process.env.PATH, SANDBOX_PORT: '0', SANDBOX_DATA: folder },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  stack.defer(async () => {
    sandbox.kill('SIGTERM');
    await once(sandbox, 'exit');
  });
  const [{ url }] = (await once(sandbox, 'message')) as [{ url: string }];
  return url;
}

async function connect({ environment }: CrierProcess, count: number) {
  const json = async (command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runProgram(['src/admin/main.ts', command, ...args, '--json'], environment);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout.trim().split('\n').at(-1)!);
  };
  const { userId } = await json('create-user', '--email', 'bench@example.com', '--password', 'correct horse');
  await json('connect-sandbox', '--user', userId, '--networks', 'mastodon', '--count', String(count));
}
