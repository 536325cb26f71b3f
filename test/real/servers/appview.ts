import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder, temporaryServer } from '../../support/temporary-server.ts';
import { debianPackages } from './debian.ts';
import { CannotRun, freePort, type RealServer, startProcess } from './server.ts';

/** The services of Bluesky: a server for accounts, the directory of accounts, and the AppView, which counts and notifies. */
export interface BlueskyNetwork extends RealServer {
  readonly pds: string;
  readonly directory: string;
  readonly appView: string;
  /** Ends when the AppView has seen everything that happened before. */
  indexed(): Promise<void>;
}

/** As `@atproto/dev-env` runs them, with PostgreSQL and with redis from Debian. */
export async function startBlueskyNetwork(): Promise<BlueskyNetwork> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const unpacked = await debianPackages(['redis-server'], join(folder.path, 'debian'));
  const redisPort = await freePort();
  const redisArguments = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const redis = startProcess(join(unpacked, 'usr/bin/redis-server'), redisArguments, { cwd: folder.path });
  stack.defer(() => redis.stop());
  const postgres = await temporaryServer();
  stack.defer(() => postgres.close());
  const child = spawn(process.execPath, [new URL('appview.js', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DB_POSTGRES_URL: postgres.adminUrl,
      REDIS_HOST: `127.0.0.1:${redisPort}`,
      LOG_ENABLED: 'false',
    },
  });
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.stdin.end();
    await ended;
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const said = async () => JSON.parse((await lines.next()).value ?? 'null');
  const places = await said();
  if (!places) throw new CannotRun("Bluesky's services ended at once");
  const kept = stack.move();
  return {
    name: "Bluesky's AppView",
    ...places,
    async indexed() {
      child.stdin.write('\n');
      await said();
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
