import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { setAccess } from '../operator/switches.ts';

const clock = testClock();
let service: TestService;
let owner: TestUser;
let rival: TestUser;
beforeAll(async () => {
  service = await testService({ clock, environment: { DEFAULT_PLAN: 'starter' } });
  owner = await anOwner();
  rival = await anOwner();
});
afterAll(() => service.close());

async function anOwner() {
  const user = await service.aUser();
  await setAccess(service.app, user.id, { workspace: true });
  return user;
}

interface Person extends TestUser {
  email: string;
  /** A call with this user's session. */
  ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): ReturnType<TestUser['call']>;
}

async function aPerson(): Promise<Person> {
  const user = await service.aUser({ plan: 'starter' });
  const email = `${(await row(user.id)).email}`;
  let session = { authorization: `Bearer ${await signIn(email)}` };
  return {
    ...user,
    email,
    async ask(method, path, body) {
      const answer = await user.call(method, path, body, { 'x-service-key': '', ...session });
      // Leaving a workspace ends all sessions.
      if (answer.status === 401) session = { authorization: `Bearer ${await signIn(email)}` };
      return answer;
    },
  };
}

async function signIn(email: string): Promise<string> {
  const payload = { email, password: 'long enough' };
  const answer = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload });
  return answer.json().accessToken;
}

const row = (id: string) =>
  service.app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const tokenOf = async (person: Person): Promise<string> =>
  (await person.ask('POST', '/auth/attach-token')).body.attachToken;
const attach = (userId: string, attachToken: string, by = owner) =>
  by.call('POST', '/workspace/users/attach', { userId, attachToken });
const invalid = [403, 'invalid_attach_consent'];
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
/** The key cache uses the test clock, which is stopped, so only a notification evicts an entry. */
const onceNotified = { interval: 20 };
/** A 404 means that the key was accepted. */
const use = async (key: string) => {
  const url = `/api/v1/get-post/${'0'.repeat(24)}`;
  return (await service.server.inject({ url, headers: { 'x-service-key': key } })).statusCode;
};

describe('POST /auth/attach-token', () => {
  test('makes a token that attaches its user once, within ten minutes', async () => {
    const person = await aPerson();
    const { status, body } = await person.ask('POST', '/auth/attach-token');
    expect([status, body]).toEqual([
      200,
      {
        attachToken: expect.stringMatching(/^at_[\w-]{43}$/),
        expiresAt: new Date(clock.now().getTime() + 600_000).toISOString(),
      },
    ]);
    expect((await attach(person.id, body.attachToken)).body).toMatchObject({ alreadyInWorkspace: false });
    await owner.call('DELETE', `/workspace/users/${person.id}`);
    expect(outcome(await attach(person.id, body.attachToken))).toEqual(invalid);
  });

  test.each<[string, (token: string) => [body: object, headers: Record<string, string>]]>([
    ['userAccessToken', (token) => [{ userAccessToken: token }, {}]],
    ['attachToken', (token) => [{ attachToken: token }, {}]],
    ['the header x-service-user-token', (token) => [{}, { 'x-service-user-token': token }]],
  ])('is accepted as %s', async (_, consent) => {
    const person = await aPerson();
    const [body, headers] = consent(await tokenOf(person));
    const answer = await owner.call('POST', '/workspace/users/attach', { email: person.email, ...body }, headers);
    expect(answer.status).toBe(200);
  });

  test('ends after ten minutes, and when a new one is made', async () => {
    const person = await aPerson();
    const first = await tokenOf(person);
    const second = await tokenOf(person);
    expect(outcome(await attach(person.id, first))).toEqual(invalid);
    clock.advance({ seconds: 600 });
    expect(outcome(await attach(person.id, second))).toEqual(invalid);
    const third = await tokenOf(person);
    clock.advance({ seconds: 599 });
    expect((await attach(person.id, third)).status).toBe(200);
  });

  test('an attempt that is refused does not use it up', async () => {
    const person = await aPerson();
    const token = await tokenOf(person);
    await service.app.db.updateTable('users').set({ connection_quantity: 5 }).where('id', '=', person.id).execute();
    expect(outcome(await attach(person.id, token))).toEqual([409, 'user_has_active_subscription']);
    await service.app.db.updateTable('users').set({ connection_quantity: null }).where('id', '=', person.id).execute();
    expect((await attach(person.id, token)).status).toBe(200);
  });

  test('attaches only its user', async () => {
    const [person, other] = [await aPerson(), await aPerson()];
    expect(outcome(await attach(other.id, await tokenOf(person)))).toEqual([403, 'attach_consent_mismatch']);
    expect(outcome(await attach(person.id, `at_${'A'.repeat(43)}`))).toEqual(invalid);
    expect((await row(other.id)).parent_user_id).toBe(null);
  });

  test('of two owners who use it at the same time, one succeeds', async () => {
    const person = await aPerson();
    const token = await tokenOf(person);
    const answers = await Promise.all([owner, rival].map((by) => attach(person.id, token, by)));
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    expect(answers.map(({ status }) => status)).toContain(200);
  });

  test('is stored only as a hash', async () => {
    const token = await tokenOf(await aPerson());
    const rows = await service.app.db.selectFrom('attach_tokens').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token.slice(3));
    const log = await service.app.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(log)).not.toContain(token.slice(3));
  });

  test('opens no route, however it is sent', async () => {
    const token = await tokenOf(await aPerson());
    const { paths } = await service.server.openapi('all');
    const guarded = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security = [] }]) =>
        security.length > 0 ? [[method.toUpperCase() as 'GET', path] as const] : [],
      ),
    );
    expect(guarded.length).toBeGreaterThan(50);
    for (const [method, path] of guarded) {
      const url = `/api/v1${path.replace(/\{\w+\}/g, 'f'.repeat(24))}`;
      for (const headers of waysToSend(token)) {
        const answer = await service.server.inject({ method, url, headers });
        expect([method, url, headers, answer.statusCode]).toEqual([method, url, headers, 401]);
      }
    }
  });

  const waysToSend = (token: string): Record<string, string>[] => [
    { authorization: `Bearer ${token}` },
    { cookie: `crier.session_token=${token}` },
    { cookie: `crier.session_token=${token.slice(3)}` },
    { 'x-service-key': token },
    { 'x-service-user-token': token },
  ];

  test('needs a session: a key cannot make one', async () => {
    const person = await aPerson();
    for (const path of ['/auth/attach-token', '/auth/leave-workspace']) {
      expect((await person.call('POST', path)).status).toBe(401);
    }
  });
});

