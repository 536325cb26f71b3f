import { type CompiledQuery, Kysely, type KyselyPlugin, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { secretWatch } from '../../../../test/support/secrets/watch.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import type { DB } from '../../../foundation/db/schema.gen.ts';
import { createKey } from '../../accounts/operator/keys.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { findUser } from '../../accounts/operator/users.ts';
import { queueMail } from '../../mail/mails.ts';
import { exportUser } from './export-user.ts';

let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  service = await testService();
  ada = await service.aUser({ plan: 'pro' });
});
afterAll(() => service.close());

async function exported(userId: string) {
  const pieces = await Array.fromAsync(exportUser(service.app, userId, '\n'));
  secretWatch.output('an export', pieces.join(''));
  return JSON.parse(pieces.join(''));
}

/** Tables with user rows that are not exported, and why. */
const left = {
  account_choices: 'a step of connecting an account, for some minutes',
  oauth_codes: 'a step of approving an application, for a day; its key is exported',
  oauth_flows: 'a step of connecting an account, for some minutes',
  attach_tokens: 'consent to join a workspace, for some minutes',
  oauth_refresh_tokens: 'hashes of tokens; the key that they belong to is exported',
  auth_accounts: 'how a user signs in: a password hash',
  idempotency_keys: 'answers that were given already, for a day',
  deleted_posts: 'ids on the networks of posts that the user has deleted, for a week',
  linkedin_people: 'names of other people, for some days',
  invitations: 'people who are no users yet',
  email_changes: 'links for an hour, of which only hashes are stored',
  password_resets: 'links for an hour, of which only hashes are stored',
  events: 'the outbox of the webhook deliveries',
  brand_avatars: 'small copies of pictures that the owner of the workspace chose',
  changes: 'what the event stream tells, for an hour',
  stream_users: 'whether the event stream is in use',
  publish_lanes: 'the state of the worker',
  request_log_bodies: 'copies of calls for debugging, for a day',
  request_log_sizes: 'sums of what the export has',
  quota_usage: 'sums of what the export has',
  recovery_codes: 'how a user signs in: hashes of codes',
  sign_in_challenges: 'a step of signing in, for some minutes',
  parent_ids: 'the ids of what the export has',
  post_words: 'the words of texts that the export has',
  post_counts: 'sums of what the export has',
  post_count_changes: 'sums of what the export has',
  url_allowances: 'a counter, for an hour',
};
const parts = {
  api_keys: 'apiKeys',
  audit_log: 'auditLog',
  composer_drafts: 'composerDrafts',
  request_log: 'requests',
  auth_passkeys: 'passkeys',
  auth_sessions: 'sessions',
  known_devices: 'devices',
  two_factors: 'twoFactor',
  connection_links: 'connectionLinks',
  connections: 'connections',
  media: 'postGroups',
  platform_posts: 'postGroups',
  labels: 'labels',
  post_groups: 'postGroups',
  post_logs: 'postGroups',
  posting_slots: 'postingSlots',
  usage_counters: 'usage',
  users: 'managedUsers',
  webhooks: 'webhooks',
};

test('the export has a part for every table with rows of a user', async () => {
  const { rows } = await service.database.pool.query(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('user_id', 'owner_id', 'parent_user_id') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys({ ...left, ...parts }).sort());
  expect(Object.keys(await exported(ada.id))).toEqual(expect.arrayContaining(Object.values(parts)));
});

/** Columns of exported tables that are not exported, and why. `user_id` is the exported user in each of them. */
const leftColumns = {
  'secrets and their hashes': [
    'api_keys.key_hash',
    'auth_passkeys.credential_id',
    'auth_passkeys.public_key',
    'auth_sessions.token',
    'connection_links.token',
    'connection_links.token_hash',
    'connections.credentials',
    'known_devices.token_hash',
    'mails.data',
    'two_factors.secret',
    'webhooks.secret',
  ],
  'what the export has in another form': [
    'media.bytes',
    'platform_posts.account_id',
    'platform_posts.platform',
    'platform_posts.position',
    'post_groups.open_targets',
    'post_groups.platforms',
    'post_groups.published_targets',
    'post_groups.target_count',
    'webhook_deliveries.attempts',
  ],
  'ids that nothing else in the export names': [
    'auth_passkeys.id',
    'auth_sessions.id',
    'connections.id',
    'mails.id',
    'platform_posts.connection_id',
    'webhook_deliveries.event_id',
  ],
  'the user, or the owner of a managed one': [
    'platform_posts.reserved_owner_id',
    'request_log.owner_id',
    'usage_counters.owner_id',
  ],
  'how browsers and apps prove who signs in': [
    'auth_passkeys.aaguid',
    'auth_passkeys.counter',
    'auth_passkeys.transports',
    'two_factors.codes_refused_until',
    'two_factors.last_used_step',
    'two_factors.wrong_codes',
  ],
  'a setting that ends within an hour': ['users.log_bodies_until'],
  'the state of the service and its workers': [
    'connections.account_read_at',
    'connections.broken_notice_at',
    'connections.cool_down_until',
    'connections.expiry_announced_for',
    'connections.renewing_until',
    'connections.sandbox',
    'mails.next_attempt_at',
    'mails.once_key',
    'media.first_missing_at',
    'media.object_version',
    'media.receiving_bytes',
    'media.upload_url_expires_at',
    'platform_posts.claim_token',
    'platform_posts.rate_limited_since',
    'platform_posts.reserved_period',
    'platform_posts.run_at',
    'post_groups.processing_status',
    'post_groups.version',
    'webhook_deliveries.run_at',
    'webhooks.exhausted_events',
    'webhooks.is_slow',
    'webhooks.lease',
    'webhooks.leased_until',
    'webhooks.settling',
  ],
};

