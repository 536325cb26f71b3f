import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/service/app.ts';
import { waitingMails } from '../../../../test/support/service/queued-mail.ts';
import { type SealingKeys, seal, sealingKey, unseal, webhookSecretContext } from '../../../foundation/lib/seal.ts';
import { createUser } from '../../accounts/operator/users.ts';
import { queueMail } from '../../mail/mails.ts';
import { storeGrant } from '../connections.ts';
import { finishRotation, resealCredentials, sealingKeyIdsInUse } from './rotate-sealing-key.ts';
import { openCredentials } from './stored-credentials.ts';

const [old, current, foreign] = ['0d', 'ce', 'f0'].map((byte) => sealingKey(byte.repeat(32)));
if (!old || !current || !foreign) throw new Error('unreachable');
const before: SealingKeys = { current: old, previous: [] };
const during: SealingKeys = { current, previous: [old] };
const after: SealingKeys = { current, previous: [] };

let ours: TestApp;
let userId: string;
beforeEach(async () => {
  ours = await testApp({ sealingKeys: during });
  userId = (await createUser(ours.app, { email: 'ada@example.com', password: 'correct horse', plan: 'pro' })).id;
});
afterEach(() => ours.close());

test('credentials of older keys are sealed with the current key, in several batches', async () => {
  const names = Array.from({ length: 1_100 }, (_, index) => `a${index}`);
  for (const name of names) await connect(name, before);
  await connect('new', during);
  expect(await resealCredentials(ours.app)).toEqual({ resealed: 1_100, unreadable: 0 });
  expect(await opened(after)).toEqual(Object.fromEntries([...names, 'new'].map((name) => [name, `token of ${name}`])));
  expect(await resealCredentials(ours.app)).toEqual({ resealed: 0, unreadable: 0 });
});

test('the secrets of webhooks are resealed too, and until then their key counts as in use', async () => {
  const { app } = ours;
  const [id, context] = ['a'.repeat(24), webhookSecretContext('a'.repeat(24))];
  const values = { id, user_id: userId, name: 'Mine', url: 'https://hooks.example.com', events: ['post.failed'] };
  const times = { created_at: app.clock.now(), updated_at: app.clock.now() };
  const secret = seal('shown once', context, before);
  await app.db
    .insertInto('webhooks')
    .values({ ...values, ...times, secret })
    .execute();
  expect(await sealingKeyIdsInUse(app)).toEqual([before.current.id]);
  expect(await resealCredentials(app)).toEqual({ resealed: 1, unreadable: 0 });
  const stored = await app.db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow();
  expect(unseal(stored.secret, context, after)).toBe('shown once');
  expect(await sealingKeyIdsInUse(app)).toEqual([current.id]);
});

test('mails that wait are resealed too, and until then their key counts as in use', async () => {
  const { app } = ours;
  const data = { link: 'https://crier.example/reset?token=x' };
  await queueMail({ ...app, sealingKeys: before }, app.db, { to: 'ada@example.com', kind: 'reset_password', data });
  expect(await sealingKeyIdsInUse(app)).toEqual([before.current.id]);
  expect(await resealCredentials(app)).toEqual({ resealed: 1, unreadable: 0 });
  expect(await waitingMails({ ...app, sealingKeys: after })).toMatchObject([{ data }]);
  expect(await sealingKeyIdsInUse(app)).toEqual([current.id]);
  await app.db.updateTable('mails').set({ data: null, next_attempt_at: null }).execute();
  expect(await sealingKeyIdsInUse(app)).toEqual([]);
});

test('nothing else about a connection changes', async () => {
  await connect('ann', before);
  const columns = () => ours.app.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  const { credentials: sealedBefore, ...restBefore } = await columns();
  await resealCredentials(ours.app);
  const { credentials: sealedAfter, ...restAfter } = await columns();
  expect(restAfter).toEqual(restBefore);
  expect(sealedAfter).not.toBe(sealedBefore);
});

test('a connection renewed at the same time keeps its new credentials', async () => {
  await connect('ann', before);
  await connect('ben', before);
  let resealing: Promise<unknown> = Promise.resolve();
  await ours.app.db.transaction().execute(async (tx) => {
    await storeGrant({ ...ours.app, db: tx, sealingKeys: before }, userId, 'mastodon', grant('ann', 'renewed'));
    resealing = resealCredentials(ours.app);
    await someoneWaits();
  });
  await resealing;
  expect(await opened(after)).toEqual({ ann: 'renewed', ben: 'token of ben' });
});

test('scopes that a server names with characters PostgreSQL cannot hold are stored without them', async () => {
  await storeGrant(ours.app, userId, 'mastodon', { ...grant('odd', 'token'), scopes: ['read\0'] });
  const { scopes } = await ours.app.db.selectFrom('connections').select('scopes').executeTakeFirstOrThrow();
  expect(scopes).toEqual(['read\u{FFFD}']);
});

test('credentials that cannot be opened stay unchanged, and their key counts as in use', async () => {
  await connect('ann', before);
  await connect('lost', { current: foreign, previous: [] });
  await connect('damaged', before);
  await sql`update connections set credentials = credentials || 'x' where account_id = 'damaged'`.execute(ours.app.db);
  expect(await resealCredentials(ours.app)).toEqual({ resealed: 1, unreadable: 2 });
  const ids = await finishRotation(ours.app, async (_resealed, idsInUse) => idsInUse);
  expect([...ids].sort()).toEqual([current.id, old.id, foreign.id].sort());
});

test('a rotation waits for credentials that are being stored with an older key', async () => {
  await resealCredentials(ours.app);
  let settled: Promise<readonly string[]> = Promise.resolve([]);
  await ours.app.db.transaction().execute(async (tx) => {
    await storeGrant({ ...ours.app, db: tx, sealingKeys: before }, userId, 'mastodon', grant('late', 'token of late'));
    settled = finishRotation(ours.app, async (_resealed, idsInUse) => idsInUse);
    await someoneWaits();
  });
  expect(await settled).toEqual([current.id]);
  expect(await opened(after)).toEqual({ late: 'token of late' });
});

const grant = (id: string, token: string) => ({
  account: { id, handle: id, displayName: id, avatarUrl: null, profileUrl: null, traits: {} },
  credentials: { token },
  scopes: [],
  expiresAt: null,
});

const connect = (id: string, sealingKeys: SealingKeys) =>
  storeGrant({ ...ours.app, sealingKeys }, userId, 'mastodon', grant(id, `token of ${id}`));

async function opened(sealingKeys: SealingKeys): Promise<Record<string, unknown>> {
  const rows = await ours.app.db.selectFrom('connections').select(['account_id', 'credentials']).execute();
  const tokens = rows.map(({ account_id: accountId, credentials }) => {
    const { token } = openCredentials({ sealingKeys }, { userId, platform: 'mastodon', accountId, credentials }) as {
      token: string;
    };
    return [accountId, token];
  });
  return Object.fromEntries(tokens);
}

/** Waits until another connection is blocked by a lock that we hold. */
async function someoneWaits() {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      ours.database.db,
    );
    if (rows.length > 0) return;
  }
}
