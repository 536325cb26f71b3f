import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whileTableIsLocked } from '../../../../test/support/database/locked-table.ts';
import { queuedMails, tokenFor } from '../../../../test/support/service/queued-mail.ts';
import { type AccountsStage, accountsStage } from '../../../../test/support/stages/accounts.ts';
import { setAccess } from '../operator/switches.ts';

let stage: AccountsStage;
beforeAll(async () => {
  stage = await accountsStage();
});
afterAll(() => stage.close());

const newPassword = 'copper lantern drifting';
const hook = { name: 'Thief', url: 'https://thief.example.com/secret', events: ['post.published'] };
const onceNotified = { interval: 20 };

type Caller = { key: string } | { session: string };
function call(caller: Caller, method: 'GET' | 'POST', path: string, payload?: object, actAs?: string) {
  const headers = {
    ...('key' in caller ? { 'x-service-key': caller.key } : { authorization: `Bearer ${caller.session}` }),
    ...(actAs && { 'x-service-user-id': actAs }),
  };
  return stage.server.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
}

async function anOwner() {
  const owner = await stage.aUser();
  await setAccess(stage.app, owner.id, { workspace: true });
  return owner;
}

/** A user whom a thief with a stolen session has moved into the thief's own workspace. */
async function aTakenPerson() {
  const [thief, victim] = [await anOwner(), await stage.aUser({ plan: 'starter' })];
  const stolen = { session: await stage.signIn(victim.email) };
  const { attachToken } = (await call(stolen, 'POST', '/auth/attach-token')).json();
  const attach = { userId: victim.id, attachToken };
  expect((await call({ key: thief.apiKey }, 'POST', '/workspace/users/attach', attach)).statusCode).toBe(200);
  return { thief, victim };
}

/**
 * An owner with a managed user and a client who joined, and everything that a thief of the owner's session can create
 * for both.
 */
async function anOwnerWithUsers() {
  const owner = await anOwner();
  const session = { session: await stage.signIn(owner.email) };
  const client = await stage.aUser({ plan: 'starter' });
  const { attachToken } = (
    await call({ session: await stage.signIn(client.email) }, 'POST', '/auth/attach-token')
  ).json();
  await call(session, 'POST', '/workspace/users/attach', { userId: client.id, attachToken });
  const username = `managed-by-${owner.email}`;
  const { user } = (await call(session, 'POST', '/workspace/users', { username })).json();
  return { owner, session, client, managedId: user._id as string };
}

async function resetToken(email: string): Promise<string> {
  await stage.post('password/forgot', { email });
  return tokenFor(stage.app, email, 'reset_password');
}
const reset = async (email: string, more: object = { endAccess: true }) =>
  stage.post('password/reset', { token: await resetToken(email), newPassword, ...more });
const resetPage = async (email: string) => (await stage.open(`/reset-password?token=${await resetToken(email)}`)).body;

const worksAsKey = async (key: string) => (await call({ key }, 'GET', '/account-context')).statusCode === 200;
const opens = async (url: string) => (await stage.open(url)).statusCode === 200;
const eventsOf = async (userId: string) => (await stage.audit(userId)).map(({ event }) => event);
const webhooksOf = async (userId: string) => {
  const { rows } = await stage.database.pool.query('select from webhooks where user_id = $1', [userId]);
  return rows.length;
};

