import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { TestUser } from '../../../test/support/service/service.ts';
import { type DeliveryStage, deliveryStage } from '../../../test/support/stages/webhooks.ts';
import { isBatch, readMigration } from '../../foundation/db/migrations.ts';
import { setAccess } from '../accounts/operator/switches.ts';

let stage: DeliveryStage;
let owner: TestUser;
beforeAll(async () => {
  stage = await deliveryStage();
  stage.start();
  owner = await stage.service.aUser();
  await setAccess(stage.service.app, owner.id, { workspace: true });
});
afterAll(() => stage.close());

interface Member extends TestUser {
  name: string;
  /** A call with the member's session. */
  ask: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => ReturnType<TestUser['call']>;
  join(): Promise<unknown>;
}

async function aMember(): Promise<Member> {
  const user = await stage.service.aUser({ plan: 'starter' });
  const { rows } = await stage.query('select email, name from users where id = $1', user.id);
  const signIn = async () => {
    const payload = { email: rows[0].email, password: 'long enough' };
    const answer = await stage.service.server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload });
    return { 'x-service-key': '', authorization: `Bearer ${answer.json().accessToken}` };
  };
  const ask: Member['ask'] = async (method, path, body) => user.call(method, path, body, await signIn());
  const join = async () => {
    const { attachToken } = (await ask('POST', '/auth/attach-token')).body;
    return owner.call('POST', '/workspace/users/attach', { userId: user.id, attachToken });
  };
  return { ...user, name: rows[0].name, ask, join };
}

/** The ways in which a membership ends. */
const endings: [string, (member: Member) => Promise<unknown>][] = [
  ['the member leaves', (member) => member.ask('POST', '/auth/leave-workspace')],
  ['the owner detaches the member', (member) => owner.call('DELETE', `/workspace/users/${member.id}`)],
];

const events = ['post.published'];
const actingFor = ({ id }: { id: string }) => ({ 'x-service-user-id': id });
const hookAt = (path: string) => ({ name: path, url: stage.receiver.url(path), events });
const namesOf = async (member: Member) =>
  (await member.ask('GET', '/webhooks')).body.webhooks.map(({ name }: { name: string }) => name).toSorted();

describe.each(endings)('when %s', (_, end) => {
  test('webhooks that the owner made receive nothing more, and those from before do', async () => {
    const member = await aMember();
    const [own, theirs] = [`/own-${member.id}`, `/owner-${member.id}`];
    await member.call('POST', '/webhooks', hookAt(own));
    await member.join();
    expect((await owner.call('POST', '/webhooks', hookAt(theirs), actingFor(member))).status).toBe(201);
    await stage.emit([1], { users: [member.id] });
    await eventually(() => expect(stage.receiver.received(theirs)).toHaveLength(1));
    await end(member);
    expect(await namesOf(member)).toEqual([own]);
    await stage.emit([2], { users: [member.id] });
    await eventually(() => expect(stage.receiver.received(own)).toHaveLength(2));
    await stage.idle();
    expect(stage.receiver.received(theirs)).toHaveLength(1);
  });

  test('webhooks whose address or secret the owner may know end, also those from before', async () => {
    const member = await aMember();
    const ids: Record<string, string> = {};
    for (const name of ['/moved', '/resealed', '/renamed'])
      ids[name] = (await member.call('POST', '/webhooks', hookAt(name))).body.webhook._id;
    await member.join();
    const acting = actingFor(member);
    await owner.call('PATCH', `/webhooks/${ids['/moved']}`, { url: stage.receiver.url('/elsewhere') }, acting);
    await owner.call('POST', `/webhooks/${ids['/resealed']}/regenerate-secret`, undefined, acting);
    await owner.call('PATCH', `/webhooks/${ids['/renamed']}`, { name: 'Renamed' }, acting);
    const made = await member.ask('POST', '/dashboard/webhooks', hookAt('/made-inside'));
    expect(made.status).toBe(201);
    await end(member);
    expect(await namesOf(member)).toEqual(['Renamed']);
  });

  test('approvals that no application has exchanged for a key end', async () => {
    const member = await aMember();
    await member.join();
    const [pending, used] = [randomBytes(32), randomBytes(32)];
    await stage.query(`insert into oauth_clients values ($1, 'App', '{}', null, now())`, member.id);
    for (const [hash, usedAt] of [[pending, null] as const, [used, stage.clock.now()] as const])
      await stage.query(
        `insert into oauth_codes (code_hash, grant_id, client_id, user_id, redirect_uri, code_challenge, resource, scopes,
          expires_at, used_at) values ($1, 'grant', $2, $2, '', '', '', '{}', now(), $3)`,
        hash,
        member.id,
        usedAt,
      );
    await end(member);
    const { rows } = await stage.query('select code_hash from oauth_codes where user_id = $1', member.id);
    expect(rows).toEqual([{ code_hash: used }]);
  });
});

