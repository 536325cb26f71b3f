import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { currentCursor, readChanges, recordChanges } from './queries.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('a reader who has missed long events gets few of their bytes, and must reload', async () => {
  const { db, newId } = service.app;
  const eve = await service.aUser();
  await recordChanges(db, [eve.id]);
  const { cursor: after } = await currentCursor(db, [eve.id]);
  const emit = (count: number) =>
    service.database.pool.query(
      `insert into events (id, user_id, type, body, created_at)
       select $1 || n, $2, 'post.scheduled', repeat('x', 100000), now() from generate_series(1, $3) n`,
      [newId().slice(0, 20), eve.id, count],
    );
  const read = async () => {
    const wanted = [{ userId: eve.id, source: 'events' as const, after }];
    const { batches } = await readChanges(db, wanted, { limit: 2_001, maxBytes: 1_000_000 });
    const [{ changes, isLong } = { changes: [], isLong: false }] = batches;
    return { isLong, bytes: changes.reduce((sum, { body }) => sum + (body?.length ?? 0), 0) };
  };
  await emit(5);
  expect(await read()).toEqual({ isLong: false, bytes: 500_000 });
  await emit(50);
  expect(await read()).toEqual({ isLong: true, bytes: 900_000 });
});
