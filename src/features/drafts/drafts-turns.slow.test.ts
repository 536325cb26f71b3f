import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../test/support/database/postgres.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { listDrafts } from './drafts.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('a user who lists drafts many times at the same time leaves database connections to others', async () => {
  const [eve, ann] = [await service.aUser(), await service.aUser()];
  const client = await service.database.pool.connect();
  await client.query('begin');
  await client.query('lock table composer_drafts');
  const lists = Array.from({ length: 30 }, () =>
    listDrafts(service.app, { userId: eve.id, ownerId: eve.id, credential: null }, { page: 1, limit: 10 }),
  );
  await lockIsAwaited(service.database);
  const read = ann.call('GET', '/list-posts').then(({ status }) => status);
  const first = await Promise.race([read, setTimeout(3_000, 'late')]);
  await client.query('rollback');
  client.release();
  await Promise.all([...lists, read]);
  expect(first).toBe(200);
});
