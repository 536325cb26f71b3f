import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { signedIn } from '../../../test/support/service/media-service.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { setAccess } from '../accounts/operator/switches.ts';
import { bodyLimits, loggedBody } from './logged-bodies.ts';
import { insertBodies } from './queries.ts';
import { pruneBodies } from './request-log.ts';

const clock = testClock();
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.aUser();
});

const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;
const bodiesOf = ({ id }: TestUser) =>
  query('select request_body as request, response_body as response from request_log_bodies where user_id = $1', [id]);

async function ask(user: TestUser, method: 'GET' | 'PUT' | 'DELETE', path = '') {
  const headers = await signedIn(service, user);
  const answer = await service.server.inject({ method, url: `/api/v1/dashboard/requests${path}`, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const newest = async (user: TestUser, reader = user) => {
  const { requests } = await ask(reader, 'GET');
  return (await ask(reader, 'GET', `/${requests[0]._id}`)).request;
};

describe('bodies of API calls', () => {
  test('are stored for an hour after a person asked for it, and not before or after', async () => {
    const validate = () => ada.call('POST', '/validate-post', { content: 'What I sent', unknownField: 1 });
    await validate();
    expect(await newest(ada)).toMatchObject({ requestBody: null, responseBody: null });
    expect(await ask(ada, 'GET')).toMatchObject({ bodiesUntil: null });
    const { bodiesUntil } = await ask(ada, 'PUT', '/bodies');
    expect(Date.parse(bodiesUntil)).toBe(clock.now().getTime() + 3_600_000);
    expect(await ask(ada, 'GET')).toMatchObject({ bodiesUntil });
    // The cache of keys is dropped by a notification.
    await expect.poll(async () => (await validate()) && (await newest(ada)).requestBody).not.toBeNull();
    const { requestBody, responseBody } = await newest(ada);
    expect(JSON.parse(requestBody)).toEqual({ content: 'What I sent', unknownField: 1 });
    expect(JSON.parse(responseBody)).toMatchObject({ code: expect.any(String) });
    clock.advance({ seconds: 3_600 });
    await validate();
    expect(await newest(ada)).toMatchObject({ requestBody: null, responseBody: null });
    expect(await ask(ada, 'GET')).toMatchObject({ bodiesUntil: null });
  });

  test('are no longer stored after "Stop now"; both are in the audit log', async () => {
    await ask(ada, 'PUT', '/bodies');
    expect(await ask(ada, 'DELETE', '/bodies')).toEqual({ bodiesUntil: null });
    await ada.call('POST', '/validate-post', {});
    await newest(ada);
    expect(await bodiesOf(ada)).toEqual([]);
    const events = await query('select event, actor_kind from audit_log where user_id = $1 order by id desc', [ada.id]);
    expect(events.filter(({ event }) => event.startsWith('request_bodies'))).toEqual([
      { event: 'request_bodies_off', actor_kind: 'user' },
      { event: 'request_bodies_on', actor_kind: 'user' },
    ]);
  });

  test('cannot be turned on with a key', async () => {
    const answer = await ada.call('PUT', '/dashboard/requests/bodies');
    expect(answer.status).toBe(401);
  });

  test('contain no secrets, and are shown only to the user of the key', async () => {
    await setAccess(service.app, ada.id, { workspace: true });
    await ask(ada, 'PUT', '/bodies');
    // The cache of keys is dropped by a notification.
    await expect
      .poll(async () => {
        await ada.call('GET', '/platform-limits');
        await ask(ada, 'GET');
        return bodiesOf(ada);
      })
      .not.toEqual([]);
    await ada.call('POST', '/workspace/users', { username: `of-${ada.id}@example.com` });
    const [{ id: managedId }] = await query('select id from users where parent_user_id = $1', [ada.id]);
    const { apiKey } = (await ada.call('POST', `/workspace/users/${managedId}/api-key`)).body;
    const webhook = { name: 'Mine', url: 'https://example.com/hook?token=short-token', events: ['post.published'] };
    const { body } = await ada.call('POST', '/webhooks', webhook);
    await ada.call('POST', '/workspace/users/attach', { token: 'a-token-to-hide' });
    await ask(ada, 'GET');
    const text = JSON.stringify(await bodiesOf(ada));
    expect(text).toContain(managedId);
    for (const secret of [apiKey, apiKey.split('.')[1], body.webhook?.secret ?? 'whsec_', 'a-token-to-hide'])
      expect(text).not.toContain(secret);

    const managedKey = { 'x-service-key': apiKey };
    await query('update users set log_bodies_until = $2 where id = $1', [
      managedId,
      new Date(clock.now().getTime() + 60_000),
    ]);
    await expect
      .poll(async () => {
        await ada.call('POST', '/validate-post', {}, managedKey);
        await ask(ada, 'GET');
        return bodiesOf({ ...ada, id: managedId });
      })
      .not.toEqual([]);
    expect(await newest(ada)).toMatchObject({ userId: managedId, requestBody: null, responseBody: null });
  });

  test('are cut, limited per user, and deleted after a day', async () => {
    expect(loggedBody({ content: 'x '.repeat(100_000) })).toHaveLength(bodyLimits.length + '… [cut]'.length);
    const call = (id: string) =>
      ({ id, userId: ada.id, at: clock.now(), requestBody: 'x'.repeat(60), responseBody: null }) as Parameters<
        typeof insertBodies
      >[1][number];
    for (const id of ['1', '2', '3']) await insertBodies(service.app.db, [call(id)], 100);
    expect(await bodiesOf(ada)).toHaveLength(2);
    clock.advance({ seconds: 86_400 });
    await pruneBodies(service.app);
    expect(await bodiesOf(ada)).toHaveLength(2);
    clock.advance({ seconds: 1 });
    await pruneBodies(service.app);
    expect(await bodiesOf(ada)).toEqual([]);
  });
});

test('the time before the handler is known, unless the call was refused before it', async () => {
  await ada.call('GET', '/platform-limits');
  const { waitedMs, durationMs } = await newest(ada);
  expect(waitedMs).toBeGreaterThanOrEqual(0);
  expect(waitedMs).toBeLessThanOrEqual(durationMs);
  await ada.call('POST', '/validate-post', { content: 7 });
  expect(await newest(ada)).toMatchObject({ status: 400, waitedMs: null });
});

test.each([
  [{ password: 'short' }, '{"password":"[secret]"}'],
  [{ accessToken: ['a'], list: [{ api_key: 1 }] }, '{"accessToken":"[secret]","list":[{"api_key":"[secret]"}]}'],
  [{ content: 'My key is sk_abc.def' }, '{"content":"My key is [secret]"}'],
  ['{"secret":"x","code":"A_CODE"}', '{"secret":"[secret]","code":"A_CODE"}'],
  [{ url: 'https://ada:pass@example.com/' }, '{"url":"https://[secret]@example.com/"}'],
  [{ url: 'https://example.com/?token=abc&page=2' }, '{"url":"https://example.com/?token=[secret]&page=2"}'],
  // As Azure signs URLs.
  [
    { url: 'https://example.com/a.png?sp=r&sig=ab%2Bc%2Fd%3D' },
    '{"url":"https://example.com/a.png?sp=r&sig=[secret]"}',
  ],
  [Buffer.from('file'), null],
  [undefined, null],
])('%j is logged as %s', (body, logged) => {
  expect(loggedBody(body)).toBe(logged);
});
