import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testApp, testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import type { App } from '../../app.ts';
import { dispatch } from '../../features/publishing/lanes/dispatcher.ts';
import { sendHeartbeat } from '../../features/publishing/lanes/heartbeat-queries.ts';
import { buildServer } from '../server.ts';
import { readiness } from './health.ts';
import { metricsText } from './metrics.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock, environment: { ROLES: 'api' } });
});
afterAll(() => service.close());

const get = async (url: string) => {
  const { statusCode, body } = await service.server.inject({ url });
  return { status: statusCode, body: body.startsWith('{') ? JSON.parse(body) : body };
};
const aBeat = (id = 'w') => sendHeartbeat(service.app.db, { id, lanes: [], dispatchedAt: clock.now() }, 60);
/** The value of a `/metrics` line. */
const metric = async (line: string) => {
  const { body } = await get('/metrics');
  const found = (body as string).split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? 0);
};
const aPost = async (content: string) => {
  const ada = await service.aUser();
  const { body } = await ada.call('POST', '/create-post', {
    content,
    platforms: [await ada.aConnection()],
    publishNow: true,
  });
  return body.postGroupId as string;
};

test('healthz answers while the process is running', async () => {
  expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
});

describe('readyz', () => {
  test('is ready when the database answers and the migrations are applied, also without a worker', async () => {
    const { status, body } = await get('/readyz');
    expect([status, body.ready, body.checks.dispatcher]).toEqual([
      200,
      true,
      { ok: false, detail: 'no worker is publishing: start a process with the role worker' },
    ]);
  });

  test('says whether a worker looks for due posts', async () => {
    await aBeat();
    expect((await get('/readyz')).body.checks.dispatcher).toEqual({ ok: true, detail: '0.0 s, at most 45 s' });
    clock.advance({ seconds: 60 });
    expect(await get('/readyz')).toMatchObject({
      status: 200,
      body: { checks: { dispatcher: { ok: false, detail: '60.0 s, at most 45 s' } } },
    });
  });

  test('stays ready while files cannot be stored, and says so: every process would be taken away together', async () => {
    await aBeat();
    const check = async () => ({ ok: false, mistaken: false, detail: 'S3 does not answer' }) as const;
    const warnings: string[] = [];
    const log = { ...service.app.log, warn: (line: string) => void warnings.push(line) } as unknown as App['log'];
    const broken = { ...service.app, log, storage: { ...service.app.storage, check } };
    expect(await readiness(broken)).toMatchObject({
      ready: true,
      checks: { storage: { ok: false, detail: 'S3 does not answer' } },
    });
    expect(await metricsText(broken)).toContain('crier_storage_up 0');
    expect(warnings).toEqual(['media cannot be stored or read: S3 does not answer']);
    expect((await get('/readyz')).body.checks.storage).toEqual({ ok: true, detail: 'the folder is writable' });
    expect((await get('/metrics')).body).toContain('crier_storage_up 1');
  });

  test('answers while a bucket hangs, and asks it once in ten seconds for all who ask', async () => {
    await aBeat();
    let asked = 0;
    const check = async () => {
      asked += 1;
      return asked === 1 ? ({ ok: true, detail: 'answers' } as const) : new Promise<never>(() => {});
    };
    const hanging = { ...service.app, storage: { ...service.app.storage, check } };
    for (let seconds = 0; seconds < 30; seconds += 5) {
      expect(await readiness(hanging)).toMatchObject({ ready: true, checks: { storage: { ok: true } } });
      clock.advance({ seconds: 5 });
    }
    expect(asked).toBe(2);
  });

  test('checks once for all who ask at the same time, so that strangers cannot fill the database with questions', async () => {
    let checks = 0;
    const counted = {
      ...service.app,
      get workerId() {
        checks += 1;
        return service.app.workerId;
      },
    };
    const server = await buildServer(counted);
    onTestFinished(() => server.close());
    const before = checks;
    const asked = Array.from({ length: 50 }, () => server.inject({ url: '/readyz' }));
    expect(new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode)).size).toBe(1);
    expect(checks - before).toBeLessThan(5);
    await server.inject({ url: '/readyz' });
    expect(checks - before).toBeGreaterThan(1);
  });

  test('stays ready while a post is more than a minute overdue, and says so', async () => {
    await aPost('late');
    clock.advance({ seconds: 90 });
    await aBeat();
    const { status, body } = await get('/readyz');
    expect([status, body.checks.overdue]).toEqual([200, { ok: false, detail: '90.0 s, at most 60 s' }]);
    expect((await get('/metrics')).body).toContain('crier_oldest_overdue_seconds 90');
    await publishDue(service.app);
    expect((await get('/readyz')).body.checks.overdue.ok).toBe(true);
  });

  test('says that a dispatched post waits too long for a publisher', async () => {
    await aPost('handed over');
    await dispatch(service.app);
    clock.advance({ seconds: 61 });
    await aBeat();
    expect((await get('/readyz')).body.checks.overdue.ok).toBe(false);
    await publishDue(service.app);
    expect((await get('/readyz')).body.checks.overdue.ok).toBe(true);
  });

  test('takes no post for overdue that waits because its network asked for it', async () => {
    await aPost('asked to wait');
    await service.sandbox.fault({ kind: 'rate_limit', operation: 'publish', retryAfterSeconds: 600 });
    await publishDue(service.app);
    clock.advance({ seconds: 300 });
    expect((await get('/readyz')).body.checks.overdue.ok).toBe(true);
    clock.advance({ seconds: 302 });
    await publishDue(service.app);
  });

  test('is not ready when the database does not answer', async () => {
    const { app, close } = await testApp();
    await close();
    expect(await readiness(app)).toMatchObject({
      ready: false,
      checks: {
        database: { ok: false, detail: expect.stringMatching(/^does not respond: \S/) },
        overdue: { ok: false },
      },
    });
  });
});

