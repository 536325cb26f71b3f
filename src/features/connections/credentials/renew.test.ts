import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { stringsIn } from '../../../foundation/lib/redact.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { twitter } from '../../../platforms/twitter/index.ts';
import { connectSandboxAccount } from '../connect/sandbox.ts';
import { findByAccount } from '../queries.ts';
import { connectionTasks } from '../tasks.ts';
import { ensureFreshCredentials } from './renew.ts';
import { resealCredentials } from './rotate-sealing-key.ts';
import { openCredentials } from './stored-credentials.ts';

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
const credentials = async (id: string) =>
  (await findByAccount(service.app.db, ada.id, 'twitter', id.replace('twitter-', '')))?.credentials;
const standing = async (id: string) =>
  (await ada.call('GET', '/platform-connections')).body.connections.find(
    ({ platformId }: { platformId: string }) => platformId === id,
  );

test('expired credentials are renewed once, by however many callers', async () => {
  const id = await anAccount();
  await expire(id);
  const before = await tokenCalls();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.call('POST', `/test-connection/${id}`)));
  expect(answers.map(({ body }) => body.status)).toEqual(Array(20).fill('ok'));
  expect((await tokenCalls()) - before).toBe(1);
});

test('a renewal does not believe a server about where the account is', async () => {
  const account = { platform: 'bluesky', handle: 'mover.pds.example.org' } as const;
  const { platformId } = await connectSandboxAccount(service.app, service.sandbox.url, ada.id, account);
  const stored = (await findByAccount(service.app.db, ada.id, 'bluesky', platformId.replace('bluesky-', '')))!;
  expect(openCredentials(service.app, stored)).toMatchObject({ pds: 'https://pds.example.org' });
  expect((await ada.call('POST', `/test-connection/${platformId}`)).body.status).toBe('ok');
});

test('credentials that the network refuses before their expiry are renewed, and work', async () => {
  const id = await anAccount();
  await fault({ kind: 'expired_token', operation: 'account' });
  const { body } = await ada.call('POST', `/test-connection/${id}`);
  expect(body).toMatchObject({ status: 'ok' });
});

test('renewed credentials are stored even if the database was unavailable for a while', async () => {
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
  await eventually(async () => expect((await tokenCalls()) - before).toBe(1));
  await query('drop trigger fail_storing on connections');
  expect((await testing).body.status).toBe('ok');
  expect((await ada.call('POST', `/test-connection/${id}`)).body.status).toBe('ok');
  expect((await tokenCalls()) - before).toBe(1);
});

test('credentials that are renewed while the sealing key is rotated are stored', async () => {
  const id = await anAccount();
  await expire(id);
  const { app } = service;
  const sealingKeys = { current: sealingKey('ab'.repeat(32)), previous: [app.sealingKeys.current] };
  const stored = async () => (await findByAccount(app.db, ada.id, 'twitter', id.replace('twitter-', '')))!;
  const before = await stored();
  /** Seals all credentials again between the response with the new ones and their storing. */
  const fetch: typeof globalThis.fetch = async (...request) => {
    const response = await app.platformAccess.fetch(...request);
    if (String(request[0]).includes('token')) await resealCredentials({ ...app, sealingKeys });
    return response;
  };
  const rotating = { ...app, sealingKeys, platformAccess: { ...app.platformAccess, fetch } };
  const signal = new AbortController().signal;
  const renewals = await Promise.all(
    // The second one waits for the first.
    [1, 2].map(() => ensureFreshCredentials(rotating, twitter, before, signal, 'if due')),
  );
  const fresh = openCredentials(rotating, await stored());
  expect(fresh).not.toEqual(openCredentials(rotating, before));
  expect(renewals.map((renewed) => openCredentials(rotating, renewed))).toEqual([fresh, fresh]);
  const { rows } = await service.database.pool.query(
    'select from connections where id = $1 and renewing_until is null',
    [before.id],
  );
  expect(rows).toHaveLength(1);
  // The other tests open them with the service's key.
  await service.database.pool.query('delete from connections where id = $1', [before.id]);
});

test('a temporary failure of the renewal does not flag the connection', async () => {
  const id = await anAccount();
  await expire(id);
  await fault({ kind: 'status', status: 503, operation: 'token' });
  const { body } = await ada.call('POST', `/test-connection/${id}`);
  expect(body.status).toBe('error');
  expect(await standing(id)).toMatchObject({ connectionStatus: 'active' });
  expect((await ada.call('POST', `/test-connection/${id}`)).body.status).toBe('ok');
});

test('a refusal flags the connection for reconnection, and a later success clears the flag', async () => {
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

test('the hourly task renews long-lived credentials in their last week, and no others', async () => {
  const { app, database } = service;
  const renew = connectionTasks(app).find(({ name }) => name === 'renew-credentials');
  const ids = [await anAccount(), await anAccount()];
  for (const [index, days] of [6, 8].entries()) {
    await database.pool.query(
      `update connections set updated_at = now() - interval '10 days', expires_at = now() + $1 * interval '1 day'
       where account_id = $2`,
      [days, ids[index]?.replace('twitter-', '')],
    );
  }
  const [before, calls] = [await Promise.all(ids.map(credentials)), await tokenCalls()];
  await renew?.run(new AbortController().signal);
  const after = await Promise.all(ids.map(credentials));
  expect(after.map((each, index) => each !== before[index])).toEqual([true, false]);
  expect((await tokenCalls()) - calls).toBe(1);
});

test('no response contains a secret', async () => {
  const id = await anAccount();
  await fault({ kind: 'status', status: 401, operation: 'account', times: 2 });
  const answers = [await ada.call('POST', `/test-connection/${id}`), await ada.call('GET', '/platform-connections')];
  const stored = await findByAccount(service.app.db, ada.id, 'twitter', id.replace('twitter-', ''));
  const secrets = stringsIn(openCredentials(service.app, stored!));
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret);
});
