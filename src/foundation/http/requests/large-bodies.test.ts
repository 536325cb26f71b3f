import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { setAccess } from '../../../features/accounts/operator/switches.ts';

let service: TestService;
beforeAll(async () => {
  // A rest of 1 ms per 1,000 characters.
  service = await testService({ environment: { RATE_LIMITS: '10' } });
});
afterAll(() => service.close());

const long = 'a'.repeat(200_000);

test('long texts of a user are taken one at a time, with a rest, and those of others meanwhile', async () => {
  const [eve, ada] = [await service.aUser(), await service.aUser()];
  const ended: string[] = [];
  const create = async (user: typeof eve, content: string, name: string) => {
    const { status } = await user.call('POST', '/create-post', { content, platforms: [] });
    ended.push(name);
    return status;
  };
  const began = performance.now();
  const statuses = await Promise.all([
    ...Array.from({ length: 4 }, () => create(eve, long, 'eve')),
    create(ada, long, 'ada'),
    create(eve, 'An ordinary text', 'eve, short'),
  ]);
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * 200);
  expect(ended.slice(-2)).toEqual(['eve', 'eve']);
});

test('more than 20 that wait are refused with the time to wait', async () => {
  const eve = await service.aUser();
  const body = { content: 'a'.repeat(150_000), platforms: [] };
  const answers = await Promise.all(Array.from({ length: 30 }, () => eve.call('POST', '/create-post', body)));
  const refused = answers.filter(({ status }) => status === 429);
  // Some of the others may have finished by the time the last one arrives.
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(9);
  expect(refused[0]!.body).toMatchObject({ code: 'RATE_LIMITED', retryAfterSec: 1 });
});

test('those of the managed users of an owner count together', async () => {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  const body = { content: 'a'.repeat(150_000), platforms: [] };
  const managed: string[] = [];
  for (let number = 0; number < 6; number += 1) {
    const made = await owner.call('POST', '/workspace/users', { username: `client${number}-${owner.id}@example.com` });
    managed.push(made.body.user._id);
  }
  const answers = await Promise.all(
    managed.flatMap((id) =>
      Array.from({ length: 5 }, () => owner.call('POST', '/create-post', body, { 'x-service-user-id': id })),
    ),
  );
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});

test('bodies are read at the pace of their caller, also those that are refused', async () => {
  const paced = await testService({ environment: { RATE_LIMITS: '1' } });
  onTestFinished(() => paced.close());
  const [eve, ada] = [await paced.aUser(), await paced.aUser()];
  const body = '['.repeat(500_000) + ']'.repeat(500_000);
  const began = performance.now();
  const refused = await Promise.all(Array.from({ length: 10 }, () => eve.call('POST', '/create-post', body)));
  const took = performance.now() - began;
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([413]));
  // 4 MB are read immediately, the other 6 at 2 MB a second.
  expect(took).toBeGreaterThanOrEqual(2_500);
  const asked = performance.now();
  expect((await ada.call('POST', '/create-post', body)).status).toBe(413);
  expect(performance.now() - asked).toBeLessThan(took);
});
