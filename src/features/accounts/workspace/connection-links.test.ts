import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { setAccess } from '../operator/switches.ts';
import { openLink } from './connection-links.ts';
import { listManagedUsers } from './workspace.ts';

const clock = testClock();
let service: TestService;
let owner: TestUser;
beforeAll(async () => {
  service = await testService({ clock });
  owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
});
afterAll(() => service.close());

let clients = 0;
async function aManagedUser(): Promise<string> {
  clients += 1;
  const { body } = await owner.call('POST', '/workspace/users', { username: `client${clients}@example.com` });
  return body.user._id;
}
const ask = (id: string, body?: unknown) => owner.call('POST', `/workspace/users/${id}/connection-url`, body);
const listed = async (id: string) => {
  const { users } = (await owner.call('GET', '/workspace/users')).body;
  const { connectionsPageUrl, connectionsPageTokenExpiresAt } = users.find((user: { _id: string }) => user._id === id);
  return [connectionsPageUrl, connectionsPageTokenExpiresAt];
};
const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString();
const tokenOf = (url: string) => url.split('/').at(-1)!;
const day = 86_400;

describe('[workspace.connection-url] POST /workspace/users/:userId/connection-url', () => {
  test('creates a link that is valid for 90 days, and the list shows it', async () => {
    const id = await aManagedUser();
    expect(await listed(id)).toEqual([null, null]);
    const answer = await ask(id.toUpperCase());
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        url: expect.stringMatching(/^http:\/\/crier\.test\/connect\/[A-Za-z0-9_-]{43}$/),
        tokenExpiresAt: inDays(90),
      },
    ]);
    expect(await listed(id)).toEqual([answer.body.url, answer.body.tokenExpiresAt]);
    const attached = await owner.call('POST', '/workspace/users/attach', { userId: id });
    expect(attached.body.user.connectionsPageUrl).toBe(answer.body.url);
  });

  test('returns the same link while it is valid, with its expiry unchanged', async () => {
    const id = await aManagedUser();
    const first = await ask(id, { expiresInDays: 2 });
    clock.advance({ seconds: day });
    expect((await ask(id, { expiresInDays: 30 })).body).toEqual(first.body);
    expect((await ask(id, { rotate: false })).body).toEqual(first.body);
    expect((await ask(id)).body).toEqual(first.body);
  });

  test('an expired link is neither returned nor listed', async () => {
    const id = await aManagedUser();
    const first = await ask(id, { expiresInDays: 1 });
    clock.advance({ seconds: day - 1 });
    expect((await listed(id))[0]).toBe(first.body.url);
    clock.advance({ seconds: 1 });
    expect(await listed(id)).toEqual([null, null]);
    const second = await ask(id);
    expect(second.body.url).not.toBe(first.body.url);
    expect(second.body.tokenExpiresAt).toBe(inDays(90));
  });

  test('rotate replaces a valid link', async () => {
    const id = await aManagedUser();
    const first = await ask(id);
    const second = await ask(id, { rotate: true, expiresInDays: 7 });
    expect(second.body.url).not.toBe(first.body.url);
    expect(second.body.tokenExpiresAt).toBe(inDays(7));
    expect(await listed(id)).toEqual([second.body.url, second.body.tokenExpiresAt]);
    const hash = createHash('sha256').update(tokenOf(first.body.url)).digest();
    const old = await sql`select 1 from connection_links where token_hash = ${hash}`.execute(service.app.db);
    expect(old.rows).toEqual([]);
  });

  test.each([
    ['half a day', 0.5, () => inDays(0.5)],
    ['a hundred years', 36_500, () => inDays(36_500)],
    ['more than any date can say', 1e300, () => '9999-12-31T23:59:59.999Z'],
  ])('accepts %s days', async (_, expiresInDays, end) => {
    const id = await aManagedUser();
    const { status, body } = await ask(id, { expiresInDays });
    expect([status, body.tokenExpiresAt]).toEqual([200, end()]);
    expect((await ask(id)).body).toEqual(body);
  });

  test.each(['0', '-1', '"30"', 'null', 'true', '[]', '1e999', '-0.0'])('refuses %s days', async (days) => {
    const answer = await ask(await aManagedUser(), `{"expiresInDays":${days}}`);
    expect([answer.status, answer.body]).toEqual([400, { error: 'expiresInDays must be a positive number' }]);
  });

  test.each(['"true"', '1', 'null'])('refuses %s for rotate', async (rotate) => {
    const answer = await ask(await aManagedUser(), `{"rotate":${rotate}}`);
    expect([answer.status, answer.body]).toEqual([400, { error: 'rotate must be true or false' }]);
  });

  test('many concurrent requests get the same link', async () => {
    const id = await aManagedUser();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
  });
});

describe('a stored link', () => {
  const stored = async (id: string) => {
    const link = service.app.db.selectFrom('connection_links').selectAll().where('user_id', '=', id);
    return link.executeTakeFirstOrThrow();
  };

  test('has a hash of its token, and the encrypted token', async () => {
    const id = await aManagedUser();
    const token = tokenOf((await ask(id)).body.url);
    const row = await stored(id);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row.token_hash).toEqual(createHash('sha256').update(token).digest());
  });

  test('with the encrypted token of another user is not used, and the next request creates a new link', async () => {
    const [id, other] = [await aManagedUser(), await aManagedUser()];
    const [mine, theirs] = [await ask(id), await ask(other)];
    const { token } = await stored(other);
    await service.app.db.updateTable('connection_links').set({ token }).where('user_id', '=', id).execute();
    expect(await listed(id)).toEqual([null, null]);
    const { url } = (await ask(id)).body;
    expect([mine.body.url, theirs.body.url]).not.toContain(url);
    expect((await listed(id))[0]).toBe(url);
  });

  test('is valid with a previous key, and not with a key that no longer exists', async () => {
    const id = await aManagedUser();
    const { url } = (await ask(id)).body;
    const { link } = (await listManagedUsers(service.app, owner.id)).find((user) => user.id === id)!;
    const newKey = sealingKey('ab'.repeat(32));
    const opened = (previous: (typeof newKey)[]) =>
      openLink({ ...service.app, sealingKeys: { current: newKey, previous } }, id, link);
    expect(opened([])).toBe(null);
    expect(opened([service.app.sealingKeys.current])?.url).toBe(url);
  });
});
