import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Authenticator } from '../../../test/support/browser/authenticator.ts';
import { Browser } from '../../../test/support/browser/cookies.ts';
import { whileTableIsLocked } from '../../../test/support/database/locked-table.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { aMember, aPerson, type Person, signedInBrowser } from '../../../test/support/service/people.ts';
import { queuedMails } from '../../../test/support/service/queued-mail.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { testPassword } from '../../../test/support/service/user.ts';
import { fromBase32 } from '../../foundation/lib/base32.ts';
import { totpCode, totpStep } from '../../foundation/lib/totp.ts';
import { holdUser, releaseUser, setAccess } from '../accounts/operator/switches.ts';
import { makeResetLink, resetPassword } from '../accounts/recovery/password-reset.ts';
import { operatorActor } from '../audit/actors.ts';
import { dispatch } from '../publishing/lanes/dispatcher.ts';
import { eraseDueAccounts } from './erasure/erase-due.ts';
import { closeBrand, closeDue } from './queries.ts';

const origin = 'http://crier.test';
const day = 86_400;
const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock, publicUrl: origin, environment: { SIGN_UP: 'open' } });
});
afterAll(() => service.close());

const password = testPassword;
const leave = ({ browser }: Pick<Person, 'browser'>, proof: object = { password }) =>
  browser.post('/auth/deletion', proof);
const keep = ({ browser }: Pick<Person, 'browser'>) => browser.delete('/auth/deletion');
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
const deletionAtOf = async ({ browser }: Pick<Person, 'browser'>) =>
  (await browser.get('/auth/session')).json().deletionAt ?? null;
const eventsOf = async (userId: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query(
    `select event from audit_log where user_id = $1 and actor_kind <> 'system' order by id`,
    [userId],
  );
  return rows.map(({ event }) => event);
};
const sent = async (text: string) => (await service.sandbox.posts()).filter((post) => post.text.includes(text)).length;
const statusOf = async (user: Person, id: string) => {
  const { status, posts } = (await user.call('GET', `/get-post/${id}`)).body;
  return [status, posts[0].status];
};
async function scheduled(user: Pick<Person, 'call' | 'aConnection'>, content: string, seconds: number, more = {}) {
  const platforms = [await user.aConnection()];
  const post = { content, platforms, scheduledTime: inSeconds(seconds), ...more };
  return (await user.call('POST', '/create-post', post)).body.postGroupId as string;
}