test('every column of an exported table is exported, or left for a reason', async () => {
  const { pool } = service.database;
  const queries: CompiledQuery[] = [];
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void queries.push(query) });
  const grace = await service.aUser();
  await grace.call('POST', '/create-post', { content: 'A draft', platforms: [await grace.aConnection()] });
  await Array.fromAsync(exportUser({ db, clock: service.app.clock }, grace.id, ''));

  const selects = queries.map(({ sql, parameters }) => ({
    text: sql.replace(/^\s*declare \S+ no scroll cursor for/, '').trim(),
    values: [...parameters],
  }));
  const answers = await Promise.all(
    selects.filter(({ text }) => /^select\b/.test(text)).map((each) => pool.query(each)),
  );
  // PostgreSQL names the column of a table that a column of an answer is.
  const fields = answers.flatMap((answer) => answer.fields);
  const { rows } = await pool.query(
    `select attrelid as table, attnum as number, attrelid::regclass || '.' || attname as name from pg_attribute
     where attrelid = any($1) and attnum > 0 and not attisdropped and attname <> 'user_id'`,
    [[...new Set(fields.map(({ tableID }) => tableID))]],
  );
  const exported = new Set(fields.map(({ tableID, columnID }) => `${tableID} ${columnID}`));
  const missing = rows.filter(({ table, number }) => !exported.has(`${table} ${number}`));
  expect(missing.map(({ name }) => name).sort()).toEqual(Object.values(leftColumns).flat().sort());
});

test('webhooks come with their deliveries, posts with media, threads and comments, and no secret', async () => {
  const { database } = service;
  const hook = { name: 'Mine', url: 'https://hooks.example/crier', events: ['post.published'] };
  const { webhook } = (await ada.call('POST', '/webhooks', hook)).body;
  const target = await ada.aConnection();
  const post = { content: 'Out', platforms: [target], publishNow: true, firstComment: { text: 'And on' } };
  const { postGroupId } = (await ada.call('POST', '/create-post', post)).body;
  await publishDue(service.app);
  const draft = { content: 'With a file', platforms: [target] };
  const { postGroupId: withFile } = (await ada.call('POST', '/create-post', draft)).body;
  const upload = { postGroupId: withFile, fileName: 'a.jpg', contentType: 'image/jpeg', altText: 'The harbour' };
  const { mediaId } = (await ada.call('POST', '/get-upload-url', upload)).body;
  await database.pool.query(
    `insert into webhook_attempts (id, delivery_id, at, duration_ms, status, answer)
     select 'attempt', id, now(), 12, 200, 'thanks' from webhook_deliveries where webhook_id = $1`,
    [webhook._id],
  );

  const document = await exported(ada.id);
  expect(document.webhooks).toMatchObject([{ id: webhook._id, ...hook, isActive: true }]);
  expect(document.webhookDeliveries).toMatchObject([
    { webhookId: webhook._id, event: 'post.published', postGroupId, attempts: [{ status: 200, answer: 'thanks' }] },
  ]);
  expect(document.usage).toMatchObject([{ platformId: target, used: 1 }]);
  expect(document.postGroups).toMatchObject([
    {
      id: postGroupId,
      platformPosts: [{ status: 'published', threadParts: [], firstCommentResults: [{}] }],
      media: [],
    },
    {
      id: withFile,
      mediaIds: [mediaId],
      media: [{ id: mediaId, sourceFileName: 'a.jpg', altText: 'The harbour', status: 'uploading' }],
    },
  ]);
  const { rows } = await database.pool.query('select secret from webhooks where id = $1', [webhook._id]);
  const { rows: kept } = await database.pool.query('select credentials from connections where user_id = $1', [ada.id]);
  for (const secret of [rows[0].secret, webhook.secret, kept[0].credentials, ada.apiKey]) {
    expect(secret).toEqual(expect.any(String));
    expect(JSON.stringify(document)).not.toContain(secret);
  }
});