describe('keys that are made in a workspace', () => {
  test('end with the membership, no matter who made them; those from before stay', async () => {
    const person = await aPerson();
    const { apiKey: currentBefore } = (await person.ask('POST', '/auth/generate-api-key')).body;
    await attach(person.id, await tokenOf(person));
    const { rawKey: own } = (await person.ask('POST', '/auth/api-keys', { name: 'Made inside' })).body.apiKey;
    expect([await use(person.apiKey), await use(currentBefore), await use(own)]).toEqual([404, 404, 404]);
    await owner.call('DELETE', `/workspace/users/${person.id}`);
    await expect.poll(() => use(own), onceNotified).toBe(401);
    expect([await use(person.apiKey), await use(currentBefore)]).toEqual([404, 404]);
  });

  test('that replaced the current key end too', async () => {
    const person = await aPerson();
    await attach(person.id, await tokenOf(person));
    const { apiKey } = (await owner.call('POST', `/workspace/users/${person.id}/api-key`)).body;
    expect(await use(apiKey)).toBe(404);
    await person.ask('POST', '/auth/leave-workspace');
    await expect.poll(() => use(apiKey), onceNotified).toBe(401);
  });

  test('a key that the member makes at the moment of the detach does not survive', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await aPerson();
      await attach(person.id, await tokenOf(person));
      await Promise.all([
        person.ask('POST', '/auth/api-keys', { name: 'Racing' }),
        owner.call('DELETE', `/workspace/users/${person.id}`),
      ]);
      const keys = await service.app.db
        .selectFrom('api_keys')
        .select(['during_membership', 'created_at'])
        .where('user_id', '=', person.id)
        .where('name', '=', 'Racing')
        .where('revoked_at', 'is', null)
        .execute();
      // A remaining key was created after the detach, when the user was free again.
      expect(keys.filter((key) => key.during_membership)).toEqual([]);
    }
  });
});

describe('POST /auth/leave-workspace', () => {
  test('ends the membership as a detach does: default plan, keys, link and sessions', async () => {
    const person = await aPerson();
    await attach(person.id, await tokenOf(person));
    const { apiKey } = (await owner.call('POST', `/workspace/users/${person.id}/api-key`)).body;
    const { url } = (await owner.call('POST', `/workspace/users/${person.id}/connection-url`)).body;
    const link = new URL(url).pathname;
    expect((await service.server.inject(link)).statusCode).toBe(200);
    const answer = await person.ask('POST', '/auth/leave-workspace');
    expect([answer.status, answer.body]).toEqual([200, { message: 'You have left the workspace. Sign in again.' }]);
    expect(await row(person.id)).toMatchObject({ parent_user_id: null, plan: 'starter', plan_is_default: true });
    expect((await service.server.inject(link)).statusCode).toBe(404);
    await expect.poll(() => use(apiKey), onceNotified).toBe(401);
    expect((await person.ask('GET', '/auth/session')).status).toBe(401);
    const acting = await owner.call('GET', '/account-context', undefined, { 'x-service-user-id': person.id });
    expect(acting.body.error).toBe('User is not managed by key');
  });

  test('answers 409 to a user who is in no workspace, also to its owner', async () => {
    const person = await aPerson();
    const refused = [409, { error: 'You do not belong to a workspace' }];
    const answer = await person.ask('POST', '/auth/leave-workspace');
    expect([answer.status, answer.body]).toEqual(refused);
    expect((await person.ask('GET', '/auth/session')).status).toBe(200);
    const authorization = `Bearer ${await signIn((await row(owner.id)).email)}`;
    const ofOwner = await owner.call('POST', '/auth/leave-workspace', undefined, { authorization });
    expect([ofOwner.status, ofOwner.body]).toEqual(refused);
  });

  test('of many concurrent requests, one leaves', async () => {
    const person = await aPerson();
    await attach(person.id, await tokenOf(person));
    const answers = await Promise.all(Array.from({ length: 5 }, () => person.ask('POST', '/auth/leave-workspace')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
