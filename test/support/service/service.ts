import type { InjectOptions } from 'fastify';
import type { App } from '../../../src/app.ts';
import type { PlanKey } from '../../../src/config/plans.ts';
import { connectSandboxAccount } from '../../../src/features/connections/connect/sandbox.ts';
import { storeGrant } from '../../../src/features/connections/connections.ts';
import type { Server } from '../../../src/foundation/http/server.ts';
import type { Json } from '../../../src/foundation/lib/json.ts';
import type { PlatformId, PlatformName } from '../../../src/platforms/index.ts';
import { buildServer, type ServerOptions } from '../../../src/surfaces/server.ts';
import type { TestDatabase } from '../database/postgres.ts';
import { contractBody } from '../documents/contract-body.ts';
import { openSandbox, type TestSandbox } from '../servers/sandbox.ts';
import { type TestAppOptions, testApp } from './app.ts';
import { insertTestUser } from './user.ts';

/** The whole service as its users see it: the real routes on a real database, with the real sandbox. */
export interface TestService {
  readonly app: App;
  readonly server: Server;
  readonly database: TestDatabase;
  readonly sandbox: TestSandbox;
  aUser(options?: { plan?: PlanKey }): Promise<TestUser>;
  close(): Promise<void>;
}

export interface TestUser {
  readonly id: string;
  readonly apiKey: string;
  /** A new connection, as `platforms` names it. On a network without an adapter, it exists only in name. */
  aConnection(platform?: PlatformName, traits?: Record<string, Json>): Promise<string>;
  /** Calls the API with this user's key. The body is the contract's, without Crier's additions to errors. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the body, whatever its shape.
  body: any;
  headers: Record<string, unknown>;
}

export async function testService(
  options: Pick<TestAppOptions, 'clock' | 'environment' | 'publicUrl' | 'egress' | 'log'> &
    Pick<ServerOptions, 'dashboardFolder'> = {},
): Promise<TestService> {
  const { clock, dashboardFolder = null } = options;
  const sandbox = await openSandbox('mastodon', clock ? { now: () => clock.now().getTime() } : {});
  const { app, database, close } = await testApp({ ...options, sandboxUrl: sandbox.url });
  const server = await buildServer(app, { dashboardFolder });
  let made = 0;

  return {
    app,
    server,
    database,
    sandbox,
    async aUser({ plan = 'pro' } = {}) {
      made += 1;
      const user = await insertTestUser(app, { email: `user${made}@example.com`, plan });
      return testUser(app, server, sandbox.url, user);
    },
    async close() {
      await server.close();
      await close();
      await sandbox.close();
    },
  };
}

let handles = 0;

function testUser(
  app: App,
  server: Server,
  sandboxUrl: string,
  { id, apiKey }: { id: string; apiKey: string },
): TestUser {
  return {
    id,
    apiKey,
    async aConnection(platform = 'mastodon', traits = {}) {
      handles += 1;
      if (platform !== 'mastodon') {
        const account = {
          id: `${handles}`,
          handle: `person${handles}`,
          displayName: 'A person',
          avatarUrl: null,
          profileUrl: null,
          traits,
        };
        const grant = { account, credentials: { accessToken: 'none' }, scopes: [], expiresAt: null };
        return (await storeGrant(app, id, platform as PlatformId, grant)).platformId;
      }
      const made = await connectSandboxAccount(app, sandboxUrl, id, { platform, handle: `person${handles}` });
      return made.platformId;
    },
    async call(method, path, body, headers = {}) {
      const request: InjectOptions = {
        method,
        url: `/api/v1${path}`,
        headers: { 'x-service-key': apiKey, ...headers },
      };
      if (body !== undefined) {
        request.payload = typeof body === 'string' ? body : JSON.stringify(body);
        request.headers = { 'content-type': 'application/json', ...request.headers };
      }
      const response = await server.inject(request);
      return { status: response.statusCode, body: contractBody(parse(response.body)), headers: response.headers };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
