import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Authenticator } from '../../../../test/support/browser/authenticator.ts';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { lockIsAwaited } from '../../../../test/support/database/postgres.ts';
import {
  insertSecretRows,
  secretRows,
  secretTables,
  sessionTables,
  tablesWithRows,
} from '../../../../test/support/service/secret-rows.ts';
import { type AccountsStage, accountsStage } from '../../../../test/support/stages/accounts.ts';
import { isBatch, readMigration } from '../../../foundation/db/migrations.ts';
import { storeGrant } from '../../connections/connections.ts';
import { setAccess } from '../operator/switches.ts';

let stage: AccountsStage;
let owner: { id: string; apiKey: string };
beforeAll(async () => {
  stage = await accountsStage();
  owner = await stage.aUser();
  await setAccess(stage.app, owner.id, { workspace: true });
});
afterAll(() => stage.close());

const onceNotified = { interval: 20 };

function call(
  credential: { key: string } | { session: string },
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  actAs?: string,
) {
  const headers = {
    ...('key' in credential ? { 'x-service-key': credential.key } : { authorization: `Bearer ${credential.session}` }),
    ...(actAs && { 'x-service-user-id': actAs }),
  };
  return stage.server.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
}
const asOwner = (method: 'POST' | 'DELETE', path: string, payload?: object, actAs?: string) =>
  call({ key: owner.apiKey }, method, path, payload, actAs);

