import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../../test/support/database/postgres.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import type { PlanKey } from '../../../config/plans.ts';
import { lockPlan } from '../../users/quotas.ts';
import { holdUser, releaseUser, setAccess } from '../operator/switches.ts';
import { setPlan } from '../operator/users.ts';

let service: TestService;
let owner: TestUser;
let rival: TestUser;
beforeAll(async () => {
  service = await testService();
  owner = await anOwner();
  rival = await anOwner();
});
afterAll(() => service.close());

async function anOwner(options: { plan?: PlanKey } = {}) {
  const user = await service.aUser(options);
  await setAccess(service.app, user.id, { workspace: true });
  return user;
}

type Person = TestUser & { email: string; token: string };

/** A signed-in user, whose token proves consent. */
async function aPerson(): Promise<Person> {
  const user = await service.aUser({ plan: 'starter' });
  const { email } = await row(user.id);
  return { ...user, email, token: await signIn(email) };
}
async function signIn(email: string): Promise<string> {
  const payload = { email, password: 'long enough' };
  const answer = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload });
  return answer.json().accessToken;
}

const row = (id: string) =>
  service.app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const update = (id: string, change: { is_active?: boolean; workspace_enabled?: boolean }) =>
  service.app.db.updateTable('users').set(change).where('id', '=', id).execute();

const send = (body?: unknown, headers?: Record<string, string>, by = owner) =>
  by.call('POST', '/workspace/users/attach', body, headers);
/** Attaches with consent. */
const attach = ({ id, token }: Person, by = owner) => send({ userId: id, userAccessToken: token }, {}, by);

async function refuses(request: ReturnType<typeof send>, status: number, error: string, code: string) {
  const answer = await request;
  expect([answer.status, answer.body]).toEqual([status, { error, code }]);
}

const byEmail = ({ email }: Person) => ({ email });
const byId = ({ id }: Person) => ({ userId: id });

describe('[workspace.attach] POST /workspace/users/attach', () => {
  test.each<[string, (person: Person) => object]>([
    ['email', byEmail],
    ['email in other letters', ({ email }) => ({ email: ` ${email.toUpperCase()} ` })],
    ['username', ({ email }) => ({ username: email })],
    ['userId', byId],
    ['userId in other letters', ({ id }) => ({ userId: id.toUpperCase() })],
    ['email and userId', (person) => ({ ...byEmail(person), ...byId(person) })],
    ['username beside an empty email', ({ email }) => ({ email: '', userId: null, username: email })],
  ])('finds the user by %s', async (_, identify) => {
    const person = await aPerson();
    const answer = await send({ ...identify(person), userAccessToken: person.token });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        user: {
          _id: person.id,
          username: person.email,
          displayName: (await row(person.id)).name,
          role: 'managed',
          dailyPostsLeft: 100,
          connectionsPageUrl: null,
          connectionsPageTokenExpiresAt: null,
          isActive: true,
        },
        alreadyInWorkspace: false,
      },
    ]);
    expect((await row(person.id)).parent_user_id).toBe(owner.id);
    const { users } = (await owner.call('GET', '/workspace/users')).body;
    expect(users.map((user: { _id: string }) => user._id)).toContain(person.id);
  });

  test.each<[string, (token: string) => [body: object, headers: Record<string, string>]]>([
    ['userAccessToken', (token) => [{ userAccessToken: token }, {}]],
    ['attachToken', (token) => [{ attachToken: token }, {}]],
    ['the header x-service-user-token', (token) => [{}, { 'x-service-user-token': token }]],
    ['attachToken beside empty others', (token) => [{ userAccessToken: '', attachToken: token }, {}]],
  ])('takes consent from %s', async (_, consent) => {
    const person = await aPerson();
    const [body, headers] = consent(person.token);
    expect((await send({ ...byId(person), ...body }, headers)).status).toBe(200);
  });

  test('the user keeps its own key and sign-in, and gets the plan of the owner', async () => {
    const agency = await anOwner({ plan: 'agency' });
    const person = await aPerson();
    await attach(person, agency);
    const context = await person.call('GET', '/account-context');
    expect([context.status, context.body.context?.plan.key]).toEqual([200, 'agency']);
    expect(await signIn(person.email)).toEqual(expect.any(String));
  });

  test('attaching again needs no token, even if the user is inactive by now', async () => {
    const person = await aPerson();
    const { body: first } = await attach(person);
    for (const body of [byId(person), byEmail(person), { ...byId(person), userAccessToken: 'outdated' }]) {
      const answer = await send(body);
      expect([answer.status, answer.body]).toEqual([200, { user: first.user, alreadyInWorkspace: true }]);
    }
    await update(person.id, { is_active: false });
    expect((await send(byId(person))).body).toMatchObject({ user: { isActive: false }, alreadyInWorkspace: true });
  });

  test('after a detach, the user has to sign in again to consent, and keeps its own keys', async () => {
    const person = await aPerson();
    await attach(person);
    await owner.call('DELETE', `/workspace/users/${person.id}`);
    await refuses(send(byId(person)), 403, 'Target user consent token is required', 'attach_consent_required');
    // The owner has seen this token, so it no longer works.
    await refuses(attach(person), 403, 'Target user consent token is invalid', 'invalid_attach_consent');
    const headers = { authorization: `Bearer ${person.token}` };
    const session = await service.server.inject({ url: '/api/v1/auth/session', headers });
    expect(session.statusCode).toBe(401);
    expect((await person.call('GET', `/get-post/${'0'.repeat(24)}`)).status).toBe(404);
    const again = await attach({ ...person, token: await signIn(person.email) });
    expect([again.status, again.body.alreadyInWorkspace]).toEqual([200, false]);
  });
});

