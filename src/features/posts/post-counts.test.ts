import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aWalker, countDifferences, create, foldedNow, stepsOf } from '../../../test/support/publishing/post-walk.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const tomorrow = '2027-03-05T05:06:07.000Z';
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

const aUser = () => aWalker(service);
const fold = () => foldedNow(service);
const differences = () => countDifferences(service);
const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;

describe('the counts of posts by status and platforms', () => {
  test('are right after everything that writes posts', async () => {
    const user = await aUser();
    const steps = stepsOf(service, tomorrow);
    const [first, second, bluesky, telegram] = user.targets;
    const newest = async (status: string) => {
      const found = 'select id from post_groups where user_id = $1 and status = $2 order by id desc limit 1';
      return (await query(found, [user.id, status]))[0]?.id ?? 'none';
    };
    const take = async (name: keyof typeof steps, targets: (string | undefined)[], status = 'draft') => {
      const before = await newest(status);
      await steps[name](
        user,
        targets.map((target) => target!),
        before,
      );
      expect([name, await differences()]).toEqual([name, []]);
      return { changed: before !== (await newest(status)) };
    };
    await take('draft', [first, bluesky]);
    await take('import', [bluesky, telegram]);
    expect(await take('toScheduled', [telegram, first])).toEqual({ changed: true });
    expect(await take('toDraft', [], 'scheduled')).toEqual({ changed: true });
    await take('changeTargets', [telegram]);
    await take('edit', []);
    await take('schedule', user.targets);
    await take('changeTargets', [bluesky], 'scheduled');
    await take('move', [], 'scheduled');
    await take('schedule', [first]);
    expect(await take('demote', [], 'scheduled')).toEqual({ changed: true });
    await take('publish', [first]);
    expect(await newest('published')).not.toBe('none');
    await take('publish', [bluesky]);
    // Longer than Crier is willing to wait.
    const tooLong = { network: 'mastodon', operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 7 * 3600 };
    await service.sandbox.control('POST', '/faults', tooLong);
    await take('publish', [second]);
    await service.sandbox.clearFaults();
    expect(await take('retry', [], 'failed')).toEqual({ changed: true });
    await take('fold', []);
    await take('hold', []);
    await take('publish', [first, bluesky]);
    await take('release', []);
    expect(await take('delete', [], 'published')).toEqual({ changed: true });
    expect(await take('deleteMany', [])).toEqual({ changed: true });
  });

  test('are those of every post while posts are created and the counts folded at the same time', async () => {
    const user = await aUser();
    let isCreating = true;
    const folding = [1, 2].map(async () => {
      while (isCreating) await fold();
    });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(user.targets.map((target) => create(user, [target], { scheduledTime: tomorrow })));
      const { body } = await user.call('GET', '/list-posts?status=scheduled');
      expect(body.pagination.totalItems).toBe(4 * (round + 1));
    }
    isCreating = false;
    await Promise.all(folding);
    expect(await differences()).toEqual([]);
  });

  test('are one row for each status and set of platforms after they were folded', async () => {
    const user = await aUser();
    const [first, second, third] = user.targets;
    for (const targets of [[first!], [second!], [first!, second!], [third!, first!], [first!, third!]])
      await create(user, targets);
    const rowsIn = (table: string) => query(`select * from ${table} where user_id = $1 order by platforms`, [user.id]);
    expect(await rowsIn('post_count_changes')).toHaveLength(5);
    await fold();
    expect(await rowsIn('post_count_changes')).toEqual([]);
    expect(await rowsIn('post_counts')).toMatchObject([
      { status: 'draft', platforms: ['bluesky', 'mastodon'], posts: '2' },
      { status: 'draft', platforms: ['mastodon'], posts: '3' },
    ]);
  });

  test('get one row from a statement, however many posts it changes, and none if it changes no count', async () => {
    const user = await aUser();
    for (let place = 0; place < 5; place += 1) await create(user, [user.targets[0]!]);
    await fold();
    const changes = () => query('select status, change from post_count_changes where user_id = $1', [user.id]);
    await query('update post_groups set updated_at = now(), version = version + 1 where user_id = $1', [user.id]);
    expect(await changes()).toEqual([]);
    await query(`update post_groups set status = 'failed' where user_id = $1`, [user.id]);
    expect((await changes()).toSorted((a, b) => a.change - b.change)).toEqual([
      { status: 'draft', change: -5 },
      { status: 'failed', change: 5 },
    ]);
  });

  test('make no writer wait for another one, or for a fold', async () => {
    const user = await aUser();
    await create(user, [user.targets[0]!]);
    await inOpenTransaction(
      `insert into post_groups (id, user_id, content, status, target_count, open_targets)
       values ('open', '${user.id}', 'x', 'failed', 0, 0)`,
      async () => {
        await withoutWaiting(
          sql`insert into post_groups (id, user_id, content, status, target_count, open_targets)
            values ('beside', ${user.id}, 'x', 'failed', 0, 0)`,
        );
        await fold();
        expect(await differences()).toEqual([]);
      },
    );
    await inOpenTransaction('select from post_count_changes for update; select from post_counts for update', () =>
      withoutWaiting(sql`update post_groups set status = 'published' where user_id = ${user.id}`),
    );
    expect(await differences()).toEqual([]);
  });

  test('are deleted with the user, and a fold beside it neither waits nor keeps them', async () => {
    const user = await aUser();
    await create(user, user.targets);
    await fold();
    await create(user, user.targets);
    await inOpenTransaction(`delete from users where id = '${user.id}'`, fold);
    await fold();
    const left = await query(
      'select 1 from post_counts where user_id = $1 union all select 1 from post_count_changes where user_id = $1',
      [user.id],
    );
    expect(left).toEqual([]);
  });
});

/** Runs `work` on other connections while the statement is uncommitted. */
async function inOpenTransaction(statement: string, work: () => Promise<unknown>) {
  const client = await service.database.pool.connect();
  try {
    await client.query(`begin; ${statement}`);
    await work();
    await client.query('commit');
  } finally {
    client.release(true);
  }
}

const withoutWaiting = (statement: ReturnType<typeof sql>) =>
  service.app.db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    await statement.execute(tx);
  });
