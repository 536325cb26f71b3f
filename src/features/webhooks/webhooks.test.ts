import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestClock, testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { webhookEventNames } from '../../foundation/events/catalogue.ts';
import { maxAttempts } from './delivery/delivery-log-queries.ts';
import { deleteRemovedDeliveries } from './delivery/settle-queries.ts';

let clock: TestClock;
let service: TestService;
let ada: TestUser;
let eve: TestUser;
let session: Record<string, string>;

beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock, environment: { EGRESS_ALLOW: 'inside.example:9443,127.0.0.1:9080' } });
  [ada, eve] = [await service.aUser(), await service.aUser()];
  const signedIn = await ada.call('POST', '/auth/signin', { email: 'user1@example.com', password: 'long enough' });
  session = { authorization: `Bearer ${signedIn.body.accessToken}` };
});
beforeEach(() => query('with deliveries as (delete from webhook_deliveries) delete from webhooks'));
afterAll(() => service.close());

const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);

const hook = { name: 'Mine', url: 'https://example.com/hook', events: ['post.published', 'post.failed'] };
const create = (change: object = {}, by = ada) => by.call('POST', '/webhooks', { ...hook, ...change });
const list = async (by = ada) => (await by.call('GET', '/webhooks')).body.webhooks;
const change = (id: string, body: unknown, by = ada) => by.call('PATCH', `/webhooks/${id}`, body);
const aHook = async (input: object = {}, by = ada) => (await create(input, by)).body.webhook;

const atDashboard = {
  list: async () => (await ada.call('GET', '/dashboard/webhooks', undefined, session)).body.webhooks,
  create: (input: object) => ada.call('POST', '/dashboard/webhooks', { ...hook, ...input }, session),
  change: (id: string, body: object) => ada.call('PATCH', `/dashboard/webhooks/${id}`, body, session),
};

const id24 = expect.stringMatching(/^[0-9a-f]{24}$/);
const secret64 = expect.stringMatching(/^[0-9a-f]{64}$/);

