import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImage } from '../../../../test/support/files/media.ts';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { type MediaService, mediaService, signedIn } from '../../../../test/support/service/media-service.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { setAccess } from '../../accounts/operator/switches.ts';
import { findUser } from '../../accounts/operator/users.ts';
import { queueMail } from '../../mail/mails.ts';
import { eraseUser, type Progress } from './erase-user.ts';

let service: MediaService;
let png: Buffer;
beforeAll(async () => {
  service = await mediaService();
  png = (await anImage({ type: 'png' })).bytes;
});
afterAll(() => service.close());

const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;
const inAnHour = () => new Date(service.clock.now().getTime() + 3_600_000).toISOString();

/** A user with at least one of everything. */
async function aRichUser() {
  const user = await service.aUser();
  const target = await user.aConnection();
  const post = (content: string, more: object = {}) =>
    user.call('POST', '/create-post', { content, platforms: [target], ...more }, { 'idempotency-key': content });
  const hook = { name: 'Mine', url: 'https://hooks.example/', events: ['post.scheduled', 'post.published'] };
  await user.call('POST', '/webhooks', hook);
  await post(`Out ${user.id}`, { publishNow: true });
  await publishDue(service.app);
  await post(`Soon ${user.id}`, { scheduledTime: inAnHour() });
  const { key } = await service.aReadyFile(user, png);
  await signedIn(service, user);
  await expect.poll(() => lastCall(user)).toBe('/complete-media/{mediaFileId}');
  return { ...user, target, fileKey: key };
}

/** Calls are logged a second after they were made. */
async function lastCall({ id }: TestUser) {
  const [call] = await query('select path from request_log where user_id = $1 order by id desc limit 1', [id]);
  return call?.path;
}

/** The tables with rows of the user, and how many. */
async function rowsOf({ id }: TestUser): Promise<Record<string, number>> {
  const columns = await query(
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and (column_name in ('user_id', 'owner_id') or (table_name, column_name) = ('users', 'id'))`,
  );
  const found: Record<string, number> = {};
  for (const { table, column } of columns) {
    const [row] = await query(`select count(*)::int as count from ${table} where ${column} = $1`, [id]);
    if (row.count > 0) found[table] = row.count;
  }
  return found;
}
const erase = async (user: TestUser, tell: (progress: Progress) => void = () => {}) =>
  eraseUser(service.app, await findUser(service.app, user.id), tell);
const postsAt = async (text: string) =>
  (await service.sandbox.posts()).filter((post: { text: string }) => post.text.includes(text)).length;

test('everything that the user owns is deleted, also in the storage, and nothing of others', async () => {
  const [ada, eve] = [await aRichUser(), await aRichUser()];
  const before = await rowsOf(eve);
  expect(Object.keys(await rowsOf(ada))).toEqual(
    expect.arrayContaining([
      'api_keys',
      'auth_sessions',
      'connections',
      'events',
      'media',
      'post_logs',
      'request_log',
      'webhooks',
    ]),
  );
  expect(await erase(ada)).toEqual({ connections: 2, posts: 3, filesLeft: false });
  expect(Object.keys(await rowsOf(ada))).toEqual(['audit_log']);
  expect(await rowsOf(eve)).toEqual(before);
  expect(await query('select from webhook_deliveries where webhook_id not in (select id from webhooks)')).toEqual([]);
  expect(await service.storedKeys()).toEqual([eve.fileKey]);
  const entries = await query(
    `select event, details from audit_log where user_id = $1 and actor_kind = 'operator' order by id`,
    [ada.id],
  );
  expect(entries.slice(-4)).toMatchObject([
    { event: 'deactivated' },
    { event: 'connection_removed' },
    { event: 'connection_removed' },
    { event: 'deleted', details: { email: expect.stringContaining('@') } },
  ]);
  await expect.poll(async () => (await ada.call('GET', '/list-posts')).status).toBe(401);
});

test('mails to the user are deleted, also those that wait, and none to others', async () => {
  const [ada, eve] = [await service.aUser(), await service.aUser()];
  const emailOf = async ({ id }: TestUser) => (await findUser(service.app, id)).email;
  const [mine, hers] = [await emailOf(ada), await emailOf(eve)];
  for (const to of [mine, hers]) {
    await queueMail(service.app, service.app.db, {
      to,
      kind: 'password_changed',
      data: { at: '2027-03-04T05:06:07Z' },
    });
  }
  await erase(ada);
  const left = await query('select recipient from mails where recipient = any($1)', [[mine, hers]]);
  expect(left).toEqual([{ recipient: hers }]);
});

test('mails to the address that an owner typed for a managed user stay: they may be a stranger’s', async () => {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  const address = 'a-stranger@example.com';
  const { _id } = (await owner.call('POST', '/workspace/users', { username: address })).body.user;
  await queueMail(service.app, service.app.db, { to: address, kind: 'password_changed', data: { at: '2027-03-04' } });
  await eraseUser(service.app, await findUser(service.app, _id), () => {});
  expect(await query('select recipient from mails where recipient = $1', [address])).toHaveLength(1);
});

test('mails to an address that was confirmed while it runs are deleted, and none to the earlier one', async () => {
  const ada = await service.aUser();
  const { email: before } = await findUser(service.app, ada.id);
  const [after, data] = ['new-address-of-ada@example.com', { at: '2027-03-04T05:06:07Z' }];
  for (const to of [before, after]) {
    await queueMail(service.app, service.app.db, { to, kind: 'password_changed', data });
  }
  const found = await findUser(service.app, ada.id);
  await query('update users set email = $2 where id = $1', [ada.id, after]);
  await eraseUser(service.app, found, () => {});
  const left = await query('select recipient from mails where recipient = any($1)', [[before, after]]);
  expect(left).toEqual([{ recipient: before }]);
  const [entry] = await query(`select details from audit_log where user_id = $1 and event = 'deleted'`, [ada.id]);
  expect(entry.details).toEqual({ email: after });
});

test('nothing is published and no webhook is called while it runs', async () => {
  const ada = await aRichUser();
  let publishing = Promise.resolve();
  await erase(ada, () => {
    service.advance(7_200);
    publishing = publishing.then(() => publishDue(service.app));
  });
  await publishing;
  await publishDue(service.app);
  expect([await postsAt(`Out ${ada.id}`), await postsAt(`Soon ${ada.id}`)]).toEqual([1, 0]);
  expect(
    await query('select from webhook_deliveries where run_at is not null and body like $1', [`%${ada.id}%`]),
  ).toEqual([]);
});

test('a run that was interrupted is completed by the next one', async () => {
  const ada = await aRichUser();
  const crash = () => {
    throw new Error('The machine is switched off.');
  };
  await expect(erase(ada, crash)).rejects.toThrow('switched off');
  expect(await rowsOf(ada)).toMatchObject({ users: 1, post_groups: 3 });
  expect(await erase(ada)).toMatchObject({ connections: 0, posts: 3 });
  expect(Object.keys(await rowsOf(ada))).toEqual(['audit_log']);
});

test('a user with managed users stays', async () => {
  const owner = await service.aUser();
  await setAccess(service.app, owner.id, { workspace: true });
  await owner.call('POST', '/workspace/users', { username: `of-${owner.id}@example.com` });
  await expect(erase(owner)).rejects.toMatchObject({ key: 'user_has_managed_users' });
  expect((await owner.call('GET', '/list-posts')).status).toBe(200);
});
