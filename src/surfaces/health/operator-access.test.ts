import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/postgres.ts';
import { type TestApp, testApp } from '../../../test/support/service/app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { buildServer } from '../server.ts';
import { operatorAccess } from './operator-access.ts';

const token = 'a-token-of-the-operator';
const stranger = '203.0.113.9';

let database: Awaited<ReturnType<typeof testDatabase>>;
const opened: { ours: TestApp; server: Server }[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  for (const { ours, server } of opened) {
    await server.close();
    await ours.close();
  }
  await database.close();
});

async function serverWith(environment: Record<string, string>): Promise<Server> {
  const ours = await testApp({ database, environment });
  const server = await buildServer(ours.app);
  opened.push({ ours, server });
  return server;
}

/** What a caller gets: the status of /metrics, and the fields of /readyz. */
async function seen(server: Server, remoteAddress: string, headers: Record<string, string> = {}) {
  const get = (url: string) => server.inject({ url, remoteAddress, headers });
  const [metrics, readyz] = [await get('/metrics'), await get('/readyz')];
  return [metrics.statusCode, Object.keys(readyz.json()).join()];
}
const everything = [200, 'ready,checks'];
const statusAlone = [401, 'ready'];

describe('metrics and the checks of readyz', () => {
  test.each(['/metrics/', '/%6detrics', '/metric%73?x=1'])('are not at %s, which a proxy may let pass', async (url) => {
    const server = await serverWith({});
    expect((await server.inject({ url: '/metrics?x=1', remoteAddress: stranger })).statusCode).toBe(200);
    expect((await server.inject({ url, remoteAddress: stranger })).statusCode).toBe(404);
  });

  test('are for those who have METRICS_TOKEN, on this machine too', async () => {
    const server = await serverWith({ NETWORKS: 'live', METRICS_TOKEN: token });
    for (const authorization of [`Bearer ${token}`, `bearer  ${token}`])
      expect(await seen(server, stranger, { authorization })).toEqual(everything);
    for (const authorization of ['', 'Bearer', 'Bearer ', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token])
      expect(await seen(server, '127.0.0.1', { authorization })).toEqual(statusAlone);
    expect((await server.inject('/metrics')).headers['www-authenticate']).toBe('Bearer');
  });

  test('without a token, in live mode, are for callers on this machine alone', async () => {
    const server = await serverWith({ NETWORKS: 'live' });
    for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
      expect(await seen(server, address)).toEqual(everything);
    for (const address of [stranger, '10.0.0.7', '::ffff:10.0.0.7', '2001:db8::1'])
      expect(await seen(server, address)).toEqual(statusAlone);
  });

  test('are for a caller who has the very address that it calls, as on a machine that does not listen on 127.0.0.1', () => {
    const isOperator = operatorAccess({ metricsToken: null, platformMode: 'live' });
    const from = (remoteAddress: string, headers = {}) =>
      ({ ip: remoteAddress, headers, socket: { remoteAddress, localAddress: '10.0.0.22' } }) as FastifyRequest;
    expect(isOperator(from('10.0.0.22'))).toBe(true);
    expect(isOperator(from('10.0.0.21'))).toBe(false);
    expect(isOperator(from('10.0.0.22', { 'x-forwarded-for': stranger }))).toBe(false);
  });

  test('are not for strangers whose requests a proxy on this machine passes on', async () => {
    const unknowing = await serverWith({ NETWORKS: 'live' });
    const trusting = await serverWith({ NETWORKS: 'live', TRUST_PROXY: '127.0.0.1' });
    const lies = ['127.0.0.1', `127.0.0.1, ${stranger}`, `${stranger}, 127.0.0.1`];
    for (const forwarded of lies) {
      for (const server of [unknowing, trusting])
        expect(await seen(server, '127.0.0.1', { 'x-forwarded-for': forwarded })).toEqual(statusAlone);
    }
    for (const header of ['forwarded', 'via', 'x-real-ip'])
      expect(await seen(unknowing, '127.0.0.1', { [header]: 'for=127.0.0.1' })).toEqual(statusAlone);
  });

  test('are open to all in the sandbox, unless it has a token', async () => {
    expect(await seen(await serverWith({}), stranger)).toEqual(everything);
    expect(await seen(await serverWith({ METRICS_TOKEN: token }), stranger)).toEqual(statusAlone);
  });
});

test('readyz tells load balancers without a token whether the service is ready', async () => {
  const server = await serverWith({ NETWORKS: 'live' });
  const answer = await server.inject({ url: '/readyz', remoteAddress: stranger });
  expect([answer.statusCode, answer.json()]).toEqual([503, { ready: false }]);
});