describe('[workspace.attach] errors of an attach', () => {
  test.each([
    [undefined],
    [{}],
    [{ email: '' }],
    [{ email: null, userId: null, username: '' }],
    [{ email: '  ' }],
    [[]],
  ])('missing_identifier: %j', (body) => refuses(send(body), 400, 'Email or userId is required', 'missing_identifier'));

  test.each([[{ email: 'nobody' }], [{ username: 'a@b' }], [{ email: 7 }], [{ email: ['a@example.com'] }]])(
    'invalid_email: %j',
    (body) => refuses(send(body), 400, 'Invalid email', 'invalid_email'),
  );

  test.each([[{ userId: '1' }], [{ userId: 7 }], [{ userId: 'g'.repeat(24) }], [{ userId: '0'.repeat(25) }]])(
    'invalid_user_id: %j',
    (body) => refuses(send(body), 400, 'Invalid userId', 'invalid_user_id'),
  );

  test('identifier_mismatch: two users, or one of them unknown', async () => {
    const [one, other] = [await aPerson(), await aPerson()];
    for (const body of [
      { ...byEmail(one), ...byId(other) },
      { email: 'nobody@example.com', ...byId(one) },
      { ...byEmail(one), userId: '0'.repeat(24) },
    ]) {
      const request = send({ ...body, userAccessToken: one.token });
      await refuses(request, 400, 'Email and userId refer to different users', 'identifier_mismatch');
    }
  });

  test('cannot_attach_self', async () => {
    const { email } = await row(owner.id);
    const userAccessToken = await signIn(email);
    for (const body of [{ email }, { userId: owner.id }, { userId: owner.id, userAccessToken }]) {
      await refuses(send(body), 400, 'Cannot attach your own account', 'cannot_attach_self');
    }
  });

  test.each([[{}], [{ userAccessToken: '' }], [{ userAccessToken: null, attachToken: '' }]])(
    'attach_consent_required: %j',
    async (consent) => {
      const request = send({ ...byId(await aPerson()), ...consent }, { 'x-service-user-token': '' });
      await refuses(request, 403, 'Target user consent token is required', 'attach_consent_required');
    },
  );

  test('invalid_attach_consent: not a token, a token of an ended session, or an API key', async () => {
    const person = await aPerson();
    const ended = await signIn(person.email);
    const headers = { authorization: `Bearer ${ended}` };
    await service.server.inject({ method: 'POST', url: '/api/v1/auth/signout', headers });
    for (const userAccessToken of [
      'x',
      'A'.repeat(32),
      `${person.token} `,
      ended,
      person.apiKey,
      owner.apiKey,
      7,
      {},
    ]) {
      const request = send({ ...byId(person), userAccessToken });
      await refuses(request, 403, 'Target user consent token is invalid', 'invalid_attach_consent');
    }
    expect((await row(person.id)).parent_user_id).toBe(null);
  });

  test('invalid_attach_consent: an attach token whose session has ended', async () => {
    const person = await aPerson();
    const ask = (path: string, accessToken: string) =>
      service.server.inject({
        ...{ method: 'POST', url: `/api/v1/auth/${path}` },
        headers: { authorization: `Bearer ${accessToken}` },
      });
    const stolen = await signIn(person.email);
    const { attachToken } = (await ask('attach-token', stolen)).json();
    expect((await ask('signout', stolen)).statusCode).toBe(200);
    const answer = await send({ userId: person.id, attachToken });
    expect([answer.status, answer.body.code]).toEqual([403, 'invalid_attach_consent']);
  });

  test('attach_consent_mismatch: the token of someone else, such as the owner', async () => {
    const person = await aPerson();
    const other = await aPerson();
    for (const userAccessToken of [other.token, await signIn((await row(owner.id)).email)]) {
      const request = send({ ...byId(person), userAccessToken });
      await refuses(request, 403, 'Consent token belongs to another user', 'attach_consent_mismatch');
    }
    expect((await row(person.id)).parent_user_id).toBe(null);
  });

  test('user_not_found', async () => {
    for (const body of [
      { email: 'nobody@example.com' },
      { userId: '0'.repeat(24) },
      { email: 'nobody@example.com', userId: '0'.repeat(24) },
    ]) {
      await refuses(send(body), 404, 'User not found', 'user_not_found');
    }
  });

  test('user_inactive', async () => {
    const person = await aPerson();
    await update(person.id, { is_active: false });
    await refuses(attach(person), 409, 'User is inactive', 'user_inactive');
    await refuses(send(byEmail(person)), 409, 'User is inactive', 'user_inactive');
  });

  test('ACCOUNT_ON_HOLD: joining a workspace does not evade a hold', async () => {
    const person = await aPerson();
    const headers = { authorization: `Bearer ${person.token}` };
    const made = await service.server.inject({ method: 'POST', url: '/api/v1/auth/attach-token', headers });
    await holdUser(service.app, person.id, { reason: 'spam', until: null });
    for (const consent of [{ userAccessToken: person.token }, { attachToken: made.json().attachToken }]) {
      const answer = await send({ userId: person.id, ...consent });
      expect([answer.status, answer.body.error]).toEqual([403, 'Account on hold']);
      expect(answer.body).toMatchObject({ holdExpiresAt: null, holdReason: null });
    }
    expect((await row(person.id)).parent_user_id).toBe(null);
    await releaseUser(service.app, person.id);
    expect((await attach(person)).status).toBe(200);
  });

  test('user_is_workspace_owner: with the workspace enabled, or because it still manages users', async () => {
    const person = await aPerson();
    const refused = () => refuses(attach(person), 409, 'User is a workspace owner', 'user_is_workspace_owner');
    await setAccess(service.app, person.id, { workspace: true });
    await refused();
    await person.call('POST', '/workspace/users', { username: 'client@example.com' });
    await update(person.id, { workspace_enabled: false });
    await refused();
  });

  test('user_in_another_workspace, with and without a token', async () => {
    const person = await aPerson();
    await attach(person, rival);
    for (const request of [() => attach(person), () => send(byEmail(person))]) {
      await refuses(request(), 409, 'User belongs to another workspace', 'user_in_another_workspace');
    }
  });

  test.each<[string, PlanKey, number | undefined]>([
    ['the plan pro', 'pro', undefined],
    ['a legacy plan', 'premium_legacy', undefined],
    ['a plan with connections bought', 'agency', 5],
    ['bought connections alone', 'starter', 5],
  ])('user_has_active_subscription on %s: reported only with consent', async (_, plan, connections) => {
    const person = await aPerson();
    await setPlan(service.app, { user: person.id, plan, ...(connections && { connections }) });
    const code = 'user_has_active_subscription';
    await refuses(attach(person), 409, 'Cannot attach a user with an active subscription', code);
    await refuses(send(byId(person)), 403, 'Target user consent token is required', 'attach_consent_required');
  });
});

