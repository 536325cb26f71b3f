import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { testPassword } from '../../../../test/support/service/user.ts';
import { holdUser, releaseUser, setAccess } from '../../accounts/operator/switches.ts';

let service: TestService;
let ada: TestUser;
let cookie: string;
let accessToken: string;
let target: string;
beforeAll(async () => {
  service = await testService();
  ada = await service.aUser({ plan: 'pro' });
  target = await ada.aConnection('mastodon');
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow();
  const signedIn = await send('POST', '/auth/signin', {}, { email, password: testPassword });
  cookie = `${signedIn.headers['set-cookie']}`.split(';')[0]!;
  ({ accessToken } = signedIn.json());
});
afterAll(() => service.close());

const send = (method: 'GET' | 'POST', path: string, headers: Record<string, string>, payload?: object) =>
  service.server.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });

describe('a session may do what a key of the same user may do', () => {
  test('and gets the same answers', async () => {
    const byKey = await ada.call('GET', '/platform-connections');
    for (const headers of [{ cookie }, { authorization: `Bearer ${accessToken}` }]) {
      const answer = await send('GET', '/platform-connections', headers);
      expect([answer.statusCode, answer.json()]).toEqual([200, byKey.body]);
    }
  });

  test('and its writes are the user’s', async () => {
    const draft = await send(
      'POST',
      '/create-post',
      { cookie },
      { content: 'From the dashboard', platforms: [target] },
    );
    const { postGroupId } = draft.json();
    const { body } = await ada.call('GET', `/get-post/${postGroupId}`);
    expect(JSON.stringify(body)).toContain('From the dashboard');
  });

  test('but not from the page of another site', async () => {
    const body = { content: 'From elsewhere', platforms: [] };
    const foreign = await send('POST', '/create-post', { cookie, origin: 'https://evil.example' }, body);
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    const own = await send('POST', '/create-post', { cookie, origin: service.app.publicUrl }, body);
    expect(own.json().code).not.toBe('ORIGIN_NOT_ALLOWED');
  });

  test('and acts for managed users of its workspace, for no others', async () => {
    await setAccess(service.app, ada.id, { workspace: true });
    const made = await send('POST', '/workspace/users', { cookie }, { username: 'client@example.com' });
    expect(made.statusCode).toBe(201);
    const acting = (id: string) => send('GET', '/list-posts', { cookie, 'x-service-user-id': id });
    const client = await acting(made.json().user._id);
    expect([client.statusCode, client.json().posts]).toEqual([200, []]);
    const stranger = await service.aUser();
    expect((await acting(stranger.id)).statusCode).toBe(403);
  });

  test('[auth.hold] and does not act for a managed user on hold, whose keys and those of the owner keep working', async () => {
    await setAccess(service.app, ada.id, { workspace: true });
    const made = await send('POST', '/workspace/users', { cookie }, { username: 'held@example.com' });
    const { _id: id } = made.json().user;
    await holdUser(service.app, id, { reason: 'spam', until: null });
    const acting = () => send('GET', '/list-posts', { cookie, 'x-service-user-id': id });
    const held = await acting();
    expect([held.statusCode, held.json()]).toMatchObject([
      403,
      { error: 'Account on hold', holdExpiresAt: null, holdReason: null },
    ]);
    expect((await ada.call('GET', '/list-posts', undefined, { 'x-service-user-id': id })).status).toBe(200);
    await releaseUser(service.app, id);
    expect((await acting()).statusCode).toBe(200);
  });
});

test('a key in another header is no session: the answer says where the key belongs', async () => {
  const answer = await send('GET', '/account-context', { authorization: `Bearer ${ada.apiKey}` });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    401,
    {
      error: 'API key is required',
      hint: 'Send the API key in the header x-service-key. This route ignores the header authorization.',
    },
  ]);
});

test('a cookie of an ended session is refused as a session', async () => {
  const answer = await send('GET', '/account-context', { cookie: `crier.session_token=${'a'.repeat(32)}.x` });
  expect([answer.statusCode, answer.json().code]).toEqual([401, 'SESSION_REQUIRED']);
});
