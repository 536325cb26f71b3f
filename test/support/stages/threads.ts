import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { finishConnect, startConnect } from '../../../src/features/connections/connect/connect.ts';
import { connectSandboxAccount } from '../../../src/features/connections/connect/sandbox.ts';
import { consent } from '../browser/consent.ts';
import type { TestClock } from '../service/app.ts';
import { type Answer, type TestService, type TestUser, testService } from '../service/service.ts';

/** The service with Threads accounts, for a test file about the permission that threads need there. */
export function threadsStage(clock: TestClock) {
  let service: TestService;
  let ada: TestUser;
  let handles = 0;
  let texts = 0;

  beforeAll(async () => {
    service = await testService({ clock, publicUrl: 'https://crier.test' });
  });
  beforeEach(async () => {
    ada = await service.aUser();
  });
  afterEach(() => service.sandbox.clearFaults());
  afterAll(() => service.close());

  /** A connected Threads account. The sandbox withholds the reply permission from handles that start with `noreply`. */
  async function anAccount(user = ada, { mayReply = true } = {}) {
    handles += 1;
    const handle = `${mayReply ? 'ann' : 'noreply'}${handles}`;
    const { app, sandbox } = service;
    const { platformId } = await connectSandboxAccount(app, sandbox.url, user.id, { platform: 'threads', handle });
    return { platformId, handle };
  }
  const control = (method: string, path: string, body: object) =>
    service.sandbox.control(method, path, { network: 'threads', ...body });
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
  const tomorrow = () => inSeconds(86_400);
  function aThread() {
    texts += 1;
    return `One of ${texts}\n---\nTwo of ${texts}`;
  }

  return {
    service: () => service,
    ada: () => ada,
    anAccount,
    withReplyPermission: async (user?: TestUser) => (await anAccount(user)).platformId,
    withoutReplyPermission: async (user?: TestUser) => (await anAccount(user, { mayReply: false })).platformId,

    control,
    /** A fault for the request that reads the permissions of a token. */
    fault: (body: object) => control('POST', '/faults', { operation: 'account', ...body }),
    revoke: (handle: string) => control('PATCH', '/accounts', { handle, revokeTokens: true }),

    /** How often Threads is asked for the permissions of a token. */
    async permissionRequests(during: () => Promise<unknown>): Promise<number> {
      const count = async () => {
        const requests = await service.sandbox.control<{ path: string }[]>('GET', '/requests?network=threads');
        return requests.filter(({ path }) => path.startsWith('/v1.0/debug_token')).length;
      };
      const before = await count();
      await during();
      return (await count()) - before;
    },

    inSeconds,
    tomorrow,
    aThread,
    post: (platforms: string[], more: object = {}, user = ada, headers?: Record<string, string>) =>
      user.call('POST', '/create-post', { content: aThread(), platforms, scheduledTime: tomorrow(), ...more }, headers),
    update: (id: string, edit: object, headers?: Record<string, string>) =>
      ada.call('PUT', `/update-post/${id}`, edit, headers),

    /** Fails if the work leaves a row behind or counts against a plan. */
    async storingNothing<T>(work: () => Promise<T>): Promise<T> {
      const before = await storedRows(service);
      const result = await work();
      expect(await storedRows(service)).toEqual(before);
      return result;
    },

    /** Connects through the consent page. `scope` asks for fewer permissions than usual. */
    async byConsent(user: TestUser, handle: string, scope?: string): Promise<string> {
      const { app } = service;
      const who = { userId: user.id };
      const started = await startConnect(app, who, 'threads', {});
      if (!('url' in started)) throw new Error('Threads has no consent page.');
      const page = new URL(started.url);
      if (scope) page.searchParams.set('scope', scope);
      const back = await consent(page, { decision: 'allow', handle });
      const done = await finishConnect(app, who, Object.fromEntries(back.searchParams));
      if (!('connected' in done)) throw new Error('There are several accounts to choose from.');
      return done.connected[0]!.platformId;
    },
  };
}

async function storedRows({ database }: TestService) {
  const { rows } = await database.pool.query(
    `select (select count(*)::int from post_groups) as groups, (select count(*)::int from platform_posts) as targets,
      (select count(*)::int from post_logs) as logs, (select count(*)::int from events) as events,
      (select count(*)::int from idempotency_keys) as keys,
      (select jsonb_agg(c order by owner_id, period, connection) from usage_counters c) as counters`,
  );
  return rows[0];
}

/** The issue for a thread on an account without the reply permission. */
export const permissionMissing = {
  platform: 'threads',
  code: 'THREADS_PERMISSION_REQUIRED',
  message: 'Reconnect your Threads account and allow reply publishing to publish a thread with multiple posts.',
  field: 'platforms',
  severity: 'error',
};

/** The response body when Threads is unavailable. */
export const unavailable = {
  error: 'Unable to check Threads permissions. Please try scheduling again shortly.',
  code: 'THREADS_PERMISSIONS_UNAVAILABLE',
};

export const outage = { kind: 'status', status: 503, times: 1000 };

export function errorsIn({ status, body }: Answer) {
  expect([status, body.error]).toEqual([400, 'Validation failed']);
  return body.validation.errors;
}

export function expectUnavailable({ status, body, headers }: Answer) {
  expect([status, body]).toEqual([503, unavailable]);
  expect(headers).not.toHaveProperty('retry-after');
}