test('the account comes with its role, keys with their limits, and the audit log, the oldest first', async () => {
  const grace = await service.aUser();
  await createKey(service.app, { user: grace.id, name: 'Narrow', scopes: ['read'], allowedAddresses: ['10.0.0.0/8'] });
  const document = await exported(grace.id);
  expect(document.user).toMatchObject({ role: 'user', apiAccess: true, mcpAccess: true });
  expect(document.apiKeys[1]).toMatchObject({
    name: 'Narrow',
    scopes: ['read'],
    allowedAddresses: ['10.0.0.0/8'],
    expiresAt: null,
  });
  expect(document.auditLog).toMatchObject([
    { event: 'api_key_created', actorKind: 'system', details: { name: 'Default' } },
    { event: 'api_key_created', actorKind: 'operator', address: null, details: { name: 'Narrow' } },
  ]);
});

test('mails to the address of the user are listed without their text, and none to others', async () => {
  const [grace, other] = [await service.aUser(), await service.aUser()];
  const emailOf = async (id: string) => (await findUser(service.app, id)).email;
  const data = { link: 'https://crier.example/reset-password?token=a-secret-token' };
  for (const { id } of [grace, other]) {
    await queueMail(service.app, service.app.db, { to: await emailOf(id), kind: 'reset_password', data });
  }
  const document = await exported(grace.id);
  expect(document.mails).toEqual([
    {
      kind: 'reset_password',
      recipient: await emailOf(grace.id),
      createdAt: expect.any(String),
      sentAt: null,
      attempts: 0,
      error: null,
    },
  ]);
  expect(JSON.stringify(document)).not.toContain('a-secret-token');
});

test('mails to the address of a managed user without a password are not in it: they may be a stranger’s', async () => {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  const address = 'typed-by-the-owner@example.com';
  const { _id } = (await owner.call('POST', '/workspace/users', { username: address })).body.user;
  await queueMail(service.app, service.app.db, {
    to: address,
    kind: 'reset_password',
    data: { link: 'https://c.example' },
  });
  expect((await exported(_id)).mails).toEqual([]);
});

test('drafts of the composer and the last API calls are in it', async () => {
  const { id, call } = await service.aUser();
  await call('GET', '/platform-limits');
  await service.database.pool.query(
    `insert into composer_drafts (user_id, id, version, draft, updated_at) values ($1, $2, 3, '{"text":"Begun"}', now())`,
    [id, service.app.newId()],
  );
  // Calls are stored a second after they were made.
  await expect.poll(async () => (await exported(id)).requests).toHaveLength(1);
  const { composerDrafts, requests } = await exported(id);
  expect(composerDrafts).toMatchObject([{ version: 3, draft: { text: 'Begun' } }]);
  expect(requests).toMatchObject([{ method: 'GET', path: '/platform-limits', status: 200, userId: id }]);
});

test('an owner’s export names the managed users, and theirs has the connection link without its token', async () => {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  const { body } = await owner.call('POST', '/workspace/users', { username: 'client@example.com' });
  const managedId: string = body.user._id;
  const { url } = (await owner.call('POST', `/workspace/users/${managedId}/connection-url`, {})).body;
  expect((await exported(owner.id)).managedUsers).toMatchObject([{ id: managedId, email: 'client@example.com' }]);
  const document = await exported(managedId);
  expect(document.connectionLinks).toMatchObject([{ expiresAt: expect.any(String) }]);
  expect(JSON.stringify(document)).not.toContain(new URL(url).pathname.split('/').at(-1));
});

test('long texts and many rows are read and written a few at a time', async () => {
  const { id, call, aConnection } = await service.aUser();
  const { pool } = service.database;
  const platforms = [await aConnection()];
  const posts: string[] = [];
  for (const content of ['First', 'Second']) {
    posts.push((await call('POST', '/create-post', { content, platforms })).body.postGroupId);
  }
  await pool.query('delete from platform_posts where user_id = $1', [id]);
  await pool.query(
    `insert into api_keys (id, user_id, kind, name, key_prefix, key_hash, revoked_at)
     select gen_random_uuid(), $1, 'dashboard', 'Old', 'sk_' || n, sha256(($1 || n)::bytea), now() from generate_series(1, 5000) n`,
    [id],
  );
  await pool.query(
    `insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status)
     select post || n, post, $2, 'mastodon', n, n, repeat('x', case when n > 60 then 300000 else 10 end), 'draft'
     from unnest($1::text[]) post, generate_series(1, 100) n`,
    [posts, id],
  );
  let largest = 0;
  const measuring: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      largest = Math.max(largest, JSON.stringify(result.rows).length);
      return result;
    },
  };
  const db = service.app.db.withPlugin(measuring);
  const chunks = await Array.fromAsync(exportUser({ db, clock: service.app.clock }, id, '\n'));
  expect(largest).toBeLessThan(1_000_000);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_000_000);
  const { postGroups, apiKeys } = JSON.parse(chunks.join(''));
  expect(apiKeys).toHaveLength(5_001);
  const found = postGroups.map((group: { id: string; platformPosts: { content: string }[] }) => [
    group.id,
    group.platformPosts.map(({ content }) => content.length),
  ]);
  const lengths = Array.from({ length: 100 }, (_, index) => (index < 60 ? 10 : 300_000));
  expect(found).toEqual(posts.map((post) => [post, lengths]));
});
