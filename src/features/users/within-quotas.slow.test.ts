import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { setQuotaLimits } from './within-quotas.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

test('counting what a user holds costs the same with 100,000 drafts and files', async () => {
  const [many, few] = [await service.aUser(), await service.aUser()];
  // Only the rows: their triggers do not run.
  const { db } = service.app;
  for (const table of ['post_groups', 'media']) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  }
  await db.transaction().execute(async (tx) => {
    await sql`insert into post_groups (id, user_id, content, status, target_count, open_targets)
      select 'many' || n, ${many.id}, 'x', 'draft', 1, 1 from generate_series(1, 100000) n`.execute(tx);
    await sql`insert into media (id, user_id, post_group_id, type, mime_type, source_file_name, status, bytes, created_at)
      select 'many' || n, ${many.id}, 'many' || n, 'image', 'image/png', 'a', 'uploading', 1, now()
      from generate_series(1, 100000) n`.execute(tx);
  });
  for (const table of ['post_groups', 'media']) {
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
  }
  const blocks = async (user: TestUser) =>
    db.transaction().execute(async (tx) => {
      await setQuotaLimits(tx, user.id);
      const change = sql`select change_quota_usage(${user.id}, 1, 1, 1, 1)`;
      await change.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>`
        explain (analyze, buffers, format json) ${change}`.execute(tx);
      return rows[0]!['QUERY PLAN'][0]!.Plan['Shared Hit Blocks']!;
    });
  const [ofFew, ofMany] = [await blocks(few), await blocks(many)];
  expect(ofMany).toBeLessThan(60);
  expect(Math.abs(ofMany - ofFew)).toBeLessThanOrEqual(5);
});
