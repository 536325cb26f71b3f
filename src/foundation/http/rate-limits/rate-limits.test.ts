import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { createKey } from '../../../features/accounts/operator/keys.ts';
import { setAccess } from '../../../features/accounts/operator/switches.ts';
import { buildServer } from '../../../surfaces/server.ts';
import type { Server } from '../server.ts';

const clock = testClock();
/** A hundredth of the real limits: 30 reads and 12 writes a minute. */
const environment = { RATE_LIMITS: '0.01' };
let service: TestService;
let other: { app: TestApp; server: Server };
beforeAll(async () => {
  service = await testService({ clock, environment });
  const app = await testApp({ database: service.database, sandboxUrl: service.sandbox.url, clock, environment });
  other = { app, server: await buildServer(app.app) };
});
afterAll(async () => {
  await other.server.close();
  await other.app.close();
  await service.close();
});

const path = '/api/v1/platform-limits';
const ask = (user: TestUser, server: Server = service.server, headers: Record<string, string> = {}) =>
  server.inject({ url: path, headers: { 'x-service-key': user.apiKey, ...headers } });
const nextWindow = () => clock.advance({ seconds: 60 });

describe('a key that is used too often', () => {
  test('learns how much is left, refused beyond the limit, and free again in the next window', async () => {
    const ada = await service.aUser();
    const first = await ask(ada);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '29' });
    for (let count = 2; count <= 30; count += 1) expect((await ask(ada)).statusCode).toBe(200);
    const refused = await ask(ada);
    const reset = Number(refused.headers['ratelimit-reset']);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED', retryAfterSec: reset });
    expect(refused.headers).toMatchObject({ 'retry-after': String(reset), 'ratelimit-remaining': '0' });
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);

    const grace = await service.aUser();
    expect((await ask(grace)).statusCode).toBe(200);
    nextWindow();
    expect((await ask(ada)).statusCode).toBe(200);
  });

  test('and goes on nevertheless gets its refusals late, which others do not feel', async () => {
    const [eve, ada] = [await service.aUser(), await service.aUser()];
    for (let count = 1; count <= 30; count += 1) await ask(eve);
    const began = performance.now();
    let refused = 0;
    const refusal = async () => {
      const { statusCode } = await ask(eve);
      refused += 1;
      return statusCode;
    };
    const refusals = Promise.all(Array.from({ length: 40 }, refusal));
    expect((await ask(ada)).statusCode).toBe(200);
    expect(refused).toBeLessThan(40);
    expect(new Set(await refusals)).toEqual(new Set([429]));
    expect(performance.now() - began).toBeGreaterThanOrEqual(950);
  });

  test('can still write when its reads are used up', async () => {
    const ada = await service.aUser();
    for (let count = 1; count <= 31; count += 1) await ask(ada);
    expect((await ask(ada)).statusCode).toBe(429);
    expect((await ada.call('POST', '/create-post', { content: 'x', platforms: ['service-playground'] })).status).toBe(
      200,
    );
  });

  test('is stopped by the stricter limit of a dear route, whose headers tell that limit', async () => {
    const ada = await service.aUser();
    const validate = () => ada.call('POST', '/validate-post', { content: 'x', platforms: ['service-playground'] });
    expect((await validate()).headers).toMatchObject({ 'ratelimit-limit': '2' });
    expect((await validate()).status).not.toBe(429);
    expect((await validate()).status).toBe(429);
  });
});

describe('several keys of a user', () => {
  test.each(['test', 'resend'])('count together what makes Crier call an address: %s', async (what) => {
    nextWindow();
    const ada = await service.aUser();
    const { rawKey } = await createKey(service.app, { user: ada.id, name: 'Another' });
    const { body } = await ada.call('POST', '/webhooks', {
      name: 'Receiver',
      url: 'https://receiver.example/',
      events: ['post.published'],
    });
    const sent = await ada.call('POST', `/webhooks/${body.webhook._id}/test`);
    const path = {
      test: `/webhooks/${body.webhook._id}/test`,
      resend: `/webhooks/deliveries/${sent.body.deliveryId}/resend`,
    }[what]!;
    if (what === 'test') nextWindow();
    expect((await ada.call('POST', path)).status).toBe(200);
    expect((await ada.call('POST', path, undefined, { 'x-service-key': rawKey })).status).toBe(429);
    const bob = await service.aUser();
    expect((await bob.call('POST', path)).status).toBe(404);
  });
});