type Member = Awaited<ReturnType<typeof aMember>>;
/** A user who has signed in just now, with an access token that someone else may know. */
async function aMember() {
  const user = await stage.aUser({ plan: 'starter' });
  stage.clock.advance({ seconds: 60 });
  return { ...user, session: await stage.signIn(user.email) };
}
const asMember = ({ session }: Member, method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
  call({ session }, method, path, payload);

async function join({ id: userId }: Member, consent: object) {
  const answer = await asOwner('POST', '/workspace/users/attach', { userId, ...consent });
  expect([answer.statusCode, answer.json().alreadyInWorkspace]).toEqual([200, false]);
}
const joinWithAccessToken = (member: Member) => join(member, { userAccessToken: member.session });
const joinWithAttachToken = async (member: Member) =>
  join(member, { attachToken: (await asMember(member, 'POST', '/auth/attach-token')).json().attachToken });

const leave = async (member: Member) => {
  const answer = await asMember(
    { ...member, session: await stage.signIn(member.email) },
    'POST',
    '/auth/leave-workspace',
  );
  expect(answer.statusCode).toBe(200);
};
const detach = async ({ id }: Member) =>
  expect((await asOwner('DELETE', `/workspace/users/${id}`)).statusCode).toBe(200);
const endings = [
  ['the member leaves', leave],
  ['the owner detaches the member', detach],
] as const;

/** A passkey that anyone with this access token can add. */
async function addPasskey(session: string): Promise<Authenticator> {
  const authenticator = new Authenticator(stage.app.publicUrl);
  const browser = new Browser(stage.server);
  browser.cookies.set('crier.session_token', `${session}.x`);
  const { options } = (await browser.post('/auth/passkeys/options')).json();
  const added = await browser.post('/auth/passkeys', { name: 'Phone', response: authenticator.create(options) });
  expect(added.statusCode).toBe(200);
  return authenticator;
}

async function signsIn(authenticator: Authenticator): Promise<boolean> {
  const browser = new Browser(stage.server);
  const { options } = (await browser.post('/auth/passkeys/sign-in/options')).json();
  return (await browser.post('/auth/passkeys/sign-in', { response: authenticator.get(options) })).statusCode === 200;
}

const addKey = async (session: string, rules: object = {}) =>
  (await call({ session }, 'POST', '/auth/api-keys', { name: 'Key', ...rules })).json().apiKey as {
    _id: string;
    rawKey: string;
  };
const works = async (key: string) => (await call({ key }, 'GET', '/platform-connections')).statusCode === 200;

const addWebhook = async (session: string, name: string) => {
  const hook = { name, url: 'https://receiver.example.com/', events: ['post.published'] };
  expect((await call({ session }, 'POST', '/dashboard/webhooks', hook)).statusCode).toBe(201);
};
const webhooksOf = async ({ id }: Member) => {
  const { rows } = await stage.database.pool.query('select name from webhooks where user_id = $1 order by name', [id]);
  return rows.map(({ name }) => name);
};
/** A draft that the owner of the workspace makes for the member. */
async function aDraftOf({ id }: Member): Promise<string> {
  const account = { id, handle: 'ada', displayName: 'Ada', avatarUrl: null, profileUrl: null, traits: {} };
  const grant = { account, credentials: {}, scopes: [], expiresAt: null };
  const { platformId } = await storeGrant(stage.app, id, 'mastodon', grant);
  const draft = await asOwner('POST', '/create-post', { content: 'With media', platforms: [platformId] }, id);
  expect(draft.statusCode).toBe(200);
  return draft.json().postGroupId;
}

const eventsOf = async ({ id }: Member) => (await stage.audit(id)).map(({ event }) => event);

describe('the end of a membership', () => {
  const rows = secretRows({ now: () => stage.clock.now() });

  /** What is left of rows of each table from before and from the time in the workspace. */
  const fates: Record<string, [before: 'ends' | 'stays', during: 'ends' | 'stays']> = {
    auth_sessions: ['ends', 'ends'],
    email_changes: ['ends', 'ends'],
    attach_tokens: ['ends', 'ends'],
    oauth_codes: ['ends', 'ends'],
    oauth_flows: ['ends', 'ends'],
    account_choices: ['ends', 'ends'],
    connection_links: ['ends', 'ends'],
    api_keys: ['stays', 'ends'],
    // Useless without its key.
    oauth_refresh_tokens: ['stays', 'stays'],
    auth_passkeys: ['stays', 'ends'],
    webhooks: ['stays', 'ends'],
    // A passkey of the owner may have made the owner's device known.
    known_devices: ['stays', 'ends'],
    // These need the password, or the mail of the member.
    auth_accounts: ['stays', 'stays'],
    password_resets: ['stays', 'stays'],
    sign_in_challenges: ['stays', 'stays'],
    two_factors: ['stays', 'stays'],
    recovery_codes: ['stays', 'stays'],
    // They give access to other services, not to the account.
    connections: ['stays', 'stays'],
  };

  test('is considered for every table that holds something secret of a user', async () => {
    expect(Object.keys(fates).sort()).toEqual((await secretTables(stage.database)).sort());
  });

  test('ends everything that the owner can have made during it, and nothing of the member from before', async () => {
    const { pool } = stage.database;
    const left = async (when: 'before' | 'during') => {
      const member = await aMember();
      await insertSecretRows(stage.database, rows, member.id);
      await pool.query('update users set parent_user_id = $2 where id = $1', [member.id, owner.id]);
      if (when === 'during') {
        for (const table of ['api_keys', 'auth_passkeys', 'webhooks'])
          await pool.query(`update ${table} set during_membership = true where user_id = $1`, [member.id]);
      }
      for (const table of await sessionTables(stage.database))
        await pool.query(
          `update ${table} set session_id = (select id from auth_sessions where user_id = $1 limit 1) where user_id = $1`,
          [member.id],
        );
      await detach(member);
      return tablesWithRows(stage.database, Object.keys(fates), member.id);
    };
    const [before, during] = [await left('before'), await left('during')];
    const fateIn = (found: string[], table: string) => (found.includes(table) ? 'stays' : 'ends');
    expect(
      Object.fromEntries(Object.keys(fates).map((table) => [table, [fateIn(before, table), fateIn(during, table)]])),
    ).toEqual(fates);
  });
});

describe.each(endings)('when %s', (_, end) => {
  test('passkeys that were added with the access token of the member end, and those from before stay', async () => {
    const member = await aMember();
    const own = await addPasskey(member.session);
    stage.clock.advance({ seconds: 60 });
    member.session = await stage.signIn(member.email);
    await joinWithAccessToken(member);
    const ofOwner = await addPasskey(member.session);
    expect([await signsIn(own), await signsIn(ofOwner)]).toEqual([true, true]);
    await end(member);
    expect([await signsIn(own), await signsIn(ofOwner)]).toEqual([true, false]);
    expect((await eventsOf(member)).filter((event) => event === 'passkey_removed')).toHaveLength(1);
  });

  test('what was made with the access token before it was used to join ends, and what is older stays', async () => {
    const member = await aMember();
    const [ownKey, ownPasskey] = [await addKey(member.session), await addPasskey(member.session)];
    await addWebhook(member.session, 'own');
    stage.clock.advance({ seconds: 60 });
    member.session = await stage.signIn(member.email);
    const [key, passkey] = [await addKey(member.session), await addPasskey(member.session)];
    await addWebhook(member.session, 'of the owner');
    await joinWithAccessToken(member);
    await end(member);
    await expect.poll(() => works(key.rawKey), onceNotified).toBe(false);
    expect(await works(ownKey.rawKey)).toBe(true);
    expect([await signsIn(ownPasskey), await signsIn(passkey)]).toEqual([true, false]);
    expect(await webhooksOf(member)).toEqual(['own']);
  });

  test('everything from before stays if the member joined with an attach token', async () => {
    const member = await aMember();
    const [key, passkey] = [await addKey(member.session), await addPasskey(member.session)];
    await addWebhook(member.session, 'own');
    await joinWithAttachToken(member);
    await end(member);
    expect([await works(key.rawKey), await signsIn(passkey)]).toEqual([true, true]);
    expect(await webhooksOf(member)).toEqual(['own']);
  });

  test('a key from before that was given more rights ends, and one that was given fewer stays', async () => {
    const member = await aMember();
    const [wider, narrower] = [await addKey(member.session, { scopes: ['read'] }), await addKey(member.session)];
    await joinWithAttachToken(member);
    const change = (key: { _id: string }, rules: object) =>
      asMember(member, 'PATCH', `/auth/api-keys/${key._id}`, rules);
    expect((await change(wider, { scopes: null })).statusCode).toBe(200);
    expect((await change(narrower, { name: 'Website', scopes: ['read'] })).statusCode).toBe(200);
    await end(member);
    await expect.poll(() => works(wider.rawKey), onceNotified).toBe(false);
    expect(await works(narrower.rawKey)).toBe(true);
  });

  test('an upload address that the owner has accepts no file, and a file that arrived stays', async () => {
    const member = await aMember();
    await joinWithAttachToken(member);
    const postGroupId = await aDraftOf(member);
    const upload = async () => {
      const file = { postGroupId, fileName: 'x.png', contentType: 'image/png' };
      return (await asOwner('POST', '/get-upload-url', file, member.id)).json() as {
        mediaId: string;
        uploadUrl: string;
      };
    };
    const send = ({ uploadUrl }: { uploadUrl: string }) =>
      stage.server.inject({
        method: 'PUT',
        url: uploadUrl.replace(stage.app.publicUrl, ''),
        headers: { 'content-type': 'image/png' },
        payload: Buffer.from('not quite a picture'),
      });
    const [sent, open] = [await upload(), await upload()];
    expect((await send(sent)).statusCode).toBe(200);
    await end(member);
    expect((await send(open)).statusCode).toBe(410);
    const stateOf = async (id: string) =>
      (await stage.database.pool.query('select status, failure_code from media where id = $1', [id])).rows;
    expect(await stateOf(sent.mediaId)).toEqual([{ status: 'uploading', failure_code: null }]);
    expect(await stateOf(open.mediaId)).toEqual([{ status: 'failed', failure_code: 'MEDIA_UPLOAD_MISSING' }]);
  });
});

test('a passkey that is added at the moment of the detach does not survive', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await aMember();
    await joinWithAccessToken(member);
    const [added] = await Promise.allSettled([addPasskey(member.session), detach(member)]);
    if (added.status === 'fulfilled') expect(await signsIn(added.value)).toBe(false);
    const { rowCount } = await stage.database.pool.query('select from auth_passkeys where user_id = $1', [member.id]);
    expect(rowCount).toBe(0);
  }
});

