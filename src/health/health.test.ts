import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../test/support/app.ts';
import { publishDue } from '../../test/support/publishing.ts';
import { type TestService, testService } from '../../test/support/service.ts';
import { beat } from '../publishing/lane-queries.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

const get = async (url: string) => {
  const { statusCode, body } = await service.server.inject({ url });
  return { status: statusCode, body: body.startsWith('{') ? JSON.parse(body) : body };
};
const aBeat = () => beat(service.app.db, { id: 'w', lanes: [], dispatchedAt: clock.now() }, 60);

test('healthz says that the process lives', async () => {
  expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
});

describe('readyz', () => {
  test('is not ready before a worker has looked for due posts', async () => {
    const { status, body } = await get('/readyz');
    expect([status, body.ready, body.checks.dispatcher.ok]).toEqual([503, false, false]);
  });

  test('is ready when database, migrations and dispatcher are', async () => {
    await aBeat();
    const { status, body } = await get('/readyz');
    expect([status, body.ready]).toEqual([200, true]);
  });

  test('is not ready when the last look is long ago', async () => {
    clock.advance({ seconds: 60 });
    expect((await get('/readyz')).body.checks.dispatcher.ok).toBe(false);
  });

  test('is not ready while a post is long overdue', async () => {
    const ada = await service.aUser();
    const platforms = [await ada.aConnection()];
    await ada.call('POST', '/create-post', { content: 'late', platforms, publishNow: true });
    clock.advance({ seconds: 90 });
    await aBeat();
    const { status, body } = await get('/readyz');
    expect([status, body.checks.overdue]).toEqual([503, { ok: false, detail: '90.0 s, at most 60 s' }]);
    expect((await get('/metrics')).body).toContain('crier_oldest_overdue_seconds 90');
    await publishDue(service.app);
    expect((await get('/readyz')).status).toBe(200);
  });
});

test('metrics tell lateness, outcomes and requests', async () => {
  const { body } = await get('/metrics');
  for (const line of [
    'crier_publish_lateness_seconds_bucket{',
    'crier_publish_outcomes_total{',
    'crier_http_request_seconds_count{',
  ]) {
    expect(body).toContain(line);
  }
});

test('the front page leads to reference, sandbox and health; documents are served', async () => {
  const page = await get('/');
  for (const link of ['/docs', '/api/v1/openapi.json', '/llms.txt', service.sandbox.url, '/readyz']) {
    expect(page.body).toContain(`href="${link}"`);
  }
  expect((await get('/llms.txt')).body).toContain('POST /create-post');
  expect((await get('/api/v1/openapi.json')).body.openapi).toBe('3.1.0');
  expect((await get('/docs')).status).toBe(200);
});