describe('creating a webhook', () => {
  test('answers 201 with the secret and exactly the fields of the contract', async () => {
    const answer = await create();
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        webhook: { _id: id24, ...hook, secret: secret64, isActive: true, createdAt: clock.now().toISOString() },
      },
    ]);
  });

  test('keeps the secret sealed', async () => {
    const { secret } = await aHook();
    const { rows } = await query('select to_jsonb(webhooks)::text as text from webhooks');
    expect(rows[0].text).not.toContain(secret);
  });

  test('takes every event of the contract, once each', async () => {
    expect((await create({ events: [...webhookEventNames, 'post.failed'] })).body.webhook.events).toEqual([
      'post.scheduled',
      'post.published',
      'post.failed',
      'post.demoted',
      'token.expiring',
    ]);
  });

  test.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of spaces', { name: '  ' }],
    ['a name that is not a string', { name: 7 }],
    ['no URL', { url: undefined }],
    ['an empty URL', { url: '' }],
    ['no events', { events: undefined }],
    ['an empty list of events', { events: [] }],
    ['events that are not a list', { events: 'post.published' }],
  ])('with %s answers which fields are required', async (_, input) => {
    const answer = await create(input);
    expect([answer.status, answer.body]).toEqual([400, { error: 'Name, URL, and at least one event are required' }]);
    expect(await list()).toEqual([]);
  });

  test.each([
    ['no body', undefined],
    ['an empty list', []],
    ['null', 'null'],
    ['a text', '"hook"'],
  ])('with %s as the body answers the same', async (_, body) => {
    for (const send of [
      () => ada.call('POST', '/webhooks', body),
      () => ada.call('POST', '/dashboard/webhooks', body, session),
    ]) {
      const answer = await send();
      expect([answer.status, answer.body]).toEqual([400, { error: 'Name, URL, and at least one event are required' }]);
    }
  });

  test('[webhooks.length] with a name over 100 or a URL over 2,048 characters is refused, also by a change', async () => {
    const urlOf = (length: number) => 'https://example.com/'.padEnd(length, 'x');
    const longest = { name: '🎉'.repeat(100), url: urlOf(2048) };
    const { status, body } = await create(longest);
    expect([status, body.webhook]).toEqual([201, expect.objectContaining(longest)]);
    for (const [input, error] of [
      [{ name: 'x'.repeat(101) }, 'Name must have at most 100 characters'],
      [{ url: urlOf(2049) }, 'URL must have at most 2,048 characters'],
    ] as const) {
      const path = `webhooks/${body.webhook._id}`;
      for (const answer of [
        await create(input),
        await ada.call('PATCH', `/${path}`, input),
        await ada.call('PATCH', `/dashboard/${path}`, input, session),
      ]) {
        expect([answer.status, answer.body]).toEqual([400, { error }]);
      }
    }
    expect(await list()).toMatchObject([longest]);
  });

  test.each([
    ['an unknown event', ['foo']],
    ['one unknown event among others', ['post.published', 'webhook.test']],
    ['something that is not a string', [{ event: 'post.published' }]],
  ])('with %s is refused without naming it', async (_, events) => {
    const answer = await create({ events });
    expect([answer.status, answer.body]).toEqual([400, { error: 'Invalid events' }]);
  });

  test.each([
    ['example.com/hook', 'Invalid URL format'],
    ['https://', 'Invalid URL format'],
    ['https://exa mple.com/', 'Invalid URL format'],
    ['https://example.com:0/hook', 'Invalid URL format'],
    [42, 'Invalid URL format'],
    ['http://example.com/hook', 'URL must use HTTPS'],
    ['http://localhost/hook', 'URL must use HTTPS'],
    ['ftp://example.com/hook', 'URL must use HTTPS'],
    ['https://localhost/hook', 'Localhost URLs are not allowed'],
    ['https://LOCALHOST./hook', 'Localhost URLs are not allowed'],
    ['https://127.0.0.1/hook', 'Localhost URLs are not allowed'],
    ['https://127.1/hook', 'Localhost URLs are not allowed'],
    ['https://0x7f000001/hook', 'Localhost URLs are not allowed'],
    ['https://10.1.2.3/hook', 'Private IP addresses are not allowed'],
    ['https://172.16.0.1/hook', 'Private IP addresses are not allowed'],
    ['https://172.31.255.255/hook', 'Private IP addresses are not allowed'],
    ['https://192.168.1.1/hook', 'Private IP addresses are not allowed'],
    ['https://169.254.1.1/hook', 'Link-local addresses are not allowed'],
    ['https://169.254.169.254/latest/meta-data', 'Cloud metadata endpoints are not allowed'],
    ['https://metadata.google.internal/', 'Cloud metadata endpoints are not allowed'],
    ['https://100.100.100.200/', 'Cloud metadata endpoints are not allowed'],
    ['https://ann:secret@example.com/hook', 'URLs with a user name or password are not allowed'],
    ['https://ann@example.com/hook', 'URLs with a user name or password are not allowed'],
    ['https://0.0.0.0/hook', 'Private IP addresses are not allowed'],
    ['https://100.64.0.1/hook', 'Private IP addresses are not allowed'],
    ['https://[fd12:3456::1]/hook', 'Private IP addresses are not allowed'],
    ['https://[fe80::1]/hook', 'Private IP addresses are not allowed'],
    ['https://[::ffff:10.0.0.1]/hook', 'Private IP addresses are not allowed'],
    ['https://printer.local/hook', 'Private host names are not allowed'],
    ['https://hooks.internal:8443/hook', 'Private host names are not allowed'],
  ])('at %s is refused: %s', async (url, error) => {
    const made = await create({ url });
    expect([made.status, made.body]).toEqual([400, { error }]);
    const { _id } = await aHook();
    const changed = await change(_id, { url });
    expect([changed.status, changed.body]).toEqual([400, { error }]);
    expect((await list())[0].url).toBe(hook.url);
  });

  test.each([
    'https://example.com',
    'https://example.com:8443/hook?token=a%20b#part',
    'https://172.32.0.1/hook',
    'https://[2606:4700::1111]:444/hook',
    'https://10.example.com/hook',
    'https://127.example.com/hook',
    'https://192.168.example.com/hook',
    'https://[::1]/hook',
    'https://app.localhost/hook',
  ])('at %s is accepted with a key, and the URL is stored as given', async (url) => {
    const answer = await create({ url: ` ${url} ` });
    expect([answer.status, answer.body.webhook?.url]).toEqual([201, url]);
  });

  test.each([
    ['https://[::1]/hook', 400],
    ['https://app.localhost/hook', 400],
    ['https://localhost/hook', 400],
    ['https://example.com/hook', 201],
  ])('at %s, at the dashboard, answers %i', async (url, status) => {
    const answer = await atDashboard.create({ url });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual({ error: 'Localhost URLs are not allowed' });
  });

  test.each([
    ['https://inside.example:9443/hook', 201],
    ['http://127.0.0.1:9080/hook', 201],
    ['ftp://127.0.0.1:9080/hook', 400],
    ['http://127.0.0.1/hook', 400],
    ['http://inside.example/hook', 400],
    ['https://ann@inside.example:9443/hook', 400],
  ])('at %s, where the operator allows inside.example:9443 and 127.0.0.1:9080, answers %i', async (url, status) => {
    expect((await create({ url })).status).toBe(status);
  });
});

