import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('a user who asks for many long pages at the same time waits alone; another is answered before most of them', async () => {
  const [eve, ann] = [await service.aUser(), await service.aUser()];
  const platforms = [await eve.aConnection()];
  for (let i = 0; i < 10; i += 1) await eve.call('POST', '/create-post', { content: 'x'.repeat(300_000), platforms });
  const answered: string[] = [];
  const list = async (name: string, user: typeof eve) => {
    const { status } = await user.call('GET', '/list-posts');
    // The number of concurrent long responses per user is also limited.
    expect([200, 429]).toContain(status);
    answered.push(name);
  };
  const pages = Array.from({ length: 40 }, () => list('eve', eve));
  await Promise.all([...pages, list('ann', ann)]);
  expect(answered.indexOf('ann')).toBeLessThan(15);
});

test('an owner and all managed users can leave few long pages unread', async () => {
  const quick = await testService({ environment: { RATE_LIMITS: 'off' } });
  onTestFinished(() => quick.close());
  const [owner, one, other] = [await quick.aUser(), await quick.aUser(), await quick.aUser()];
  await quick.database.pool.query('update users set parent_user_id = $1 where id = any($2)', [
    owner.id,
    [one.id, other.id],
  ]);
  const platforms = [await one.aConnection()];
  // More than sockets take in.
  for (let i = 0; i < 20; i += 1) await one.call('POST', '/create-post', { content: '漢'.repeat(300_000), platforms });
  const base = await quick.server.listen({ port: 0, host: '127.0.0.1' });
  const unread = Array.from({ length: 4 }, () => {
    const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' });
    socket.pause().write(`GET /api/v1/list-posts HTTP/1.1\r\nhost: x\r\nx-service-key: ${one.apiKey}\r\n\r\n`);
    return socket.on('error', () => {});
  });
  const asked = async (user: typeof one) => (await user.call('GET', '/list-posts')).status;
  await expect.poll(() => asked(one)).toBe(429);
  expect([await asked(other), await asked(owner)]).toEqual([429, 429]);
  expect(await asked(await quick.aUser())).toBe(200);
  for (const socket of unread) socket.destroy();
  await expect.poll(() => asked(other)).toBe(200);
});