describe('the managed users of an owner', () => {
  test.each(['owner', 'managed user'])(
    'count together what makes Crier call an address, with a key of the %s',
    async (by) => {
      nextWindow();
      const owner = await service.aUser();
      await setAccess(service.app, owner.id, { workspace: true });
      const hook = { name: 'Receiver', url: 'https://receiver.example/', events: ['post.published'] };
      const testAs = async (headers: Record<string, string>) => {
        const { body } = await owner.call('POST', '/webhooks', hook, headers);
        return (await owner.call('POST', `/webhooks/${body.webhook._id}/test`, undefined, headers)).status;
      };
      const managed = async (name: string): Promise<Record<string, string>> => {
        const { body } = await owner.call('POST', '/workspace/users', { username: `${name}-${owner.id}@example.com` });
        if (by === 'owner') return { 'x-service-user-id': body.user._id };
        const made = await owner.call('POST', `/workspace/users/${body.user._id}/api-key`);
        return { 'x-service-key': made.body.apiKey };
      };
      expect(await testAs(await managed('one'))).toBe(200);
      expect(await testAs(await managed('other'))).toBe(429);
      expect(await testAs({})).toBe(429);
    },
  );
});

describe('several processes', () => {
  test('count an exact rate together, whichever of them is asked', async () => {
    const ada = await service.aUser();
    const { body } = await ada.call('POST', '/webhooks', {
      name: 'Receiver',
      url: 'https://receiver.example/',
      events: ['post.published'],
    });
    const url = `/api/v1/webhooks/${body.webhook._id}/test`;
    const testIt = (server: Server) =>
      server
        .inject({ method: 'POST', url, headers: { 'x-service-key': ada.apiKey } })
        .then((answer) => answer.statusCode);
    const answers = await Promise.all([testIt(service.server), testIt(other.server), testIt(other.server)]);
    // One test a minute: the limit of 60 multiplied by this file's factor.
    expect(answers.filter((status) => status !== 429)).toHaveLength(1);
  });

  test('count a rate together: what one let through, another does not', async () => {
    nextWindow();
    const ada = await service.aUser();
    for (let count = 1; count <= 29; count += 1) expect((await ask(ada, other.server)).statusCode).toBe(200);
    const answers = await Promise.all(Array.from({ length: 15 }, () => ask(ada)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });
});

describe('a caller without valid credentials', () => {
  test.each<[what: string, url: string, headers: Record<string, string>]>([
    ['a key', path, { 'x-service-key': 'sk_aaaaaaaaaaaaaaaa.bbbbbbbbbb' }],
    ['an access token', path, { authorization: 'Bearer aaaaaaaa' }],
    ['a cookie', '/api/v1/auth/sessions', { cookie: 'crier.session_token=aaaaaaaa.bbbbbbbb' }],
    ['nothing', '/api/v1/auth/sessions', {}],
  ])('is counted by address with %s, and does not stop a valid key from the same address', async (_, url, headers) => {
    nextWindow();
    const ada = await service.aUser();
    const statuses: number[] = [];
    for (let count = 1; count <= 4; count += 1) {
      statuses.push((await service.server.inject({ url, headers })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await ask(ada)).statusCode).toBe(200);
  });

  test.each([
    ['an unknown path', 'GET', '/api/v1/nowhere', 404],
    ['a long path', 'GET', `/${'a/'.repeat(5_000)}`, 404],
    ['a page that does not exist', 'POST', '/nowhere', 404],
    ['a withdrawn route', 'GET', '/api/v1/linkedin-posts', 404],
    ['a method that the route does not have', 'DELETE', path, 405],
  ] as const)('is counted by address at %s', async (_, method, url, status) => {
    nextWindow();
    const ada = await service.aUser();
    const statuses: number[] = [];
    for (let count = 1; count <= 4; count += 1) {
      statuses.push((await service.server.inject({ method, url })).statusCode);
    }
    expect(statuses).toEqual([status, status, status, 429]);
    expect((await ask(ada)).statusCode).toBe(200);
  });

  test.each(['/connect/unknown', '/reset-password?token=x', '/verify-email?token=x', '/confirm-email?token=x'])(
    'is counted by address on the page %s',
    async (url) => {
      nextWindow();
      const open = async () => (await service.server.inject({ url })).statusCode;
      for (let count = 1; count <= 30; count += 1) expect(await open()).toBe(404);
      expect(await open()).toBe(429);
    },
  );
});

test('rate limits can be switched off', async () => {
  const app = await testApp({ database: service.database, clock, environment: { RATE_LIMITS: 'off' } });
  const server = await buildServer(app.app);
  const ada = await service.aUser();
  const answer = await ask(ada, server);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).not.toHaveProperty('ratelimit-limit');
  await server.close();
  await app.close();
});