describe('at most ten webhooks', () => {
  test('for each user, also when many are created at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => create()));
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(refused.map(({ body }) => body)).toEqual(Array(5).fill({ error: 'Maximum of 10 webhooks per user' }));
    expect((await atDashboard.create({})).status).toBe(400);
    expect((await create({}, eve)).status).toBe(201);
    await ada.call('DELETE', `/webhooks/${(await list())[0]._id}`);
    expect((await create()).status).toBe(201);
  });
});

describe('the list', () => {
  test('has every field of the contract and no secret', async () => {
    const { _id } = await aHook();
    const { status, body } = await ada.call('GET', '/webhooks');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        webhooks: [
          {
            _id,
            ...hook,
            isActive: true,
            failureCount: 0,
            lastTriggeredAt: null,
            createdAt: clock.now().toISOString(),
            updatedAt: clock.now().toISOString(),
          },
        ],
      },
    ]);
  });

  test('contains only the webhooks of the user', async () => {
    await aHook();
    expect(await list(eve)).toEqual([]);
  });
});

describe('changing a webhook', () => {
  test('applies what is given and answers without counters and without secret', async () => {
    const { _id } = await aHook();
    clock.advance({ seconds: 5 });
    const { status, body } = await change(_id.toUpperCase(), {
      name: ' Other ',
      url: 'https://example.com/2',
      events: ['post.demoted'],
      isActive: false,
    });
    const changed = { _id, name: 'Other', url: 'https://example.com/2', events: ['post.demoted'], isActive: false };
    const updatedAt = clock.now().toISOString();
    expect([status, body]).toEqual([200, { success: true, webhook: { ...changed, updatedAt } }]);
    expect(await list()).toMatchObject([{ ...changed, updatedAt }]);
  });

  test.each([
    ['nothing', {}],
    ['empty strings', { name: '', url: '', events: '' }],
    ['nulls', { name: null, url: null, events: null, isActive: null }],
    ['a name of spaces', { name: '  ' }],
    ['isActive as a string', { isActive: 'false' }],
    ['isActive as a number', { isActive: 0 }],
  ])('ignores %s', async (_, body) => {
    const { _id } = await aHook();
    const answer = await change(_id, body);
    expect([answer.status, answer.body.webhook]).toMatchObject([200, { _id, ...hook, isActive: true }]);
  });

  test.each(['no', 0, { on: true }])('warns that isActive %j was ignored', async (isActive) => {
    const { _id } = await aHook();
    const { body } = await change(_id, { isActive });
    expect(body.warnings).toEqual([
      { code: 'INVALID_VALUE', field: 'isActive', message: 'isActive must be true or false, so it was ignored.' },
    ]);
    expect((await atDashboard.change(_id, { isActive })).body.warnings).toEqual(body.warnings);
    expect((await change(_id, { isActive: false })).body.warnings).toBeUndefined();
  });

  test.each([
    ['an unknown one', ['post.published', 'foo']],
    ['none', []],
    ['a string', 'post.published'],
  ])('refuses events that are %s', async (_, events) => {
    const { _id } = await aHook();
    const answer = await change(_id, { name: 'Not this', events });
    expect([answer.status, answer.body]).toEqual([400, { error: 'Invalid events' }]);
    expect(await list()).toMatchObject([hook]);
  });

  test('to active again keeps its failure count, with a key', async () => {
    const { _id } = await aHook();
    await query('update webhooks set failure_count = 7, exhausted_events = 5, is_active = false');
    expect((await change(_id, { isActive: true })).body.webhook.isActive).toBe(true);
    expect(await list()).toMatchObject([{ isActive: true, failureCount: 7 }]);
    const { rows } = await query('select exhausted_events from webhooks');
    expect(rows).toEqual([{ exhausted_events: 0 }]);
  });
});

describe('a new secret', () => {
  test('is returned once and differs from the old one', async () => {
    const { _id, secret } = await aHook();
    const { status, body } = await ada.call('POST', `/webhooks/${_id}/regenerate-secret`);
    expect([status, body]).toEqual([200, { success: true, secret: secret64 }]);
    expect(body.secret).not.toBe(secret);
    expect(JSON.stringify(await list())).not.toMatch(/[0-9a-f]{64}/);
  });
});

