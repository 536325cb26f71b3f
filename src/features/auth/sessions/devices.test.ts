import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, iphone } from '../../../../test/support/browser/cookies.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { unseal } from '../../../foundation/lib/seal.ts';
import { mailContext } from '../../mail/mails.ts';
import { sessionRoutes } from '../sign-in/routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, sessionRoutes);
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

let people = 0;
async function aPerson() {
  people += 1;
  const email = `person${people}@example.com`;
  const { id } = await insertTestUser(ours.app, { email, plan: 'pro' });
  return { id, email };
}

async function mailsTo(email: string) {
  const rows = await ours.app.db.selectFrom('mails').selectAll().where('recipient', '=', email).orderBy('id').execute();
  return rows.map(({ id, kind, data }) => ({
    kind,
    data: JSON.parse(unseal(data ?? '', mailContext(id), ours.app.sealingKeys)),
  }));
}

const failuresOf = (userId: string) =>
  ours.app.db
    .selectFrom('audit_log')
    .selectAll()
    .where('user_id', '=', userId)
    .where('event', '=', 'sign_in_failed')
    .execute();

describe('a mail about a new sign-in', () => {
  test('is sent for a device that the account did not use before, and not for the first one', async () => {
    const { email } = await aPerson();
    await new Browser(server).signIn(email, testPassword);
    expect(await mailsTo(email)).toEqual([]);
    await new Browser(server, { address: '203.0.113.7', userAgent: iphone }).signIn(email, testPassword);
    expect(await mailsTo(email)).toEqual([
      {
        kind: 'new_sign_in',
        data: { at: clock.now().toISOString(), address: '203.0.113.7', device: 'Safari on iPhone' },
      },
    ]);
  });

  test('is not sent for a known device at a new address, or a program that keeps no cookies', async () => {
    const { email, id } = await aPerson();
    const browser = new Browser(server);
    await browser.signIn(email, testPassword);
    browser.address = '203.0.113.8';
    await browser.signIn(email, testPassword);
    for (let day = 0; day < 3; day += 1) await new Browser(server).signIn(email, testPassword);
    expect(await mailsTo(email)).toEqual([]);
    const devices = await ours.app.db.selectFrom('known_devices').select('address').where('user_id', '=', id).execute();
    expect(devices.map(({ address }) => address).sort()).toEqual(['192.0.2.1', '203.0.113.8']);
  });

  test('is sent to each account of a shared device once', async () => {
    const [ada, ben] = [await aPerson(), await aPerson()];
    await new Browser(server, { address: '203.0.113.20' }).signIn(ada.email, testPassword);
    await new Browser(server, { address: '203.0.113.21' }).signIn(ben.email, testPassword);
    const shared = new Browser(server, { userAgent: iphone });
    for (const { email } of [ada, ben, ada, ben]) await shared.signIn(email, testPassword);
    expect([await mailsTo(ada.email), await mailsTo(ben.email)].map((mails) => mails.length)).toEqual([1, 1]);
  });

  test('is not sent for a wrong password', async () => {
    const { email } = await aPerson();
    await new Browser(server).signIn(email, testPassword);
    await new Browser(server, { address: '203.0.113.9' }).signIn(email, 'a guess');
    expect(await mailsTo(email)).toEqual([]);
  });
});

describe('the device cookie', () => {
  test('is HttpOnly and SameSite, lasts 400 days, and only its hash is stored', async () => {
    const { email } = await aPerson();
    const browser = new Browser(server);
    const answer = await browser.signIn(email, testPassword);
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies.find((line) => line.startsWith('crier.device'))).toMatch(
      /^crier\.device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const stored = JSON.stringify(await ours.app.db.selectFrom('known_devices').selectAll().execute());
    expect(stored).not.toContain(browser.cookies.get('crier.device'));
  });

  test('is Secure over https, and signs nobody in', async () => {
    const { email } = await aPerson();
    const secure = await testApp({ clock, database: ours.database, publicUrl: 'https://crier.example' });
    const secureServer = await testServer(secure.app, sessionRoutes);
    const browser = new Browser(secureServer);
    const answer = await browser.signIn(email, testPassword);
    expect(`${answer.headers['set-cookie']}`).toMatch(
      /__Secure-crier\.device=[^;]+; [^,]*HttpOnly; Secure; SameSite=Lax/,
    );
    browser.cookies.delete('__Secure-crier.session_token');
    expect((await browser.get('/auth/session')).statusCode).toBe(401);

    // Over https, a cookie without the prefix may have been injected by someone on the network path, whose device
    // would become known.
    const given = new Browser(secureServer);
    given.cookies.set('crier.device', browser.cookies.get('__Secure-crier.device')!);
    const { email: other } = await aPerson();
    await given.signIn(other, testPassword);
    expect(given.cookies.get('__Secure-crier.device')).not.toBe(given.cookies.get('crier.device'));
    await secureServer.close();
    await secure.close();
  });

  test('is remembered for the last hundred devices of an account', async () => {
    const { email, id } = await aPerson();
    const now = clock.now();
    const rows = Array.from({ length: 120 }, (_, at) => ({
      user_id: id,
      token_hash: Buffer.alloc(32, at),
      address: '198.51.100.1',
      device: 'curl',
      first_seen_at: now,
      last_seen_at: new Date(now.getTime() - at * 1000 - 1),
    }));
    await ours.app.db.insertInto('known_devices').values(rows).execute();
    await new Browser(server).signIn(email, testPassword);
    const left = await ours.app.db.selectFrom('known_devices').select('address').where('user_id', '=', id).execute();
    expect(left).toHaveLength(100);
    expect(left).toContainEqual({ address: '192.0.2.1' });
  });
});

describe('the audit log', () => {
  test('has one failed sign-in a minute for an account, and none for unknown ones', async () => {
    const { email, id } = await aPerson();
    const guess = () => new Browser(server, { address: '203.0.113.66' }).signIn(email, 'a guess');
    await Promise.all([guess(), guess(), guess()]);
    await new Browser(server).signIn('nobody@example.com', 'a guess');
    await expect.poll(() => failuresOf(id)).toHaveLength(1);
    clock.advance({ seconds: 60 });
    await guess();
    await expect.poll(() => failuresOf(id)).toHaveLength(2);
    expect((await failuresOf(id))[0]).toMatchObject({ actor_kind: 'user', actor_id: null, address: '203.0.113.66' });
  });
});