describe('[dashboard-routes.delete-account] a person who deletes the account', () => {
  test('has seven days, gets a mail with the date, and is signed out elsewhere', async () => {
    const ada = await aPerson(service);
    const elsewhere = await signedInBrowser(service, ada.id);
    const answer = await leave(ada);
    expect([answer.statusCode, answer.json().deletionAt]).toEqual([200, inSeconds(7 * day)]);
    expect(await deletionAtOf(ada)).toBe(inSeconds(7 * day));
    expect((await elsewhere.get('/auth/session')).statusCode).toBe(401);
    expect(await queuedMails(service.app, ada.email, 'deletion_requested')).toMatchObject([
      { deletionAt: inSeconds(7 * day), keepUrl: `${origin}/signin`, resetUrl: `${origin}/forgot-password` },
    ]);
    expect((await eventsOf(ada.id)).slice(-2)).toEqual(['deletion_requested', 'session_ended']);

    // A repeated request neither moves the date nor sends another mail.
    clock.advance({ seconds: 60 });
    expect((await leave(ada)).json().deletionAt).toBe(answer.json().deletionAt);
    expect(await queuedMails(service.app, ada.email, 'deletion_requested')).toHaveLength(1);
  });

  test('can read, but changes nothing any more, with the session or a key', async () => {
    const ada = await aPerson(service);
    const target = await ada.aConnection();
    await leave(ada);
    const post = { content: 'Too late', platforms: [target] };
    const refused = { statusCode: 403, code: 'ACCOUNT_BEING_DELETED' };
    const outcome = async (answer: ReturnType<Browser['get']>) => {
      const { statusCode, json } = await answer;
      return { statusCode, code: json().code };
    };
    expect(await outcome(ada.browser.post('/create-post', post))).toEqual(refused);
    expect(await outcome(ada.browser.post('/auth/api-keys', { name: 'New' }))).toEqual(refused);
    expect(await outcome(ada.browser.request('PATCH', '/auth/profile', { name: 'New' }))).toEqual(refused);
    // The key was used before, so this also shows that its cached access ended.
    await expect.poll(async () => (await ada.call('POST', '/create-post', post)).status).toBe(403);
    expect((await ada.call('GET', '/list-posts')).status).toBe(200);
    expect((await ada.call('POST', '/validate-post', post)).status).toBe(200);
    expect((await ada.browser.get('/list-posts')).statusCode).toBe(200);
    expect((await ada.browser.delete('/auth/sessions')).statusCode).toBe(200);
  });

  test('can still end the access of keys and passkeys', async () => {
    const ada = await aPerson(service);
    const [{ _id }] = (await ada.browser.get('/auth/api-keys')).json().apiKeys;
    const { options } = (await ada.browser.post('/auth/passkeys/options')).json();
    const response = new Authenticator(origin).create(options);
    const { passkey } = (await ada.browser.post('/auth/passkeys', { name: 'Phone', response })).json();
    await leave(ada);
    expect((await ada.browser.delete(`/auth/api-keys/${_id}`)).statusCode).toBe(200);
    expect((await ada.browser.delete(`/auth/passkeys/${passkey._id}`)).statusCode).toBe(200);
    await expect.poll(async () => (await ada.call('GET', '/list-posts')).status).toBe(401);
  });

  test('keeps it: everything works again, and posts that were due meanwhile are drafts', async () => {
    const ada = await aPerson(service);
    const missed = await scheduled(ada, 'Missed', day);
    const later = await scheduled(ada, 'Later', 4 * day);
    await leave(ada);
    clock.advance({ seconds: day + 1 });
    await publishDue(service.app);
    const again = { ...ada, browser: await signedInBrowser(service, ada.id) };
    expect((await keep(again)).json()).toEqual({ message: 'The account stays', deletionAt: null });
    expect(await deletionAtOf(again)).toBeNull();
    expect(await queuedMails(service.app, ada.email, 'deletion_cancelled')).toHaveLength(1);
    expect((await eventsOf(ada.id)).at(-1)).toBe('deletion_cancelled');

    await publishDue(service.app);
    expect(await sent('Missed')).toBe(0);
    expect(await statusOf(ada, missed)).toEqual(['draft', 'draft']);
    const { rows } = await service.database.pool.query(
      `select error from post_logs where post_group_id = $1 and event = 'publish_held'`,
      [missed],
    );
    expect(rows).toEqual([{ error: expect.stringContaining('about to be deleted') }]);
    clock.advance({ seconds: 3 * day });
    await publishDue(service.app);
    expect([await sent('Later'), await statusOf(ada, later)]).toEqual([1, ['published', 'published']]);
    // Repeating it changes nothing.
    expect((await keep(again)).statusCode).toBe(200);
    expect(await queuedMails(service.app, ada.email, 'deletion_cancelled')).toHaveLength(1);
  });

  test('finds a post failed that a worker had taken, instead of late on the network', async () => {
    const ada = await aPerson(service);
    const id = await scheduled(ada, 'With a worker', 60);
    clock.advance({ seconds: 61 });
    await dispatch(service.app);
    await leave(ada);
    await publishDue(service.app);
    await keep(ada);
    await publishDue(service.app);
    expect([await sent('With a worker'), await statusOf(ada, id)]).toEqual([0, ['failed', 'failed']]);
  });

  test('finds a first comment failed that was due meanwhile', async () => {
    const ada = await aPerson(service);
    const firstComments = [{ text: 'A late remark', delaySeconds: 1800 }];
    const platforms = [await ada.aConnection()];
    const post = { content: 'Commented', platforms, publishNow: true, firstComments };
    const { postGroupId } = (await ada.call('POST', '/create-post', post)).body;
    await publishDue(service.app);
    await leave(ada);
    clock.advance({ seconds: 31 * 60 });
    await publishDue(service.app);
    await keep(ada);
    await publishDue(service.app);
    expect([await sent('Commented'), await sent('A late remark')]).toEqual([1, 0]);
    const { posts } = (await ada.call('GET', `/get-post/${postGroupId}`)).body;
    expect(JSON.stringify(posts[0])).toContain('about to be deleted');
  });

  test('takes the brands along: nothing of them is published, and their keys change nothing', async () => {
    const owner = await aPerson(service);
    await setAccess(service.app, owner.id, { workspace: true });
    const { _id } = (await owner.call('POST', '/workspace/users', { username: 'brand-of-a-leaver@example.com' })).body
      .user;
    const as = { 'x-service-user-id': _id };
    const { apiKey } = (await owner.call('POST', `/workspace/users/${_id}/api-key`, {})).body;
    await leave(owner);
    await expect
      .poll(async () => (await owner.call('POST', '/create-post', { content: 'x', platforms: [] }, as)).status)
      .toBe(403);
    const byBrand = await service.server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'x-service-key': apiKey.rawKey ?? apiKey },
      payload: { content: 'x', platforms: [] },
    });
    expect(byBrand.json().code).toBe('ACCOUNT_BEING_DELETED');
    const { rows } = await service.database.pool.query('select id from leaving_users() as leaving (id)');
    expect(rows).toEqual(expect.arrayContaining([{ id: owner.id }, { id: _id }]));
    await keep(owner);
  });
});