test('[workspace.subscription] the plan that every new account gets is no subscription', async () => {
  const payload = { email: 'newcomer@example.com', password: 'long enough' };
  const answer = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload });
  const { accessToken, user } = answer.json();
  expect(user.plan).toBe('pro');
  expect((await send({ userId: user._id, userAccessToken: accessToken })).status).toBe(200);
});

describe('[workspace.channel-limit] CHANNEL_LIMIT_REACHED', () => {
  async function aPersonWith(connections: number) {
    const person = await aPerson();
    for (let at = 0; at < connections; at += 1) await person.aConnection();
    return person;
  }

  test("counts the owner's connections, those of its users and those of the new user", async () => {
    const agency = await anOwner({ plan: 'starter' });
    await agency.aConnection();
    expect((await attach(await aPersonWith(1), agency)).status).toBe(200);
    const tooMany = await aPersonWith(2);
    const answer = await attach(tooMany, agency);
    expect([answer.status, answer.body]).toEqual([
      403,
      {
        code: 'CHANNEL_LIMIT_REACHED',
        error: 'Channel limit reached',
        message: 'Channel limit reached. Your Starter plan allows 3 channels.',
        metric: 'connections.total',
        limit: 3,
        used: 2,
        requested: 2,
        remaining: 1,
        periodStart: null,
        periodEnd: null,
        planName: 'Starter',
        projectedUsed: 4,
      },
    ]);
    expect((await row(tooMany.id)).parent_user_id).toBe(null);
    expect((await attach(await aPersonWith(1), agency)).status).toBe(200);
    expect((await attach(await aPersonWith(1), agency)).body).toMatchObject({
      used: 3,
      remaining: 0,
      projectedUsed: 4,
    });
  });

  test('bought connections replace those of the plan, and a user without connections always fits', async () => {
    const agency = await anOwner();
    await setPlan(service.app, { user: agency.id, plan: 'pro', connections: 1 });
    const refused = { limit: 1, used: 0, requested: 2, remaining: 1, planName: 'Pro', projectedUsed: 2 };
    expect((await attach(await aPersonWith(2), agency)).body).toMatchObject(refused);
    await agency.aConnection();
    await agency.aConnection();
    expect((await attach(await aPersonWith(1), agency)).body).toMatchObject({ used: 2, remaining: 0 });
    expect((await attach(await aPerson(), agency)).status).toBe(200);
  });

  test('holds while a client of another managed user connects an account', async () => {
    const { db } = service.app;
    const agency = await anOwner({ plan: 'starter' });
    const managed = await service.aUser();
    await db.updateTable('users').set({ parent_user_id: agency.id }).where('id', '=', managed.id).execute();
    const person = await aPersonWith(3);
    // Like `storeGrants` for the holder of a connection link: it counts, and then stores.
    const attached = await db.transaction().execute(async (tx) => {
      await lockPlan(tx, agency.id);
      const waiting = attach(person, agency);
      await Promise.race([waiting, lockIsAwaited(service.database)]);
      await sql`insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
        values (${service.app.newId()}, ${managed.id}, 'telegram', '1', 'h', 'd', 'none')`.execute(tx);
      return { waiting };
    });
    expect((await attached.waiting).body).toMatchObject({ code: 'CHANNEL_LIMIT_REACHED', used: 1, requested: 3 });
  });

  test('holds for many users who are attached at the same time', async () => {
    const { db } = service.app;
    const agency = await anOwner({ plan: 'starter' });
    const people = await Promise.all(Array.from({ length: 6 }, () => aPersonWith(1)));
    // All requests arrive before the first one continues: two wait in the database, the others for their turn.
    const answers = await db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${agency.id} for update`.execute(tx);
      const attached = people.map((person) => attach(person, agency));
      await expect.poll(waiting).toBe(2);
      return attached;
    });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 403, 403, 403]);
    expect((await agency.call('GET', '/workspace/users')).body.users).toHaveLength(3);
  });

  async function waiting() {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      service.app.db,
    );
    return rows.length;
  }
});

describe('[workspace.attach] many requests at the same time', () => {
  test('of two owners who attach the same user at the same time, one succeeds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await aPerson();
      const owners = [owner, rival];
      const answers = await Promise.all(owners.map((by) => attach(person, by)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = answers.find(({ status }) => status === 409);
      expect(loser?.body.code).toBe('user_in_another_workspace');
      const winner = owners[answers.findIndex(({ status }) => status === 200)];
      expect((await row(person.id)).parent_user_id).toBe(winner?.id);
    }
  });

  test('of many requests of the same owner, one attaches the user and the others find it attached', async () => {
    const person = await aPerson();
    const answers = await Promise.all(Array.from({ length: 30 }, () => attach(person)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect(answers.filter(({ body }) => !body.alreadyInWorkspace)).toHaveLength(1);
  });
});