describe('deleting a webhook', () => {
  test('deletes its deliveries, too, later', async () => {
    const { _id } = await aHook();
    await ada.call('POST', `/webhooks/${_id}/test`);
    const answer = await ada.call('DELETE', `/webhooks/${_id}`);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await list()).toEqual([]);
    await deleteRemovedDeliveries(service.app.db);
    expect((await query('select from webhook_deliveries')).rowCount).toBe(0);
    expect((await ada.call('DELETE', `/webhooks/${_id}`)).status).toBe(404);
  });
});

describe('at the dashboard', () => {
  test('the list is sorted by creation, newest first', async () => {
    for (const name of ['first', 'second', 'third']) {
      await aHook({ name });
      clock.advance({ seconds: 1 });
    }
    const found = await atDashboard.list();
    expect(found.map(({ name }: { name: string }) => name)).toEqual(['third', 'second', 'first']);
    expect(found[0]).toMatchObject({ failureCount: 0, lastTriggeredAt: null });
    expect(found[0]).not.toHaveProperty('secret');
  });

  test('a change answers with the counters, and enabling resets the failure count', async () => {
    const { _id } = await aHook();
    await query('update webhooks set failure_count = 7, is_active = false, last_triggered_at = $1', clock.now());
    const renamed = await atDashboard.change(_id, { name: 'Other' });
    const lastTriggeredAt = clock.now().toISOString();
    expect(renamed.body.webhook).toMatchObject({ name: 'Other', failureCount: 7, lastTriggeredAt, isActive: false });
    const answer = await atDashboard.change(_id, { isActive: true });
    expect(answer.body.webhook).toMatchObject({ failureCount: 0, isActive: true });
    expect(answer.body.webhook).not.toHaveProperty('secret');
  });

  test('empty values count, too', async () => {
    const { _id } = await aHook();
    expect((await atDashboard.change(_id, { name: '' })).body.webhook.name).toBe('');
    expect((await atDashboard.change(_id, { url: '' })).body).toEqual({ error: 'Invalid URL format' });
    expect((await atDashboard.change(_id, { events: [] })).body).toEqual({ error: 'Invalid events' });
  });

  test('unknown events are named', async () => {
    const { _id } = await aHook();
    const error = { error: 'Invalid events: foo, bar' };
    expect((await atDashboard.create({ events: ['foo', 'post.failed', 'bar'] })).body).toEqual(error);
    expect((await atDashboard.change(_id, { events: ['foo', 'bar'] })).body).toEqual(error);
  });

  test('deliveries can be listed and resent, the secret replaced and the webhook deleted', async () => {
    const { _id } = await aHook();
    const call = (method: 'GET' | 'POST' | 'DELETE', path: string) => ada.call(method, path, undefined, bySession());
    const sent = await call('POST', `/webhooks/${_id}/test`);
    expect((await call('GET', `/webhooks/${_id}/deliveries`)).body.deliveries).toMatchObject([
      { _id: sent.body.deliveryId, event: 'webhook.test', status: 'pending', attempts: [] },
    ]);
    expect((await call('POST', `/webhooks/deliveries/${sent.body.deliveryId}/resend`)).status).toBe(200);
    expect((await call('POST', `/webhooks/${_id}/regenerate-secret`)).body.secret).toEqual(secret64);
    expect((await call('DELETE', `/webhooks/${_id}`)).body).toEqual({ success: true });
  });

  test('every route answers 401 without a session', async () => {
    const { _id } = await aHook();
    for (const [method, path] of [
      ['GET', '/dashboard/webhooks'],
      ['POST', '/dashboard/webhooks'],
      ['PATCH', `/dashboard/webhooks/${_id}`],
    ] as const) {
      expect((await ada.call(method, path, method === 'GET' ? undefined : hook)).status).toBe(401);
    }
  });
});

/** Replaces the key that `call` sends by default. */
const bySession = () => ({ ...session, 'x-service-key': '' });

describe('a webhook that does not exist or belongs to another user', () => {
  test.each([
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/regenerate-secret'],
    ['GET', '/deliveries'],
    ['POST', '/test'],
  ] as const)('%s /webhooks/:id%s answers 404 and changes nothing', async (method, path) => {
    const { _id } = await aHook();
    const before = (await query('select to_jsonb(webhooks) from webhooks')).rows;
    const body = method === 'PATCH' ? { name: 'By Eve' } : undefined;
    for (const id of [_id, 'a'.repeat(24), 'nonsense', '%00']) {
      const answer = await eve.call(method, `/webhooks/${id}${path}`, body);
      expect([id, answer.status, answer.body]).toEqual([id, 404, { error: 'Webhook not found' }]);
    }
    expect((await query('select to_jsonb(webhooks) from webhooks')).rows).toEqual(before);
  });

  test('a delivery cannot be resent by another user', async () => {
    const { _id } = await aHook();
    const { deliveryId } = (await ada.call('POST', `/webhooks/${_id}/test`)).body;
    for (const id of [deliveryId, '%00']) {
      const answer = await eve.call('POST', `/webhooks/deliveries/${id}/resend`);
      expect([answer.status, answer.body]).toEqual([404, { error: 'Delivery not found' }]);
    }
  });

  test('a key is required', async () => {
    const answer = await ada.call('GET', '/webhooks', undefined, { 'x-service-key': '' });
    expect([answer.status, answer.body.error]).toEqual([401, 'API key is required']);
  });
});

