import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { stringsIn } from '../lib/redact.ts';
import { openCredentials } from './connections.ts';
import { findByAccount } from './queries.ts';
import { connectSandboxAccount } from './sandbox.ts';

let service: TestService;
let ada: TestUser;
let made = 0;
beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
});
afterAll(() => service.close());

const fault = (body: object) => service.sandbox.control('POST', '/faults', { network: 'twitter', ...body });
const tokenCalls = async () => {
  const requests = await service.sandbox.control<{ operation: string }[]>('GET', '/requests?network=twitter');
  return requests.filter(({ operation }) => operation === 'token').length;
};

async function anAccount() {
  made += 1;
  const { app } = service;
  const account = { platform: 'twitter', handle: `renewer${made}` } as const;
  return (await connectSandboxAccount(app, service.sandbox.url, ada.id, account)).platformId;
}

const expire = (id: string) =>
  service.database.pool.query(`update connections set expires_at = now() - interval '1 minute' where account_id = $1`, [
    id.replace('twitter-', ''),
  ]);
const standing = async (id: string) =>
  (await ada.call('GET', '/platform-connections')).body.connections.find(
    ({ platformId }: { platformId: string }) => platformId === id,
  );

test('credentials that ended are renewed once, however many want them', async () => {
  const id = await anAccount();
  await expire(id);
  const before = await tokenCalls();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.call('POST', `/test-connection/${id}`)));
  expect(answers.map(({ body }) => body.status)).toEqual(Array(20).fill('ok'));
  expect((await tokenCalls()) - before).toBe(1);
});

test('credentials that the network refuses before their time are renewed, and work', async () => {
  const id = await anAccount();
  await fault({ kind: 'expired_token', operation: 'account' });
  const { body } = await ada.call('POST', `/test-connection/${id}`);
  expect(body).toMatchObject({ status: 'ok' });
});

test('credentials that the network gave while the database was away are kept until it is back', async () => {
  const id = await anAccount();
  await expire(id);
  const query = (text: string) => service.database.pool.query(text);
  await query(`create function fail_storing() returns trigger language plpgsql as $$
    begin raise exception 'The database is away.' using errcode = '57P03'; end $$`);
  await query(
    'create trigger fail_storing before update of credentials on connections execute function fail_storing()',
  );
  const before = await tokenCalls();
  const testing = ada.call('POST', `/test-connection/${id}`);
  await vi.waitFor(async () => expect((await tokenCalls()) - before).toBe(1));
  await query('drop trigger fail_storing on connections');
  expect((await testing).body.status).toBe('ok');
  expect((await ada.call('POST', `/test-connection/${id}`)).body.status).toBe('ok');
  expect((await tokenCalls()) - before).toBe(1);
});

test('trouble while renewing is no refusal: the connection stays what it was', async () => {
  const id = await anAccount();
  await expire(id);
  await fault({ kind: 'status', status: 503, operation: 'token' });
  const { body } = await ada.call('POST', `/test-connection/${id}`);
  expect(body.status).toBe('error');
  expect(await standing(id)).toMatchObject({ connectionStatus: 'active' });
  expect((await ada.call('POST', `/test-connection/${id}`)).body.status).toBe('ok');
});

test('a definite refusal asks for a reconnection, and evidence to the contrary takes that back', async () => {
  const id = await anAccount();
  await fault({ kind: 'expired_token', operation: 'account', times: 1 });
  await fault({ kind: 'expired_token', operation: 'token', times: 1 });
  const { body } = await ada.call('POST', `/test-connection/${id}`);
  expect(body).toMatchObject({ status: 'error', permissions: [] });
  expect(await standing(id)).toMatchObject({
    connectionStatus: 'reconnect_required',
    tokenStatus: 'valid',
    lastError: { message: body.message, occurredAt: expect.any(String) },
  });
  expect((await ada.call('POST', `/test-connection/${id}`)).body.status).toBe('ok');
  expect(await standing(id)).toMatchObject({ connectionStatus: 'active' });
});

test('nothing secret is in an answer', async () => {
  const id = await anAccount();
  await fault({ kind: 'status', status: 401, operation: 'account', times: 2 });
  const answers = [await ada.call('POST', `/test-connection/${id}`), await ada.call('GET', '/platform-connections')];
  const stored = await findByAccount(service.app.db, ada.id, 'twitter', id.replace('twitter-', ''));
  const secrets = stringsIn(openCredentials(service.app, stored!));
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret);
});