test('a webhook that the owner makes or moves at the moment of the detach does not survive', async () => {
  for (let round = 0; round < 8; round += 1) {
    const member = await aMember();
    const { _id } = (await member.call('POST', '/webhooks', hookAt('/before'))).body.webhook;
    await member.join();
    const acting = actingFor(member);
    await Promise.all([
      owner.call('POST', '/webhooks', hookAt('/racing'), acting),
      owner.call('PATCH', `/webhooks/${_id}`, { url: stage.receiver.url('/racing') }, acting),
      owner.call('DELETE', `/workspace/users/${member.id}`),
    ]);
    const { webhooks } = (await member.ask('GET', '/webhooks')).body;
    expect(webhooks.filter(({ url }: { url: string }) => url.endsWith('/racing'))).toEqual([]);
  }
});

test('of webhooks that existed before, members keep those that have not changed since they joined', async () => {
  const [alone, member] = [await aMember(), await aMember()];
  for (const { call } of [alone, member]) {
    await call('POST', '/webhooks', hookAt('/kept'));
    await call('POST', '/webhooks', hookAt('/changed'));
  }
  stage.clock.advance({ seconds: 1 });
  await member.join();
  stage.clock.advance({ seconds: 1 });
  await stage.query(`update webhooks set updated_at = $1 where name = '/changed'`, stage.clock.now());
  await stage.query('update webhooks set during_membership = false');
  const { statements } = await readMigration('0021-webhook-turns.sql');
  await stage.query(statements.find(isBatch)!);
  const flags = async ({ id }: TestUser) =>
    (await stage.query('select name, during_membership from webhooks where user_id = $1', id)).rows
      .filter((row) => row.during_membership)
      .map(({ name }) => name);
  expect([await flags(alone), await flags(member)]).toEqual([[], ['/changed']]);
});

describe('the audit log has', () => {
  async function logOf(userId: string) {
    const { rows } = await stage.query(
      `select event, actor_kind, actor_id, details from audit_log
      where user_id = $1 and event like 'webhook%' order by id`,
      userId,
    );
    return rows;
  }
  const host = new URL('https://receiver.example:1').hostname;

  test('webhooks that are created, moved, resealed and deleted, and who did it', async () => {
    const member = await aMember();
    const { _id: byKey } = (await member.call('POST', '/webhooks', hookAt('/one'))).body.webhook;
    await member.call('PATCH', `/webhooks/${byKey}`, { url: 'https://elsewhere.example/secret-path' });
    await member.call('PATCH', `/webhooks/${byKey}`, { name: 'Not logged', isActive: false });
    const { secret } = (await member.ask('POST', `/webhooks/${byKey}/regenerate-secret`)).body;
    const { webhook } = (await member.ask('POST', '/dashboard/webhooks', hookAt('/two'))).body;
    await member.ask('PATCH', `/dashboard/webhooks/${webhook._id}`, { url: 'https://elsewhere.example/' });
    await member.call('DELETE', `/webhooks/${byKey}`);
    await member.call('DELETE', `/webhooks/${byKey}`);
    const [key, person] = [
      { actor_kind: 'api_key', actor_id: member.apiKey.split('.')[0] },
      { actor_kind: 'user', actor_id: member.id },
    ];
    const [one, two] = [{ webhookId: byKey }, { webhookId: webhook._id }];
    const log = await logOf(member.id);
    const at = expect.stringContaining(host);
    const moved = { host: 'elsewhere.example', previousHost: at };
    expect(log).toMatchObject([
      { event: 'webhook_created', ...key, details: { ...one, name: '/one', host: at } },
      { event: 'webhook_address_changed', ...key, details: { ...one, ...moved } },
      { event: 'webhook_secret_replaced', ...person, details: one },
      { event: 'webhook_created', ...person, details: two },
      { event: 'webhook_address_changed', ...person, details: { ...two, ...moved } },
      { event: 'webhook_deleted', ...key, details: { ...one, name: 'Not logged' } },
    ]);
    for (const hidden of [secret, 'secret-path']) expect(JSON.stringify(log)).not.toContain(hidden);
  });

  test('what the owner of a workspace does, on both sides, and what ends with the membership', async () => {
    const member = await aMember();
    await member.join();
    const before = (await logOf(owner.id)).length;
    const { _id: webhookId } = (await owner.call('POST', '/webhooks', hookAt('/managed'), actingFor(member))).body
      .webhook;
    await member.ask('POST', '/auth/leave-workspace');
    const key = { actor_kind: 'api_key', actor_id: owner.apiKey.split('.')[0] };
    expect((await logOf(owner.id)).slice(before)).toMatchObject([
      { event: 'webhook_created', ...key, details: { userId: member.id, webhookId } },
    ]);
    expect(await logOf(member.id)).toMatchObject([
      { event: 'webhook_created', actor_kind: 'workspace_owner', actor_id: owner.id, details: { webhookId } },
      { event: 'webhook_deleted', actor_kind: 'user', actor_id: member.id, details: { webhookId } },
    ]);
  });
});
