import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp, testServer } from '../../../test/support/service/app.ts';
import { recordedLog } from '../../../test/support/service/recorded-log.ts';
import { insertTestUser } from '../../../test/support/service/user.ts';
import { Problem } from '../../foundation/errors/index.ts';
import type { Server } from '../../foundation/http/server.ts';
import { requireApiKey } from '../auth/access/api-key.ts';

const { log, lines } = recordedLog();
let ours: TestApp;
let server: Server;
let user: { id: string; apiKey: string };
beforeAll(async () => {
  ours = await testApp({ log });
  user = await insertTestUser(ours.app, { email: 'ada@example.com', plan: 'pro' });
  server = await testServer(ours.app, (api, app) => {
    const onRequest = requireApiKey(app);
    api.get('/fine', { onRequest }, async () => ({}));
    api.get('/bug', { onRequest }, async () => {
      throw new Error('a bug');
    });
    api.get('/busy', { onRequest }, async () => {
      throw new Problem('probe_busy');
    });
    api.get('/quiet', { config: { quiet: true } }, async () => ({}));
  });
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

const get = async (path: string, key = user.apiKey) => {
  await server.inject({ url: `/api/v1${path}?secret=1`, headers: { 'x-service-key': key, 'x-request-id': 'r1' } });
  return lines;
};

test('a request is logged with its user, and without its query and its key', async () => {
  expect(await get('/fine')).toEqual([
    expect.objectContaining({ level: 30, path: '/api/v1/fine', status: 200, userId: user.id, reqId: 'r1' }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|sk_/);
});

test('a refused request is logged with its code', async () => {
  expect(await get('/fine', 'wrong')).toEqual([
    expect.objectContaining({ level: 30, status: 401, code: 'INVALID_API_KEY' }),
  ]);
});

test('a bug is logged once, as an error with its stack, code and user', async () => {
  const err = expect.objectContaining({ message: 'a bug', stack: expect.stringContaining('request-log.test') });
  expect(await get('/bug')).toEqual([
    expect.objectContaining({ level: 50, status: 500, code: 'INTERNAL', userId: user.id, err }),
  ]);
});

test('another 5xx is a warning with its code and user', async () => {
  expect(await get('/busy')).toEqual([
    expect.objectContaining({ level: 40, status: 503, code: 'PROBE_BUSY', userId: user.id }),
  ]);
});

test('health checks and the like are not logged', async () => {
  expect(await get('/quiet')).toEqual([]);
});