test('of passkeys that existed before, members keep those from before they joined', async () => {
  const [alone, member] = [await aMember(), await aMember()];
  for (const { session } of [alone, member]) await addPasskey(session);
  stage.clock.advance({ seconds: 1 });
  await joinWithAttachToken(member);
  stage.clock.advance({ seconds: 1 });
  const inside = await addPasskey(member.session);
  await stage.database.pool.query('update auth_passkeys set during_membership = false');
  const { statements } = await readMigration('0030-access-guards.sql');
  for (const batch of statements.filter(isBatch)) await stage.database.pool.query(batch);
  const { rows } = await stage.database.pool.query(
    'select user_id, credential_id from auth_passkeys where during_membership',
  );
  expect(rows).toEqual([{ user_id: member.id, credential_id: inside.credentialId.toString('base64url') }]);
});

test('a key that the owner widened with the access token, before using it to join, ends as well', async () => {
  const user = await stage.aUser({ plan: 'starter' });
  stage.clock.advance({ seconds: 60 });
  const before = await stage.signIn(user.email);
  const made = await call({ session: before }, 'POST', '/auth/api-keys', { name: 'Reports', scopes: ['read'] });
  const { _id, rawKey: key } = made.json().apiKey;
  stage.clock.advance({ seconds: 60 });
  const member = { ...user, session: await stage.signIn(user.email) };
  expect((await asMember(member, 'PATCH', `/auth/api-keys/${_id}`, { scopes: null })).statusCode).toBe(200);
  await joinWithAccessToken(member);
  await detach(member);
  await expect.poll(async () => (await call({ key }, 'GET', '/list-posts')).statusCode, onceNotified).toBe(401);
});

