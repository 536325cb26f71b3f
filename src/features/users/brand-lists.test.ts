import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { setAccess } from '../accounts/operator/switches.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ clock: testClock() });
});
afterAll(() => service.close());

async function anOwner(): Promise<TestUser> {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  const add = `
    insert into users (id, email, name, plan, parent_user_id)
    select left(md5($1 || n), 24), $1 || n || '@example.com', 'Brand', 'pro', $1 from generate_series(1, 3) n`;
  await service.database.pool.query(add, [owner.id]);
  return owner;
}

test.each(['/labels', '/posting-slots', '/platform-connections', '/list-posts'])(
  'an owner has one list of all brands at a time, as of %s: 20 wait, more get 429, and those of others pass',
  async (path) => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const list = (user: TestUser) => user.call('GET', `${path}?brands=all`);
    // Once what was just made has been announced, and each list read, the keys need no query.
    await setTimeout(500);
    await expect.poll(async () => [(await list(owner)).status, (await list(other)).status]).toEqual([200, 200]);
    const lock = await service.database.pool.connect();
    await lock.query('begin; lock table users');
    const refused: unknown[] = [];
    const lists = Array.from({ length: 30 }, async () => {
      const { status, headers } = await list(owner);
      if (status !== 200) refused.push([status, headers['retry-after']]);
    });
    const ofOther = list(other);
    await expect.poll(() => refused).toEqual(Array.from({ length: 9 }, () => [429, '1']));
    await lock.query('commit');
    lock.release();
    expect((await ofOther).status).toBe(200);
    await Promise.all(lists);
    expect(refused).toHaveLength(9);
  },
);

test('a list of all brands that a client leaves makes room for the next one', async () => {
  const owner = await anOwner();
  const { port } = new URL(await service.server.listen({ port: 0, host: '127.0.0.1' }));
  const ask = `GET /api/v1/labels?brands=all HTTP/1.1\r\nhost: x\r\nx-service-key: ${owner.apiKey}\r\n\r\n`;
  for (let i = 0; i < 20; i += 1) {
    const socket = connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => {});
    socket.write(ask, () => socket.resetAndDestroy());
  }
  await expect.poll(async () => (await owner.call('GET', '/labels?brands=all')).status).toBe(200);
});
