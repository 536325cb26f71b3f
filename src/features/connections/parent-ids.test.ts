import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { deleteRemovedDeliveries } from '../webhooks/delivery/settle-queries.ts';
import { detachPosts } from './detach-queries.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

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
