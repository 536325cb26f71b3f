import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import type { Who } from '../auth/access/api-key.ts';
import { deleteRemovedDeliveries } from '../webhooks/delivery/settle-queries.ts';
import { detachPosts } from './detach-queries.ts';
import { listConnectionsOfBrands } from './list-connections.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('the accounts of all brands of an owner are read by one request at a time', async () => {
  const { app, database } = service;
  const eve = await service.aUser({ plan: 'agency' });
  await eve.aConnection();
  await database.pool.query('update users set workspace_enabled = true where id = $1', [eve.id]);
  let [running, most] = [0, 0];
  const db = app.db.withPlugin({
    transformQuery: ({ node }) => {
      running += 1;
      most = Math.max(most, running);
      return node;
    },
    transformResult: async ({ result }) => {
      running -= 1;
      return result;
    },
  });
  const who = { userId: eve.id, ownerId: eve.id, workspaceOwnerId: eve.id, needs: [] } as unknown as Who;
  const lists = await Promise.all(Array.from({ length: 4 }, () => listConnectionsOfBrands({ ...app, db }, who)));
  expect(lists.map(({ connections }) => connections.length)).toEqual([1, 1, 1, 1]);
  expect(most).toBe(1);
});

test('all deleted connections and webhooks without rows are forgotten after an hour', async () => {
  const { app, database } = service;
  const eve = await service.aUser();
  for (const kind of ['connections', 'webhooks'])
    await database.pool.query(
      `insert into parent_ids (id, kind, user_id, removed_at)
       select $2 || lpad(to_hex(n), 16, '0'), $2, $1, now() - interval '2 hours' from generate_series(1, 2500) n`,
      [eve.id, kind],
    );
  await deleteRemovedDeliveries(app.db);
  await detachPosts(app.db);
  const { rows } = await database.pool.query('select 1 from parent_ids where removed_at is not null');
  expect(rows).toEqual([]);
});
