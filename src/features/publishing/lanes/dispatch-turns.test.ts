import { afterAll, beforeAll, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { dispatch } from './dispatcher.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

const scheduledTime = '2027-03-05T00:00:00Z';

async function schedule(user: TestUser, platforms: string[], content: string): Promise<string> {
  const { body } = await user.call('POST', '/create-post', { content, platforms, scheduledTime });
  return body.postGroupId;
}

/** Groups without posts that were due before those above. */
const breakMany = (user: TestUser, count: number) =>
  service.database.pool.query(
    `insert into post_groups (id, user_id, content, status, processing_status, scheduled_at, target_count, open_targets,
       created_at, updated_at, platforms)
     select 'f' || lpad(to_hex(n), 23, '0'), $1, 'Broken', 'scheduled', 'pending', timestamptz '2027-03-04T12:00:00Z', 1, 1,
       now(), now(), array['mastodon'] from generate_series(1, $2::int) n`,
    [user.id, count],
  );

async function groups(where: string, values: unknown[] = []): Promise<number> {
  const { rows } = await service.database.pool.query(
    `select count(*)::int as groups from post_groups where ${where}`,
    values,
  );
  return rows[0].groups;
}

test('a due post does not wait until the many posts of another user that cannot be published are drafts', async () => {
  const [eve, ann] = [await service.aUser(), await service.aUser()];
  const platforms = [await ann.aConnection()];
  const first = await schedule(ann, platforms, 'First');
  await breakMany(eve, 2_100);
  clock.advance({ seconds: 86_400 });
  const dispatchedAfter: Record<number, number> = {};
  const enough = new Error('enough');
  const ids = [first];
  const look = async () => {
    const drafts = await groups(`user_id = $1 and status = 'draft'`, [eve.id]);
    const dispatched = await groups(`id = any ($1) and processing_status = 'processing'`, [ids]);
    dispatchedAfter[drafts] = dispatched;
    if (drafts >= 40) throw enough;
    if (drafts < 20) return;
    const { body } = await ann.call('POST', '/create-post', { content: 'Meanwhile', platforms, publishNow: true });
    ids.push(body.postGroupId);
  };
  await expect(dispatch(service.app, look)).rejects.toBe(enough);
  expect(dispatchedAfter).toEqual({ 0: 1, 20: 1, 40: 2 });
});

test('all of them become drafts in the end', async () => {
  const eve = await service.aUser();
  await service.database.pool.query(`delete from post_groups where content = 'Broken'`);
  await breakMany(eve, 50);
  await dispatch(service.app);
  expect(await groups(`user_id = $1 and status = 'draft'`, [eve.id])).toBe(50);
});