describe('a user who is taken into a workspace', () => {
  test('is mailed who the owner is, and how to end it', async () => {
    const { thief, victim } = await aTakenPerson();
    expect(await queuedMails(stage.app, victim.email, 'workspace_joined')).toEqual([
      {
        owner: thief.email.split('@')[0],
        ownerEmail: thief.email,
        at: stage.clock.now().toISOString(),
        settingsUrl: 'http://crier.test/settings/security',
        resetUrl: 'http://crier.test/forgot-password',
      },
    ]);
  });

  test('leaves it with a password reset that ends other access', async () => {
    const { thief, victim } = await aTakenPerson();
    const asThief = { key: thief.apiKey };
    expect(await resetPage(victim.email)).toContain(
      `Workspace of <strong>${thief.email.split('@')[0]} (${thief.email})</strong>`,
    );
    expect((await reset(victim.email)).statusCode).toBe(200);
    const acting = () => call(asThief, 'GET', '/list-posts', undefined, victim.id);
    await expect.poll(async () => (await acting()).statusCode, onceNotified).toBe(403);
    expect((await call(asThief, 'POST', `/workspace/users/${victim.id}/api-key`)).statusCode).toBe(404);
    expect(await eventsOf(victim.id)).toContain('member_detached');
    expect(await eventsOf(thief.id)).toContain('member_detached');
    expect((await stage.audit(victim.id)).find(({ event }) => event === 'password_reset')?.details).toMatchObject({
      memberships: 1,
    });
  });

  test('stays in it with a reset that leaves other access', async () => {
    const { thief, victim } = await aTakenPerson();
    expect((await reset(victim.email, {})).statusCode).toBe(200);
    const acting = await call({ key: thief.apiKey }, 'GET', '/list-posts', undefined, victim.id);
    expect(acting.statusCode).toBe(200);
  });
});

describe('a password reset of the owner of a workspace', () => {
  /** Everything that a session of the owner can leave behind. */
  async function leaveBehind({ session, client, managedId }: Awaited<ReturnType<typeof anOwnerWithUsers>>) {
    const keys: string[] = [];
    const links: string[] = [];
    for (const id of [client.id, managedId]) {
      keys.push((await call(session, 'POST', `/workspace/users/${id}/api-key`)).json().apiKey);
      const made = await call(session, 'POST', `/workspace/users/${id}/connection-url`, { expiresInDays: 3650 });
      links.push(made.json().url);
      expect((await call(session, 'POST', '/webhooks', hook, id)).statusCode).toBe(201);
    }
    expect((await call(session, 'POST', '/webhooks', hook)).statusCode).toBe(201);
    for (const key of keys) expect(await worksAsKey(key)).toBe(true);
    for (const link of links) expect(await opens(link)).toBe(true);
    return { keys, links };
  }

  test('that ends other access ends webhooks, and the keys, links and webhooks of managed users', async () => {
    const stageOf = await anOwnerWithUsers();
    const { owner, client, managedId } = stageOf;
    const { keys, links } = await leaveBehind(stageOf);
    const page = await resetPage(owner.email);
    expect(page).toContain('Webhook <strong>Thief at thief.example.com</strong>');
    for (const words of ['API keys', 'Connection links', 'Webhooks'])
      expect(page).toContain(`${words} of managed users: <strong>2</strong>`);
    expect((await reset(owner.email)).statusCode).toBe(200);
    for (const key of keys) await expect.poll(() => worksAsKey(key), onceNotified).toBe(false);
    for (const link of links) expect(await opens(link)).toBe(false);
    for (const id of [owner.id, client.id, managedId]) expect(await webhooksOf(id)).toBe(0);
    expect((await stage.audit(owner.id)).find(({ event }) => event === 'password_reset')?.details).toEqual({
      passkeys: 0,
      apiKeys: 1,
      webhooks: 1,
      memberships: 0,
      managedKeys: 2,
      managedLinks: 2,
      managedWebhooks: 2,
    });
    const made = (await stage.audit(owner.id)).filter(
      ({ event }) => /_created$/.test(event) && event !== 'member_created',
    );
    expect(new Set(made.slice(1).map(({ actor_kind }) => actor_kind)), 'made by a person, not by a key').toEqual(
      new Set(['user']),
    );
    const ended = ['api_key_revoked', 'connection_link_revoked', 'webhook_deleted'];
    for (const id of [owner.id, client.id, managedId])
      expect(await eventsOf(id)).toEqual(expect.arrayContaining(ended));
  });

  test('leaves the managed users, and what belongs to them alone', async () => {
    const stageOf = await anOwnerWithUsers();
    const { owner, client, managedId } = stageOf;
    await leaveBehind(stageOf);
    const session = { session: await stage.signIn(client.email) };
    const { rawKey } = (await call(session, 'POST', '/auth/api-keys', { name: 'Own' })).json().apiKey;
    expect((await reset(owner.email)).statusCode).toBe(200);
    expect([await worksAsKey(client.apiKey), await worksAsKey(rawKey)]).toEqual([true, true]);
    const again = { session: await stage.signIn(owner.email, newPassword) };
    const { users } = (await call(again, 'GET', '/workspace/users')).json();
    expect(users.map(({ _id }: { _id: string }) => _id).toSorted()).toEqual([client.id, managedId].toSorted());
  });

  test('that leaves other access leaves all of it', async () => {
    const stageOf = await anOwnerWithUsers();
    const { keys, links } = await leaveBehind(stageOf);
    expect((await reset(stageOf.owner.email, {})).statusCode).toBe(200);
    for (const key of keys) expect(await worksAsKey(key)).toBe(true);
    for (const link of links) expect(await opens(link)).toBe(true);
    expect(await webhooksOf(stageOf.managedId)).toBe(1);
  });
});