describe('a request of the owner that waits while the membership ends', () => {
  /** Sends the request, which waits for the lock, and has the member leave before it goes on. */
  async function whileWaiting(lock: string, ask: (member: Member) => ReturnType<typeof call>) {
    const member = await aMember();
    await joinWithAttachToken(member);
    const holder = await stage.database.pool.connect();
    await holder.query('begin');
    await holder.query(lock);
    const asked = ask(member);
    await lockIsAwaited(stage.database);
    const session = await stage.signIn(member.email);
    expect((await call({ session }, 'POST', '/auth/leave-workspace')).statusCode).toBe(200);
    stage.clock.advance({ seconds: 5 });
    await holder.query('rollback');
    holder.release();
    const { statusCode, body } = await asked;
    return { statusCode, body };
  }

  test('reads nothing more', async () => {
    const answer = await whileWaiting('lock table post_groups', ({ id }) =>
      call({ key: owner.apiKey }, 'GET', '/list-posts', undefined, id),
    );
    expect(answer.statusCode).toBe(403);
    expect(answer.body).not.toContain('posts');
  });

  test('stores nothing, if it waited in the turns of the owner', async () => {
    const account = { id: '1', handle: 'ada', displayName: 'Ada', avatarUrl: null, profileUrl: null, traits: {} };
    const grant = { account, credentials: {}, scopes: [], expiresAt: null };
    const { platformId } = await storeGrant(stage.app, owner.id, 'mastodon', grant);
    const { postGroupId } = (await asOwner('POST', '/create-post', { content: 'Own', platforms: [platformId] })).json();
    const lock = `select from post_groups where id = '${postGroupId}' for update`;
    const answer = await whileWaiting(lock, async ({ id }) => {
      const file = { fileName: 'x.png', contentType: 'image/png' };
      // Both turns of the owner wait for the post, and the third request waits for a turn.
      const own = [1, 2].map(() => asOwner('POST', '/get-upload-url', { postGroupId, ...file }));
      await lockIsAwaited(stage.database);
      await setTimeout(200);
      const late = await asOwner('POST', '/media', file, id);
      expect((await Promise.all(own)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
      return late;
    });
    expect(answer.statusCode).toBe(403);
  });
});
