import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';

/** Tool calls count like the REST API calls that they make. With this factor: 3 reads, 1 write, 1 registration. */

let service: TestService;
const clock = testClock();
beforeAll(async () => {
  service = await testService({ clock, environment: { RATE_LIMITS: '0.001' } });
});
afterAll(() => service.close());

const nextMinute = () => clock.advance({ seconds: 60 });
const send = (method: string, params: object, headers: Record<string, string> = {}) =>
  service.server.inject({ method: 'POST', url: '/mcp', headers, payload: { jsonrpc: '2.0', id: 1, method, params } });
async function call(apiKey: string, name: string, args: object = {}) {
  const { result } = (await send('tools/call', { name, arguments: args }, { 'x-service-key': apiKey })).json();
  return { isError: false, ...result, body: JSON.parse(result.content[0].text) };
}

describe('rate limits', () => {
  test('a tool that reads counts as a read of the REST API, and one that writes as a write', async () => {
    const { apiKey, call: rest } = await service.aUser();
    for (const _ of [1, 2]) expect(await call(apiKey, 'list_connections')).toMatchObject({ isError: false });
    expect((await rest('GET', '/platform-connections')).headers['ratelimit-remaining']).toBe('0');
    expect(await call(apiKey, 'list_connections')).toMatchObject({
      isError: true,
      body: { code: 'RATE_LIMITED', retryAfterSec: expect.any(Number) },
    });
    const draft = { content: 'A draft', platforms: ['service-playground'] };
    expect(await call(apiKey, 'create_post', draft)).toMatchObject({ body: { success: true } });
    expect(await call(apiKey, 'create_post', draft)).toMatchObject({ isError: true, body: { code: 'RATE_LIMITED' } });
    nextMinute();
    expect(await call(apiKey, 'create_post', draft)).toMatchObject({ body: { success: true } });
  });

  test('a call whose arguments are refused counts as a read', async () => {
    nextMinute();
    const { apiKey } = await service.aUser();
    const wrong = () => call(apiKey, 'list_posts', { limit: 'many' });
    for (const _ of [1, 2, 3]) expect(await wrong()).toMatchObject({ body: { code: 'INVALID_REQUEST' } });
    expect(await wrong()).toMatchObject({ isError: true, body: { code: 'RATE_LIMITED' } });
  });

  test.each([
    ['an unknown tool', 'tools/call', { name: 'no_such_tool' }],
    ['a tool without a name', 'tools/call', {}],
    ['an unknown resource', 'resources/read', { uri: 'crier://nothing' }],
    ['a resource without a URI', 'resources/read', {}],
  ])('a call of %s counts as a read', async (_, method, params) => {
    nextMinute();
    const headers = { 'x-service-key': (await service.aUser()).apiKey };
    for (const _ of [1, 2, 3]) expect((await send(method, params, headers)).statusCode).toBe(200);
    expect((await send(method, params, headers)).statusCode).toBe(429);
  });

  test('what calls no route counts as a read, with a key or for the IP address, each message of a batch', async () => {
    nextMinute();
    for (const _ of [1, 2, 3]) expect((await send('tools/list', {})).statusCode).toBe(200);
    expect((await send('ping', {})).statusCode).toBe(429);
    nextMinute();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const batch = await service.server.inject({ method: 'POST', url: '/mcp', payload: Array(4).fill(ping) });
    expect(batch.statusCode).toBe(429);
  });

  test('keys cannot be guessed without end', async () => {
    nextMinute();
    const guess = () => send('ping', {}, { 'x-service-key': `sk_guess.${'0'.repeat(52)}` });
    expect((await guess()).statusCode).toBe(401);
    expect((await guess()).statusCode).toBe(429);
  });

  test('applications cannot register without end', async () => {
    nextMinute();
    const register = () =>
      service.server.inject({
        method: 'POST',
        url: '/register',
        payload: { redirect_uris: ['https://example.com/callback'] },
      });
    expect((await register()).statusCode).toBe(201);
    nextMinute();
    expect(await register()).toMatchObject({ statusCode: 429, headers: { 'retry-after': expect.anything() } });
  });
});

test('a caller who sends a minute of messages in a second is slowed down', async () => {
  const usual = await testService({ environment: { RATE_LIMITS: '1' } });
  onTestFinished(() => usual.close());
  const pings = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const began = performance.now();
  const batches = Array.from({ length: 30 }, () =>
    usual.server.inject({ method: 'POST', url: '/mcp', payload: pings }),
  );
  for (const { statusCode } of await Promise.all(batches)) expect(statusCode).toBe(200);
  // 300 are not delayed, then 100 a second.
  expect(performance.now() - began).toBeGreaterThan(3000);
});