describe('metrics', () => {
  const late = (bound: string) => metric(`crier_publish_lateness_seconds_bucket{le="${bound}",platform="mastodon"}`);

  test('show for each network how late posts were', async () => {
    const bounds = ['0.01', '1', '60', '600', '+Inf'];
    const before = await Promise.all(bounds.map(late));
    await aPost('punctual');
    await publishDue(service.app);
    await aPost('two minutes late');
    clock.advance({ seconds: 120 });
    await publishDue(service.app);
    const after = await Promise.all(bounds.map(late));
    expect(after.map((count, index) => count - before[index]!)).toEqual([1, 1, 1, 2, 2]);
  });

  test('show how long the oldest overdue post has been waiting, or 0', async () => {
    expect(await metric('crier_oldest_overdue_seconds')).toBe(0);
    for (const content of ['older', 'newer']) {
      await aPost(content);
      clock.advance({ seconds: 7 });
    }
    expect(await metric('crier_oldest_overdue_seconds')).toBe(14);
    await dispatch(service.app);
    expect(await metric('crier_oldest_overdue_seconds')).toBe(14);
    await publishDue(service.app);
    expect(await metric('crier_oldest_overdue_seconds')).toBe(0);
  });

  test('show how long the longest publishing attempt has been running', async () => {
    await aPost('never ends');
    const received = (await service.sandbox.requests()).length;
    await service.sandbox.fault({ kind: 'latency', operation: 'publish', latencyMs: 1_000 });
    const publishing = publishDue(service.app);
    await eventually(async () => expect((await service.sandbox.requests()).length).toBeGreaterThan(received));
    clock.advance({ seconds: 1800 });
    expect(await metric('crier_longest_run_seconds')).toBe(1800);
    await publishing;
    expect(await metric('crier_longest_run_seconds')).toBe(0);
  });
});

test('metrics include lateness, outcomes and requests', async () => {
  const { body } = await get('/metrics');
  for (const line of [
    'crier_publish_lateness_seconds_bucket{',
    'crier_publish_outcomes_total{',
    'crier_http_requests_total{',
    'crier_http_request_duration_seconds_count{',
  ]) {
    expect(body).toContain(line);
  }
});

test('metrics show for how long the event loop was blocked', async () => {
  const over = async () => {
    const { body } = await get('/metrics');
    const [, count] = /^crier_event_loop_block_seconds_count (\d+)$/m.exec(body) ?? [];
    const [, short] = /^crier_event_loop_block_seconds_bucket\{le="0.25"\} (\d+)$/m.exec(body) ?? [];
    return Number(count) - Number(short);
  };
  const before = await over();
  const until = performance.now() + 400;
  while (performance.now() < until);
  await eventually(async () => expect(await over()).toBeGreaterThan(before), { interval: 100 });
});

test('the front page shows the first call and links to reference, sandbox and health, and the documents are served', async () => {
  const page = await get('/');
  expect(page.body).toContain(`curl -s ${service.app.publicUrl}/api/v1/create-post`);
  for (const link of ['/docs', '/api/v1/openapi.json', '/llms.txt', service.sandbox.url, '/readyz']) {
    expect(page.body).toContain(`href="${link}"`);
  }
  expect((await get('/llms.txt')).body).toContain('POST /create-post');
  expect((await get('/api/v1/openapi.json')).body.openapi).toBe('3.1.0');
  expect((await get('/docs')).status).toBe(200);
});