describe('a disabled webhook', () => {
  test('refuses tests and resends, and says why', async () => {
    const { _id } = await aHook();
    const { deliveryId } = (await ada.call('POST', `/webhooks/${_id}/test`)).body;
    await change(_id, { isActive: false });
    for (const path of [`/webhooks/${_id}/test`, `/webhooks/deliveries/${deliveryId}/resend`]) {
      const answer = await ada.call('POST', path);
      expect([answer.status, answer.body.error]).toEqual([409, 'The webhook is disabled. Enable it, then try again.']);
    }
  });

  test('gets no events that happen meanwhile', async () => {
    const { _id } = await aHook({ events: ['post.scheduled'] });
    const platforms = [await ada.aConnection()];
    const scheduledTime = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const post = () => ada.call('POST', '/create-post', { content: 'Hear, hear', platforms, scheduledTime });
    const deliveries = async () => (await query('select event from webhook_deliveries')).rowCount;
    await change(_id, { isActive: false });
    await post();
    expect(await deliveries()).toBe(0);
    await change(_id, { isActive: true });
    await post();
    expect(await deliveries()).toBe(1);
  });
});

test.each([
  ['GET', '', 'Failed to list webhooks'],
  ['POST', '', 'Failed to create webhook'],
  ['PATCH', '/aaaaaaaaaaaaaaaaaaaaaaaa', 'Failed to update webhook'],
  ['DELETE', '/aaaaaaaaaaaaaaaaaaaaaaaa', 'Failed to delete webhook'],
  ['POST', '/aaaaaaaaaaaaaaaaaaaaaaaa/regenerate-secret', 'Failed to regenerate secret'],
] as const)('%s /webhooks%s answers "%s" when the database fails', async (method, path, error) => {
  await query('alter table webhooks rename to webhooks_away');
  try {
    const answer = await ada.call(method, `/webhooks${path}`, method === 'GET' ? undefined : hook);
    expect([answer.status, answer.body.error]).toEqual([500, error]);
  } finally {
    await query('alter table webhooks_away rename to webhooks');
  }
});

describe('a delivery that was sent again many times', () => {
  /** The attempts have the times and durations 1, 2, 3 and so on. */
  async function aDelivery(attempts: number) {
    const { _id } = await aHook();
    const { deliveryId } = (await ada.call('POST', `/webhooks/${_id}/test`)).body;
    await query(
      `insert into webhook_attempts (id, delivery_id, at, duration_ms, status, answer)
      select $1 || n, $1, to_timestamp(n), n, 200, 'ok' from generate_series(1, $2::int) as n`,
      deliveryId,
      attempts,
    );
    return { webhookId: _id, deliveryId };
  }
  const newest = Array.from({ length: maxAttempts }, (_, i) => 31 + i);

  test('is listed with its newest attempts, the oldest of them first', async () => {
    const { webhookId } = await aDelivery(30 + maxAttempts);
    const [listed] = (await ada.call('GET', `/webhooks/${webhookId}/deliveries`)).body.deliveries;
    expect(listed.attempts.map(({ durationMs }: { durationMs: number }) => durationMs)).toEqual(newest);
  });

  test('keeps no older ones when it is sent once more', async () => {
    const { webhookId, deliveryId } = await aDelivery(30 + maxAttempts);
    const kept = async () =>
      (await query('select duration_ms from webhook_attempts order by at')).rows.map((row) => row.duration_ms);
    await eve.call('POST', `/webhooks/deliveries/${deliveryId}/resend`);
    await change(webhookId, { isActive: false });
    await ada.call('POST', `/webhooks/deliveries/${deliveryId}/resend`);
    expect(await kept()).toHaveLength(30 + maxAttempts);
    await change(webhookId, { isActive: true });
    expect((await ada.call('POST', `/webhooks/deliveries/${deliveryId}/resend`)).status).toBe(200);
    expect(await kept()).toEqual(newest);
  });
});
