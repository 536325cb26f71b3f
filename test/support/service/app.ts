import type { Logger } from 'pino';
import { type App, buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { ConnectOptions } from '../../../src/foundation/egress/connect.ts';
import { buildFastify, type FastifyOptions } from '../../../src/foundation/http/fastify.ts';
import { rateLimits } from '../../../src/foundation/http/rate-limits/rate-limits.ts';
import type { Server } from '../../../src/foundation/http/server.ts';
import { type SealingKeys, sealingKey } from '../../../src/foundation/lib/seal.ts';
import type { Clock } from '../../../src/foundation/time/clock.ts';
import { type TestDatabase, testDatabase } from '../database/postgres.ts';
import { watchConfig, watchSealed } from '../secrets/app-secrets.ts';
import { watchedLog } from './recorded-log.ts';

export interface TestApp {
  readonly app: App;
  readonly database: TestDatabase;
  close(): Promise<void>;
}

export interface TestAppOptions {
  clock?: Clock;
  /** Another app's database makes this one a second process of the same service. Default: a new database. */
  database?: TestDatabase;
  sandboxUrl?: string | null;
  publicUrl?: string;
  sealingKeys?: SealingKeys;
  /** Variables as in `.env`. */
  environment?: Record<string, string>;
  /** Host names and certificates for users' URLs. */
  egress?: ConnectOptions;
  /** Default: discarded. */
  log?: Logger;
}

/** The real app on a test database. `close()` drops the database if it was created here. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await testDatabase());
  const app = await buildApp(readConfig({ RATE_LIMITS: 'off', ...options.environment }), {
    databaseUrl: database.url,
    publicUrl: options.publicUrl ?? 'http://crier.test',
    sandboxUrl: options.sandboxUrl ?? null,
    sealingKeys: options.sealingKeys ?? { current: sealingKey('5e'.repeat(32)), previous: [] },
    log: options.log ?? watchedLog(),
    ...(options.clock && { clock: options.clock }),
    ...(options.egress && { egress: options.egress }),
  });
  watchConfig(app);
  return {
    app,
    database,
    async close() {
      // The test may have broken the database.
      await watchSealed(app).catch(() => {});
      await app.close();
      if (!options.database) await database.close();
    },
  };
}

/** Serves only these routes, under their prefix in the service. */
export async function testServer(
  app: App,
  addRoutes: (server: Server, app: App) => void,
  options: Partial<FastifyOptions> = {},
): Promise<Server> {
  const { log, newId, config } = app;
  const server = await buildFastify({ log, newId, corsOrigins: config.corsOrigins, ...options });
  rateLimits(server, app);
  await server.register(async (api) => addRoutes(api as unknown as Server, app), { prefix: '/api/v1' });
  return server;
}

export interface TestClock extends Clock {
  advance(by: { seconds: number }): void;
}

/** Does not run until it is advanced. */
export function testClock(start = '2027-03-04T05:06:07.089Z'): TestClock {
  let ms = Date.parse(start);
  return {
    now: () => new Date(ms),
    advance({ seconds }) {
      ms += seconds * 1000;
    },
  };
}
