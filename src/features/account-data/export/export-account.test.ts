import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretWatch } from '../../../../test/support/secrets/watch.ts';
import { testApp, testServer } from '../../../../test/support/service/app.ts';
import { aMember, aPerson, type Person, signedInBrowser } from '../../../../test/support/service/people.ts';
import { queuedMails } from '../../../../test/support/service/queued-mail.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { testPassword as password } from '../../../../test/support/service/user.ts';
import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { holdUser, releaseUser, setAccess } from '../../accounts/operator/switches.ts';
import { accountDataRoutes } from '../routes.ts';
import { type ExportLimits, exportLimits } from './export-account.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
  await service.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => service.close());

const download = ({ browser }: Pick<Person, 'browser'>) => browser.post('/auth/export', { password });
const cookieOf = ({ browser }: Pick<Person, 'browser'>) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Starts an export over a real connection, and reads nothing of it. */
function begin(person: Person, { server } = service): Promise<{ answer: IncomingMessage; leave(): void }> {
  const { port } = server.server.address() as AddressInfo;
  const { promise, resolve, reject } = Promise.withResolvers<{ answer: IncomingMessage; leave(): void }>();
  const headers = { cookie: cookieOf(person), 'content-type': 'application/json' };
  const call = httpRequest({ port, path: '/api/v1/auth/export', method: 'POST', headers });
  call.once('response', (answer) => resolve({ answer, leave: () => call.destroy() })).once('error', reject);
  call.end(JSON.stringify({ password }));
  return promise;
}

/** Many megabytes, so that an export waits until someone reads it. */
async function aLargeAccount(drafts: number): Promise<Person> {
  const person = await aPerson(service);
  await service.database.pool.query(
    `insert into composer_drafts (user_id, id, version, draft, updated_at)
     select $1, lpad(n::text, 24, '0'), 1, json_build_object('text', repeat('x', 100000)), now() from generate_series(1, $2::int) n`,
    [person.id, drafts],
  );
  return person;
}

test('[dashboard-routes.export-account] a person downloads everything they own, with the brands, and gets a mail', async () => {
  const ada = await aPerson(service);
  await setAccess(service.app, ada.id, { workspace: true });
  const { _id } = (await ada.call('POST', '/workspace/users', { username: 'a-brand@example.com' })).body.user;
  await aMember(service, ada);
  await ada.call('POST', '/create-post', { content: 'Mine', platforms: [await ada.aConnection()] });
  const as = { 'x-service-user-id': _id };
  await ada.call('POST', '/create-post', { content: 'Of the brand', platforms: [] }, as);

  const answer = await download(ada);
  secretWatch.output('an export of an account', answer.body);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="crier-export-\d{4}-\d\d-\d\d\.json"$/),
    'cache-control': 'no-store',
  });
  const { user, postGroups, brands, managedUsers } = answer.json();
  expect(user).toMatchObject({ id: ada.id, email: ada.email, deletionAt: null });
  expect(postGroups).toMatchObject([{ content: 'Mine' }]);
  // The member is a person with a password: what they did is theirs alone.
  expect(brands).toMatchObject([{ user: { id: _id } }]);
  expect(managedUsers).toHaveLength(2);
  expect(answer.body).not.toContain('session_token');

  await download(ada);
  expect(await queuedMails(service.app, ada.email, 'data_exported')).toHaveLength(1);
  const { rows } = await service.database.pool.query(
    `select actor_kind from audit_log where user_id = $1 and event = 'exported'`,
    [ada.id],
  );
  expect(rows).toEqual([{ actor_kind: 'user' }, { actor_kind: 'user' }]);
});

test('[dashboard-routes.export-account] a brand on hold is left out, and the reason for an earlier hold is not for the owner', async () => {
  const ada = await aPerson(service);
  await setAccess(service.app, ada.id, { workspace: true });
  const aBrand = async (username: string) =>
    (await ada.call('POST', '/workspace/users', { username })).body.user._id as string;
  const [open, held, ended, released] = [
    await aBrand('open@example.com'),
    await aBrand('held@example.com'),
    await aBrand('ended@example.com'),
    await aBrand('released@example.com'),
  ];
  const reason = 'What the court wrote';
  await holdUser(service.app, held, { reason, until: null });
  await holdUser(service.app, ended, { reason, until: new Date(Date.now() - 60_000) });
  await holdUser(service.app, released, { reason, until: null });
  await releaseUser(service.app, released);
  const answer = await download(ada);
  const brands: { user: { id: string }; auditLog: object[] }[] = answer.json().brands;
  expect(brands.map(({ user }) => user.id).sort()).toEqual([open, ended, released].sort());
  expect(brands.find(({ user }) => user.id === released)!.auditLog).toMatchObject([
    { event: 'member_created' },
    { event: 'held', details: { until: null } },
    { event: 'released' },
  ]);
  expect(answer.body).not.toContain(reason);
});

