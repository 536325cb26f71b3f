import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('a user who asks for many long pages at once waits alone; another is answered before most of them', async () => {
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
