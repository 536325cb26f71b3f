import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockIsAwaited } from '../../../test/support/database/postgres.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { testPassword } from '../../../test/support/service/user.ts';
import { systemActor } from '../audit/actors.ts';
import { revokeApiKey } from '../auth/api-keys/api-keys.ts';
import { inLiveSession } from '../auth/sessions/sessions.ts';
import { storeGrants } from '../connections/connect/store-grants.ts';
import { disconnect } from '../connections/disconnect.ts';
import { saveDraft } from '../drafts/drafts.ts';
import { openChangeFeed } from '../stream/change-feed.ts';

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
  fileId: string;
  /** 30 users that Eve manages. Takes another one each time. */
  aBrand(): string;
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
const settled = (work: Promise<unknown>) =>
  work.then(
    () => ({ status: 200 }),
    () => ({ status: 404 }),
  );
const ofUser = 'select from users where id = $1 for no key update';
const account = { handle: 'eve', displayName: 'Eve', avatarUrl: null, profileUrl: null, traits: {} };
const grantOf = (id: string) => ({ account: { ...account, id }, credentials: {}, scopes: [], expiresAt: null });
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
  ['posts for the next slot', ofOwner('slots'), (locked) => create(locked, { scheduledTime: 'next-slot' })],
  [
    'new composer drafts',
    `select pg_advisory_xact_lock(hashtextextended('composer_drafts ' || $1, 0))`,
    ({ eve }) =>
      saveDraft(service.app, { userId: eve.id, ownerId: eve.id, credential: null }, service.app.newId(), {
        version: 0,
        draft: {},
      }).then(() => ({ status: 200 })),
  ],
  [
    'composer drafts of managed users',
    `select pg_advisory_xact_lock(hashtextextended('composer_drafts ' || $1, 0))`,
    ({ eve, aBrand }) => {
      const writer = { userId: aBrand(), ownerId: eve.id, credential: null };
      return settled(saveDraft(service.app, writer, service.app.newId(), { version: 0, draft: {} }));
    },
  ],
  [
    'connections of managed users',
    ofOwner('plan'),
    ({ eve, aBrand }) => {
      const owner = { userId: aBrand(), ownerId: eve.id, credential: null };
      return settled(storeGrants(service.app, owner, 'mastodon', [grantOf(service.app.newId())]));
    },
  ],
  ['new managed users', ofUser, ({ eve }) => eve.call('POST', '/workspace/users', { username: anAddress() })],
  ['names of managed users', ofUser, ({ eve, aBrand }) => eve.call('PATCH', `/workspace/users/${aBrand()}`, named)],
  ['connection links', ofUser, ({ eve, aBrand }) => eve.call('POST', `/workspace/users/${aBrand()}/connection-url`)],
  ['keys of managed users', ofUser, ({ eve, aBrand }) => eve.call('POST', `/workspace/users/${aBrand()}/api-key`)],
  [
    'what outlives a session',
    ofUser,
    ({ eve }) => settled(inLiveSession(service.app, { userId: eve.id, sessionId: 'x' }, async () => {})),
  ],
  ['revoked keys', ofUser, ({ eve }) => settled(revokeApiKey(service.app, eve.id, 'x', systemActor))],
  ['sign-ins', ofUser, ({ eve }) => send('/auth/signin', eve, { password: testPassword })],
  ['links for a new password', ofUser, ({ eve }) => send('/auth/password/forgot', eve)],
  [
    'deletions from the library',
    'select from media where user_id = $1 for update',
    ({ eve, fileId }) => eve.call('DELETE', `/media/${fileId}`),
  ],
  [
    'changes of files',
    'select from media where user_id = $1 for update',
    ({ eve, fileId }) => eve.call('PATCH', `/media/${fileId}`, { labels: [service.app.newId()] }),
  ],
  [
    'files from the library',
    'select from media where user_id = $1 for update',
    ({ eve, id, fileId }) => eve.call('POST', `/post/${id}/media`, { mediaIds: [fileId] }),
  ],
  [
    'new event streams',
    rowsOf('stream_users'),
    ({ eve }) => settled(openChangeFeed(service.app).begin([eve.id], eve.id)),
  ],
  ['posts of a limited plan', ofOwner('plan'), (locked) => create(locked, { scheduledTime })],
];

async function send(path: string, { id }: TestUser, more: object = {}) {
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const payload = { email, ...more };
  return { status: (await service.server.inject({ method: 'POST', url: `/api/v1${path}`, payload })).statusCode };
}
const named = { displayName: 'Bakery' };
const anAddress = () => `${service.app.newId()}@example.com`;

/** Makes Eve the owner of a workspace with 30 users. */
async function makeBrands(eve: TestUser): Promise<Locked['aBrand']> {
  const { pool } = service.database;
  await pool.query('update users set workspace_enabled = true where id = $1', [eve.id]);
  await pool.query(
    `insert into users (id, email, name, plan, parent_user_id)
     select substr(md5($1 || n), 1, 24), $1 || n || '@example.com', 'Brand', 'pro', $1 from generate_series(1, 30) n`,
    [eve.id],
  );
  const { rows } = await pool.query('select id from users where parent_user_id = $1', [eve.id]);
  return () => rows.shift().id;
}

test.each(changes)('%s that wait for a lock leave connections to other owners', async (_title, lock, change) => {
  const plan = lock === ofOwner('plan') ? 'starter' : 'pro';
  const [eve, ann] = [await service.aUser({ plan }), await service.aUser()];
  const platforms = [await eve.aConnection()];
  const aBrand = await makeBrands(eve);
  const eves = await create({ eve, id: '', platforms, webhookId: '', fileId: '', aBrand }, { scheduledTime });
  await service.database.pool.query('insert into stream_users (user_id, expires_at) values ($1, now())', [eve.id]);
  const anns = await ann.call('POST', '/create-post', { content: 'Hi', platforms: [await ann.aConnection()] });
  const slots = [{ weekday: 1, time: '09:00' }];
  await eve.call('PUT', '/posting-slots', { timeZone: 'UTC', slots });
  const made = await eve.call('POST', '/webhooks', webhook);
  const file = await eve.call('POST', '/media', { fileName: 'a.png', contentType: 'image/png' });
  const locked = {
    eve,
    platforms,
    id: eves.body.postGroupId,
    webhookId: made.body.webhook?._id,
    fileId: file.body.mediaId,
    aBrand,
  };
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