describe('[dashboard-routes.proof] a stolen session', () => {
  test('without the password neither deletes nor exports', async () => {
    const ada = await aPerson(service);
    for (const path of ['/auth/deletion', '/auth/export']) {
      const missing = await ada.browser.post(path, {});
      expect([missing.statusCode, missing.json().code]).toEqual([400, 'PASSWORD_REQUIRED']);
      const wrong = await ada.browser.post(path, { password: 'a wild guess' });
      expect([wrong.statusCode, wrong.json().code]).toEqual([403, 'PASSWORD_INCORRECT']);
    }
    expect(await deletionAtOf(ada)).toBeNull();
  });

  test('with the password needs a code too, if two-factor sign-in is on', async () => {
    const ada = await aPerson(service);
    const { secret } = (await ada.browser.post('/auth/two-factor/start', { password })).json();
    const code = (later: number) => totpCode(fromBase32(secret), totpStep(clock.now()) + later);
    await ada.browser.post('/auth/two-factor/confirm', { code: code(0) });
    clock.advance({ seconds: 30 });
    expect((await leave(ada)).json().code).toBe('TWO_FACTOR_CODE_REQUIRED');
    expect((await leave(ada, { password, code: '000000' })).json().code).toBe('TWO_FACTOR_CODE_INVALID');
    expect(await deletionAtOf(ada)).toBeNull();
    expect((await leave(ada, { password, code: code(0) })).statusCode).toBe(200);
  });

  test('has no way with an API key, from another site, or without a session', async () => {
    const ada = await aPerson(service);
    const cookie = [...ada.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = (headers: Record<string, string>) =>
      service.server.inject({ method: 'POST', url: '/api/v1/auth/deletion', headers, payload: { password } });
    expect((await send({ 'x-service-key': ada.apiKey })).statusCode).toBe(401);
    expect((await send({ cookie, origin: 'https://evil.example' })).json().code).toBe('ORIGIN_NOT_ALLOWED');
    expect((await leave({ browser: new Browser(service.server) })).statusCode).toBe(401);
    expect(await deletionAtOf(ada)).toBeNull();
  });

  test('is confirmed by a passkey of its user that is a day old, by no one else’s, and only once', async () => {
    const [ada, eve] = [await aPerson(service), await aPerson(service)];
    const authenticators = new Map<Person, Authenticator>();
    for (const person of [ada, eve]) {
      const authenticator = new Authenticator(origin);
      const { options } = (await person.browser.post('/auth/passkeys/options')).json();
      await person.browser.post('/auth/passkeys', { name: 'Phone', response: authenticator.create(options) });
      authenticators.set(person, authenticator);
    }
    const sign = async (person: Person, signer: Person) => {
      const { options } = (await person.browser.post('/auth/passkeys/sign-in/options')).json();
      return { passkey: authenticators.get(signer)!.get(options) };
    };
    const sessionsOf = async ({ browser }: Person) => (await browser.get('/auth/sessions')).json().sessions.length;
    const foreign = await leave(ada, await sign(ada, eve));
    expect([foreign.statusCode, foreign.json().code]).toEqual([400, 'PASSKEY_REFUSED']);
    expect([await deletionAtOf(ada), await deletionAtOf(eve), await sessionsOf(eve)]).toEqual([null, null, 1]);
    // A thief of a session that has just begun could have added it.
    const fresh = await leave(ada, await sign(ada, ada));
    expect([fresh.statusCode, fresh.json().error]).toEqual([400, expect.stringContaining('less than a day ago')]);
    expect([await deletionAtOf(ada), await sessionsOf(ada)]).toEqual([null, 1]);
    clock.advance({ seconds: day });
    const own = await sign(ada, ada);
    expect((await leave(ada, own)).statusCode).toBe(200);
    expect(await sessionsOf(ada)).toBe(1);
    await keep(ada);
    expect((await leave(ada, own)).json().code).toBe('PASSKEY_REFUSED');
  });
});

test('the only account is not deleted where a stranger could become the first user again', async () => {
  const closed = await testService({ clock, environment: { NETWORKS: 'live' } });
  try {
    const [ada, eve] = [await aPerson(closed), await aPerson(closed)];
    const answers = await Promise.all([leave(ada), leave(eve)]);
    expect(answers.map((answer) => answer.json().code ?? 200).sort()).toEqual([200, 'LAST_ACCOUNT'].sort());
  } finally {
    await closed.close();
  }
});

describe('when the seven days are over', () => {
  const erase = () => eraseDueAccounts(service.app);
  const exists = async (id: string) =>
    (await service.database.pool.query('select from users where id = $1', [id])).rows.length > 0;

  test('the account is erased with its brands, members who can sign in stay, and a mail says so', async () => {
    const owner = await aPerson(service);
    await setAccess(service.app, owner.id, { workspace: true });
    const member = await aMember(service, owner);
    const { _id } = (await owner.call('POST', '/workspace/users', { username: 'a-brand@example.com' })).body.user;
    await leave(owner);
    clock.advance({ seconds: 7 * day - 1 });
    await erase();
    expect(await exists(owner.id)).toBe(true);
    clock.advance({ seconds: 2 });
    await erase();
    expect([await exists(owner.id), await exists(_id), await exists(member.id)]).toEqual([false, false, true]);
    expect(await queuedMails(service.app, owner.email, 'account_deleted')).toHaveLength(1);
    expect((await owner.call('GET', '/list-posts')).status).toBe(401);
    expect((await member.call('GET', '/list-posts')).status).toBe(200);
    const { rows } = await service.database.pool.query(
      `select actor_kind from audit_log where user_id = $1 and event = 'deleted'`,
      [owner.id],
    );
    expect(rows).toEqual([{ actor_kind: 'system' }]);
  });

  test('a process that dies in the middle leaves the rest to the next run', async () => {
    const ada = await aPerson(service);
    for (let n = 0; n < 3; n += 1) await scheduled(ada, `Post ${n}`, 20 * day);
    await leave(ada);
    clock.advance({ seconds: 7 * day + 1 });
    const { pool } = service.database;
    await pool.query(
      `create function dies() returns trigger language plpgsql as 'begin raise exception $$dies$$; end'`,
    );
    await pool.query('create trigger dies before delete on post_groups for each row execute function dies()');
    await expect(erase()).rejects.toThrow('could not be erased');
    await pool.query('drop function dies cascade');
    expect(await exists(ada.id)).toBe(true);
    expect((await keep(ada)).statusCode).toBe(401);
    await erase();
    expect(await exists(ada.id)).toBe(false);
  });

  test('keeping it and erasing it at the same time has one outcome', async () => {
    for (let n = 0; n < 5; n += 1) {
      const ada = await aPerson(service);
      await leave(ada);
      clock.advance({ seconds: 7 * day - 1 });
      // The clock of the process that erases is two seconds ahead.
      const ahead = { ...service.app, clock: { now: () => new Date(clock.now().getTime() + 2_000) } };
      const [kept] = await Promise.all([keep(ada), eraseDueAccounts(ahead as never)]);
      expect(await exists(ada.id)).toBe(kept.statusCode === 200);
      if (kept.statusCode === 200) expect((await ada.call('GET', '/list-posts')).status).toBe(200);
    }
  });

  test('an account on hold waits until the hold ends', async () => {
    const ada = await aPerson(service);
    await leave(ada);
    await service.database.pool.query('update users set held_at = now() where id = $1', [ada.id]);
    clock.advance({ seconds: 7 * day + 1 });
    await erase();
    expect(await exists(ada.id)).toBe(true);
    // The hold may also begin while other accounts are being erased.
    expect(await closeDue(service.app.db, ada.id, clock.now())).toBeNull();
    await service.database.pool.query('update users set held_at = null where id = $1', [ada.id]);
    await erase();
    expect(await exists(ada.id)).toBe(false);
  });
});

describe('the brands of a person whose seven days are over', () => {
  const erase = () => eraseDueAccounts(service.app);
  const query = async (text: string, values: unknown[] = []) => (await service.database.pool.query(text, values)).rows;
  const rowOf = async (id: string) =>
    (await query('select is_active as active, parent_user_id as owner from users where id = $1', [id]))[0] ?? null;
  let made = 0;

  async function aLeaver(brands: number) {
    const owner = await aPerson(service);
    await setAccess(service.app, owner.id, { workspace: true });
    const ids: string[] = [];
    for (let n = 0; n < brands; n += 1) {
      made += 1;
      clock.advance({ seconds: 1 });
      const brand = { username: `brand-of-leaver-${made}@example.com` };
      ids.push((await owner.call('POST', '/workspace/users', brand)).body.user._id);
    }
    await leave(owner);
    clock.advance({ seconds: 7 * day + 1 });
    return { owner, ids: ids as [string, string, string, string] };
  }
  const hold = ([id]: string[]) => holdUser(service.app, id!, { reason: 'A court asked', until: null });

  test('are erased only if they are still its own when their turn comes, hours later', async () => {
    const { owner, ids } = await aLeaver(4);
    const [first, person, held, moved] = ids;
    const other = await aPerson(service);
    // What happens while the first brand is being erased.
    await query(`
      create function meanwhile() returns trigger language plpgsql as $$begin
        if old.id = '${first}' then
          insert into auth_accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
          values ('new', '${person}', '${person}', 'credential', 'a hash', now(), now());
          update users set held_at = now() where id = '${held}';
          update users set parent_user_id = '${other.id}' where id = '${moved}';
        end if;
        return null;
      end$$`);
    await query('create trigger meanwhile after delete on users for each row execute function meanwhile()');
    await erase();
    await query('drop function meanwhile cascade');
    expect(await Promise.all(ids.map(rowOf))).toEqual([
      null,
      { active: true, owner: owner.id },
      { active: true, owner: owner.id },
      { active: true, owner: other.id },
    ]);
    expect(await queuedMails(service.app, owner.email, 'account_deleted')).toEqual([]);
    await erase();
    expect(await rowOf(owner.id)).not.toBeNull();

    await releaseUser(service.app, held);
    await erase();
    expect(await Promise.all([owner.id, ...ids].map(rowOf))).toEqual([
      null,
      null,
      { active: true, owner: null },
      null,
      { active: true, owner: other.id },
    ]);
    expect(await queuedMails(service.app, owner.email, 'account_deleted')).toHaveLength(1);
  });

  test('make it wait while one of them is on hold', async () => {
    const { owner, ids } = await aLeaver(2);
    await hold(ids.slice(1));
    await erase();
    expect(await Promise.all([owner.id, ...ids].map(rowOf))).toMatchObject(Array(3).fill({ active: true }));
    expect(await closeDue(service.app.db, owner.id, clock.now())).toBeNull();
    expect(await closeBrand(service.app.db, owner.id, ids[1], clock.now())).toBeNull();
    await releaseUser(service.app, ids[1]);
    await erase();
    expect(await Promise.all([owner.id, ...ids].map(rowOf))).toEqual([null, null, null]);
  });

  test('wait for a hold that an operator is just storing', async () => {
    const { owner, ids } = await aLeaver(1);
    const closing = () => closeDue(service.app.db, owner.id, clock.now());
    expect(await whileLocked(ids[0], 'held_at = now()', closing)).toBeNull();
    await releaseUser(service.app, ids[0]);
    await erase();
  });

  test('stay with a person whose first password was being stored', async () => {
    const { owner, ids } = await aLeaver(1);
    const { reset } = await aFirstPassword(ids[0]);
    await whileTableIsLocked(service.database.pool, 'mails', reset, erase);
    expect(await Promise.all([owner.id, ids[0]].map(rowOf))).toEqual([null, { active: true, owner: null }]);
  });

  test('get no password any more once they are closed', async () => {
    const { ids } = await aLeaver(1);
    const { reset } = await aFirstPassword(ids[0]);
    const outcome = await whileLocked(ids[0], 'is_active = false', () => reset().catch(({ key }) => key));
    expect(outcome).toBe('link_token_invalid');
  });

  async function aFirstPassword(id: string) {
    const { link } = await makeResetLink(service.app, id, operatorActor());
    const token = new URL(link).searchParams.get('token')!;
    return { reset: () => resetPassword(service.app, { token, newPassword: password }, { ip: '192.0.2.1' }) };
  }

  /** The change is stored once `work` waits for it. */
  async function whileLocked<T>(id: string, change: string, work: () => Promise<T>): Promise<T> {
    const client = await service.database.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update users set ${change} where id = $1`, [id]);
      const working = work();
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => expect(await query(waiting)).toHaveLength(1));
      await client.query('commit');
      return await working;
    } finally {
      client.release(true);
    }
  }
});
