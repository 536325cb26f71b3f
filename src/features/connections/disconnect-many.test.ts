import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { dispatch } from '../publishing/lanes/dispatcher.ts';
import { detachPosts } from './detach-queries.ts';
import { disconnect } from './disconnect.ts';

let service: TestService;
let eve: TestUser;
beforeAll(async () => {
  service = await testService();
  eve = await service.aUser();
});
afterAll(() => service.close());

const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);
const attachedTo = async (id: string) =>
  (await query('select from platform_posts where connection_id = $1', id)).rowCount;
const connectionId = async (platformId: string): Promise<string> => {
  const sql = `select id from connections where user_id = $1 and platform || '-' || account_id = $2`;
  return (await query(sql, eve.id, platformId)).rows[0].id;
};

/** Posts of one connection that were published, or are due at a time. */
async function addPosts(platformId: string, count: number, status: 'published' | 'scheduled', at = '2030-01-01') {
  await query(
    `with posts as (
      insert into post_groups (id, user_id, content, status, processing_status, scheduled_at, platforms, target_count, open_targets)
      select substr(md5($1 || n), 1, 24), $2, 'x', $3::text, case $3::text when 'published' then 'finished' else 'pending' end, $4::timestamptz,
        array['mastodon'], 1, 1
      from generate_series(1, $5::integer) n returning id
    )
    insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status, posted_id)
    select posts.id, posts.id, $2, connections.id, platform, account_id, 0, 'x', $3::text,
      case $3::text when 'published' then posts.id end
    from posts, connections where user_id = $2 and platform || '-' || account_id = $6`,
    service.app.newId(),
    eve.id,
    status,
    at,
    count,
    platformId,
  );
}

test('disconnecting an account changes few of its posts; the others are detached later, in batches', async () => {
  const platformId = await eve.aConnection();
  const id = await connectionId(platformId);
  await addPosts(platformId, 1_200, 'published');
  await disconnect(service.app, { userId: eve.id }, platformId);
  expect(await attachedTo(id)).toBe(1_100);
  await detachPosts(service.app.db);
  expect(await attachedTo(id)).toBe(0);
});

test('a post that is created while its account is being disconnected neither waits nor fails', async () => {
  const platformId = await eve.aConnection();
  const id = await connectionId(platformId);
  const client = await service.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('delete from connections where id = $1', [id]);
    const post = { content: 'Just in time', platforms: [platformId], scheduledTime: '2030-01-01T00:00:00Z' };
    const created = await eve.call('POST', '/create-post', post);
    expect(created.status).toBe(200);
    await client.query('commit');
    await detachPosts(service.app.db);
    const { body } = await eve.call('GET', `/get-post/${created.body.postGroupId}`);
    expect(body).toMatchObject({ status: 'scheduled' });
    expect(await attachedTo(id)).toBe(0);
  } finally {
    client.release();
  }
});

test('due posts of a disconnected account return to draft before they are detached', async () => {
  const platformId = await eve.aConnection();
  const id = await connectionId(platformId);
  await addPosts(platformId, 120, 'scheduled', '2020-01-01');
  await disconnect(service.app, { userId: eve.id }, platformId);
  await dispatch(service.app);
  expect(await attachedTo(id)).toBe(20);
  const drafts = `select from post_groups join platform_posts on post_group_id = post_groups.id
    where connection_id = $1 and post_groups.status = 'draft'`;
  expect((await query(drafts, id)).rowCount).toBe(20);
});

test('a failed post of a disconnected account cannot be retried, whether or not it is detached', async () => {
  const platformId = await eve.aConnection();
  await addPosts(platformId, 120, 'published');
  const id = await connectionId(platformId);
  await query(
    `with failed as (
      update platform_posts set status = 'failed', posted_id = null, error = '{"code": "PLATFORM_UNAVAILABLE", "message": "x", "retryable": true}'
      where connection_id = $1 returning post_group_id
    )
    update post_groups set status = 'failed' from failed where id = post_group_id`,
    id,
  );
  await disconnect(service.app, { userId: eve.id }, platformId);
  const find = 'select post_group_id as id from platform_posts where connection_id = $1 limit 1';
  const attached = (await query(find, id)).rows[0].id;
  const retry = async () => {
    const { status, body } = await eve.call('POST', `/retry-post/${attached}`);
    return [status, body.error];
  };
  const before = await retry();
  await detachPosts(service.app.db);
  const after = await retry();
  expect(after).toEqual([409, expect.stringMatching(/connect/i)]);
  expect(after).toEqual(before);
});

test('the id of a deleted connection is forgotten an hour later, once no post refers to it', async () => {
  const platformId = await eve.aConnection();
  const id = await connectionId(platformId);
  await disconnect(service.app, { userId: eve.id }, platformId);
  const known = async () => (await query('select from parent_ids where id = $1', id)).rowCount;
  await detachPosts(service.app.db);
  expect(await known()).toBe(1);
  await query(`update parent_ids set removed_at = removed_at - interval '1 hour' where id = $1`, id);
  await detachPosts(service.app.db);
  expect(await known()).toBe(0);
});

test('a request that waits too long for a lock gets 503 with Retry-After', async () => {
  const platforms = [await eve.aConnection()];
  await query(`
    create function wait_too_long() returns trigger language plpgsql as
      $$ begin raise exception using errcode = 'lock_not_available'; end $$`);
  await query('create trigger wait_too_long before insert on post_groups execute function wait_too_long()');
  const { status, headers, body } = await eve.call('POST', '/create-post', { content: 'Hi', platforms });
  await query('drop trigger wait_too_long on post_groups');
  expect([status, headers['retry-after'], body.code]).toEqual([503, '1', 'LOCKED_TOO_LONG']);
});
