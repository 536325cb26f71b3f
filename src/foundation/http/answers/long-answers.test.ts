import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestApp, testApp, testServer } from '../../../../test/support/service/app.ts';
import type { Server } from '../server.ts';

const long = 'Zeile "1"\n\u2028 漢😀 '.repeat(20_000);
const item = { text: long, more: { count: 1, none: null }, list: [1, 'two', [long, {}]] };
const shown = { success: true, items: [item, { ...item, more: { count: 2, none: null } }], text: 'after' };

let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp();
  const Item = z.object({
    text: z.string(),
    more: z.object({ count: z.number(), none: z.null(), left: z.string().optional() }),
    list: z.array(z.unknown()),
  });
  const shape = z.object({ success: z.boolean(), items: z.array(Item), text: z.string() });
  server = await testServer(ours.app, (api) => {
    const schema = { response: { 200: shape } };
    api.get('/long', { schema }, async () => ({
      ...shown,
      secret: long,
      items: shown.items.map((one) => ({ ...one, secret: 1 })),
    }));
    api.get('/huge', async () => Array.from({ length: 30 }, () => item));
    api.get('/wrong', { schema }, async () => ({ ...shown, text: 7 }) as never);
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

test('a long answer is the same text as a short one would be, without fields that its shape does not have', async () => {
  const answer = await server.inject('/api/v1/long');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(answer.body === JSON.stringify(shown)).toBe(true);
});

test('it has the warnings of its request', async () => {
  const { warnings, ...rest } = (await server.inject('/api/v1/long?unknown=1')).json();
  expect(warnings).toEqual([expect.objectContaining({ code: 'UNKNOWN_FIELD', field: 'unknown' })]);
  expect(rest).toEqual(shown);
});

test('HEAD has no body, and a long answer of the wrong shape is an internal error', async () => {
  const head = await server.inject({ method: 'HEAD', url: '/api/v1/long' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  expect((await server.inject('/api/v1/wrong')).statusCode).toBe(500);
});

test('a client can leave few of them unread at the same time', async () => {
  const base = await server.listen({ port: 0, host: '127.0.0.1' });
  const unread = Array.from({ length: 4 }, () => {
    const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' });
    socket.pause().write('GET /api/v1/huge HTTP/1.1\r\nhost: crier.test\r\n\r\n');
    return socket.on('error', () => {});
  });
  const ask = async () => {
    const { status, headers } = await fetch(`${base}/api/v1/huge`);
    return [status, headers.get('retry-after')];
  };
  await expect.poll(ask).toEqual([429, '1']);
  expect((await fetch(`${base}/healthz`)).status).toBe(404);
  for (const socket of unread) socket.destroy();
  await expect.poll(ask).toEqual([200, null]);
  server.server.closeAllConnections();
});