test('one user has one export at a time, also in another process, and an abandoned one makes room', async () => {
  const ada = await aLargeAccount(200);
  const first = await begin(ada);
  expect(first.answer.statusCode).toBe(200);
  const second = await download(ada);
  expect([second.statusCode, second.json().code]).toEqual([409, 'EXPORT_IN_PROGRESS']);

  const other = await testApp({ database: service.database });
  const server = await buildServer(other.app);
  const elsewhere = { browser: await signedInBrowser({ ...service, app: other.app, server }, ada.id) };
  expect((await download(elsewhere)).json().code).toBe('EXPORT_IN_PROGRESS');
  // Others have their turns meanwhile.
  expect((await download(await aPerson(service))).statusCode).toBe(200);

  first.leave();
  // The service notices that the client has left, and ends its transaction.
  const outcome = async () => {
    const { answer, leave } = await begin(ada);
    leave();
    return answer.statusCode;
  };
  await expect.poll(outcome, { timeout: 30_000 }).toBe(200);
  await server.close();
  await other.close();
});

test('a large account is read only as fast as the client reads', async () => {
  const ada = await aLargeAccount(500);
  const before = process.memoryUsage().rss;
  const { answer } = await begin(ada);
  // The client reads nothing for a while.
  await sleep(2_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(35_000_000);
  let bytes = 0;
  for await (const piece of answer) bytes += piece.length;
  expect(bytes).toBeGreaterThan(50_000_000);
});

/** The export of this service, with short limits. The places are the same. */
async function hastyServer(limits: Partial<ExportLimits>) {
  const routes = (server: Server, app: App) =>
    accountDataRoutes(server, app, { ...exportLimits, turnMs: 300, ...limits });
  const server = await testServer(service.app, routes);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const attempt = async (person: Person) => {
    const headers = { cookie: cookieOf(person) };
    const answer = await server.inject({ method: 'POST', url: '/api/v1/auth/export', headers, payload: { password } });
    return [
      answer.statusCode,
      answer.headers['retry-after'],
      answer.statusCode === 200 ? undefined : answer.json().code,
    ];
  };
  return { server, attempt };
}
const busy = [429, '60', 'EXPORTS_BUSY'];
const allOf = async (answer: IncomingMessage) => {
  let bytes = 0;
  for await (const piece of answer) bytes += piece.length;
  return bytes;
};

test('[dashboard-routes.export-account] two that read slowly are ended, and others are told to wait until then', async () => {
  const { server, attempt } = await hastyServer({ anyPaceMs: 1_500, bytesPerSecond: 1_000_000_000 });
  const other = await aPerson(service);
  const slow = [await aLargeAccount(300), await aLargeAccount(300)];
  const begun = await Promise.all(slow.map((person) => begin(person, { ...service, server })));
  expect(await attempt(other)).toEqual(busy);
  await expect.poll(() => attempt(other), { timeout: 30_000 }).toEqual([200, undefined, undefined]);
  for (const { answer } of begun) await expect(allOf(answer)).rejects.toThrow('aborted');
  await server.close();
});

test('[dashboard-routes.export-account] of two that read slowly, one is ended earlier if someone waits for a place', async () => {
  const limits = { turnMs: 10_000, ownPaceMs: 1_000, wantedBytesPerSecond: 1_000_000_000 };
  const { server, attempt } = await hastyServer(limits);
  const slow = [await aLargeAccount(300), await aLargeAccount(300)];
  const begun = await Promise.all(slow.map((person) => begin(person, { ...service, server })));
  await sleep(2_500);
  // No one else wants the places.
  for (const person of slow) expect(await attempt(person)).toEqual([409, undefined, 'EXPORT_IN_PROGRESS']);
  expect(await attempt(await aPerson(service))).toEqual([200, undefined, undefined]);
  const outcomes = await Promise.allSettled(begun.map(({ answer }) => allOf(answer)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await server.close();
});

test('a workspace has one export at a time, whoever of it asks', async () => {
  const { server, attempt } = await hastyServer({});
  const owner = await aLargeAccount(300);
  await setAccess(service.app, owner.id, { workspace: true });
  const member = await aMember(service, owner);
  const { leave } = await begin(owner);
  expect(await attempt(member)).toEqual(busy);
  expect((await attempt(await aPerson(service)))[0]).toBe(200);
  leave();
  await server.close();
});

test('an export ends with the session that began it', async () => {
  const ada = await aLargeAccount(500);
  const { answer } = await begin(ada);
  await service.database.pool.query('delete from auth_sessions where user_id = $1', [ada.id]);
  await sleep(1_100);
  const all = async () => {
    let bytes = 0;
    for await (const piece of answer) bytes += piece.length;
    return bytes;
  };
  await expect(all()).rejects.toThrow('aborted');
});