describe('while a password reset ends everything, nothing is made', () => {
  const during = async (email: string, other: () => Promise<LightMyRequestResponse>) => {
    const token = await resetToken(email);
    const set = () => stage.post('password/reset', { token, newPassword, endAccess: true });
    const [done, answer] = await whileTableIsLocked(stage.database.pool, 'mails', set, other);
    expect(done.statusCode).toBe(200);
    return answer;
  };
  const leftOf = async (userIds: string[]) => {
    const { rows } = await stage.database.pool.query(
      `select from api_keys where user_id = any ($1) and kind = 'current' and revoked_at is null union all
       select from connection_links where user_id = any ($1) union all select from webhooks where user_id = any ($1)`,
      [userIds],
    );
    return rows.length;
  };
  type Made = (caller: Caller, managedId: string) => Promise<LightMyRequestResponse>;
  const things: [string, Made][] = [
    ['a key of a managed user', (caller, id) => call(caller, 'POST', `/workspace/users/${id}/api-key`)],
    ['a connection link', (caller, id) => call(caller, 'POST', `/workspace/users/${id}/connection-url`)],
    ['a webhook', (caller) => call(caller, 'POST', '/webhooks', hook)],
    ['a webhook of a managed user', (caller, id) => call(caller, 'POST', '/webhooks', hook, id)],
    ['a managed user', (caller, id) => call(caller, 'POST', '/workspace/users', { username: `${id}@example.com` })],
  ];

  test.each(things)('%s, with a session that ends', async (_, make) => {
    const { owner, session, managedId } = await anOwnerWithUsers();
    expect((await during(owner.email, () => make(session, managedId))).statusCode).toBe(401);
    expect(await leftOf([owner.id, managedId])).toBe(0);
  });

  test.each(things)('%s, with an API key that ends', async (_, make) => {
    const { owner, managedId } = await anOwnerWithUsers();
    expect((await during(owner.email, () => make({ key: owner.apiKey }, managedId))).statusCode).toBe(401);
    expect(await leftOf([owner.id, managedId])).toBe(0);
  });

  test('a webhook at the dashboard, with a session that ends', async () => {
    const { owner, session } = await anOwnerWithUsers();
    const late = await during(owner.email, () => call(session, 'POST', '/dashboard/webhooks', hook));
    expect(late.statusCode).toBe(401);
    expect(await leftOf([owner.id])).toBe(0);
  });

  test('a webhook of a managed user, with a key of that user that ends', async () => {
    const { owner, session, managedId } = await anOwnerWithUsers();
    const { apiKey } = (await call(session, 'POST', `/workspace/users/${managedId}/api-key`)).json();
    const late = await during(owner.email, () => call({ key: apiKey }, 'POST', '/webhooks', hook));
    expect(late.statusCode).toBe(401);
    expect(await leftOf([managedId])).toBe(0);
  });

  test('a member, by the token of a session that ends', async () => {
    const [owner, victim] = [await anOwner(), await stage.aUser({ plan: 'starter' })];
    const attach = { userId: victim.id, userAccessToken: await stage.signIn(victim.email) };
    const late = await during(victim.email, () =>
      call({ key: owner.apiKey }, 'POST', '/workspace/users/attach', attach),
    );
    expect([late.statusCode, late.json().code]).toEqual([403, 'invalid_attach_consent']);
    expect(await eventsOf(victim.id)).not.toContain('member_attached');
  });
});
