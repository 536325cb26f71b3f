import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../test/support/database/postgres.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { disconnect } from '../connections/disconnect.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
const webhook = { name: 'One', url: 'https://example.com/hook', events: ['post.published'] };
const upload = { fileName: 'a.mp4', contentType: 'video/mp4' };

interface Locked {
  eve: TestUser;
  /** A post of Eve. */
  id: string;
  platforms: string[];
  webhookId: string;
}
const create = ({ eve, platforms }: Locked, more: object = {}) =>
  eve.call('POST', '/create-post', { content: 'Hi', platforms, ...more });

const ofPost = `select 1 from post_groups join platform_posts on post_group_id = post_groups.id
  where post_groups.user_id = $1 for update`;
const rowsOf = (table: string) => `select 1 from ${table} where user_id = $1 for update`;
const pause = { isActive: false };
const disconnected = (eve: TestUser, platformId: string) =>
  disconnect(service.app, { userId: eve.id }, platformId).then(
    () => ({ status: 200 }),
    () => ({ status: 404 }),
  );
const ofOwner = (what: string) => `select pg_advisory_xact_lock(hashtextextended('${what} of ' || $1, 0))`;

const changes: [title: string, lock: string, change: (locked: Locked) => Promise<{ status: number }>][] = [
  ['upload URLs', ofPost, ({ eve, id }) => eve.call('POST', '/get-upload-url', { ...upload, postGroupId: id })],
  ['edits', ofPost, ({ eve, id }) => eve.call('PUT', `/update-post/${id}`, { content: 'Hello' })],
  ['new times', ofPost, ({ eve, id }) => eve.call('POST', '/reschedule-posts', { postGroupIds: [id], byMinutes: 1 })],
  ['retries', ofPost, ({ eve, id }) => eve.call('POST', `/retry-post/${id}`)],
  ['deletions', ofPost, ({ eve, id }) => eve.call('DELETE', `/delete-post/${id}`)],
  ['new drafts', ofOwner('quotas'), (locked) => create(locked)],
  ['new labels', ofOwner('labels'), (locked) => create(locked, { scheduledTime, labels: [service.app.newId()] })],
  [
    'changes of a webhook',
    rowsOf('webhooks'),
    ({ eve, webhookId }) => eve.call('PATCH', `/webhooks/${webhookId}`, pause),
  ],
  ['deletions of a webhook', rowsOf('webhooks'), ({ eve, webhookId }) => eve.call('DELETE', `/webhooks/${webhookId}`)],
  ['disconnections', rowsOf('connections'), ({ eve, platforms }) => disconnected(eve, platforms[0]!)],
  ['new webhooks', ofOwner('webhooks'), ({ eve }) => eve.call('POST', '/webhooks', webhook)],
  ['posts of a limited plan', ofOwner('plan'), (locked) => create(locked, { scheduledTime })],
];

test.each(changes)('%s that wait for a lock leave connections to other owners', async (_title, lock, change) => {
  const plan = lock === ofOwner('plan') ? 'starter' : 'pro';
  const [eve, ann] = [await service.aUser({ plan }), await service.aUser()];
  const platforms = [await eve.aConnection()];
  const eves = await create({ eve, id: '', platforms, webhookId: '' }, { scheduledTime });
  const anns = await ann.call('POST', '/create-post', { content: 'Hi', platforms: [await ann.aConnection()] });
  const made = await eve.call('POST', '/webhooks', webhook);
  const locked = { eve, platforms, id: eves.body.postGroupId, webhookId: made.body.webhook?._id };
  const client = await service.database.pool.connect();
  await client.query('begin');
  await client.query(lock, [eve.id]);
  const waiting = Array.from({ length: 30 }, () => change(locked));
  await lockIsAwaited(service.database);
  // All of them have arrived by then.
  await setTimeout(500);
  const read = ann.call('GET', `/get-post/${anns.body.postGroupId}`).then(({ status }) => status);
  const first = await Promise.race([read, setTimeout(3_000, 'late')]);
  await client.query('rollback');
  client.release();
  await Promise.all([...waiting, read]);
  expect(first).toBe(200);
});
