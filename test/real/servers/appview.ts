import { join } from 'node:path';
import { temporaryFolder, temporaryServer } from '../../support/database/temporary-server.ts';
import { debianPackages } from './debian.ts';
import { startScript } from './script.ts';
import { freePort, type RealServer, startProcess } from './server.ts';

/** Bluesky's services: a server for accounts, the directory of accounts, and the AppView, which counts and notifies. */
export interface BlueskyNetwork extends RealServer {
  /** Its address, without encryption. */
  readonly pds: string;
  readonly directory: string;
  readonly appView: string;
  /** Resolves when the AppView has processed everything before this call. */
  indexed(): Promise<void>;
}

/**
 * Runs them with `@atproto/dev-env`, with PostgreSQL and with redis from Debian. `host`: the PDS's public host name.
 */
export async function startBlueskyNetwork(host: string): Promise<BlueskyNetwork> {
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
  const services = stack.use(
    await startScript('appview.js', [host], {
      DB_POSTGRES_URL: postgres.adminUrl,
      REDIS_HOST: `127.0.0.1:${redisPort}`,
    }),
  );
  const kept = stack.move();
  return {
    name: "Bluesky's AppView",
    ...services.ready,
    indexed: () => services.ask('index'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
