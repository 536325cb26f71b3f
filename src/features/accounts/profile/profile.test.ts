import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { sessionRoutes } from '../../auth/sign-in/routes.ts';
import { profileRoutes } from './routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, (api, app) => {
    sessionRoutes(api, app);
    profileRoutes(api, app);
  });
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

let people = 0;
let ada: Browser;
let fresh: Record<string, unknown>;
async function signInAsSomebody() {
  people += 1;
  const email = `person${people}@example.com`;
  await insertTestUser(ours.app, { email, plan: 'pro' });
  ada = new Browser(server);
  await ada.signIn(email, testPassword);
  fresh = {
    name: `person${people}`,
    email,
    timeZone: null,
    weekStart: 'monday',
    hourCycle: null,
    language: null,
    isWelcomeDone: false,
    dismissedFailures: [],
    workspaceOwner: null,
    hasWorkspace: false,
    canSetUpWorkspace: false,
    createdAt: clock.now().toISOString(),
  };
}

const change = async (changes: object) => {
  const answer = await ada.request('PATCH', '/auth/profile', changes);
  return { status: answer.statusCode, body: answer.json() };
};
const profile = async () => (await ada.get('/auth/profile')).json();

describe('the profile', () => {
  beforeEach(signInAsSomebody);

  test('of a new user leaves dates and times to the browser, and the first steps are to be shown', async () => {
    expect(await profile()).toEqual(fresh);
  });

  test('keeps what is changed, and what is not sent stays', async () => {
    const preferences = { timeZone: 'Pacific/Chatham', weekStart: 'saturday', hourCycle: '12', language: 'ar-EG' };
    expect(await change(preferences)).toEqual({ status: 200, body: { ...fresh, ...preferences } });
    await change({ hourCycle: null, timeZone: null });
    expect(await profile()).toEqual({ ...fresh, ...preferences, hourCycle: null, timeZone: null });
  });

  test('a new name is the name of the session immediately, without tags and control characters', async () => {
    expect((await change({ name: ' <b>Ada</b>\nLovelace ' })).body.name).toBe('AdaLovelace');
    expect((await ada.get('/auth/session')).json().user.name).toBe('AdaLovelace');
  });

  test('a language is stored in its usual spelling', async () => {
    expect((await change({ language: 'EN-gb' })).body.language).toBe('en-GB');
  });

  test('dismissed failures are kept for the person, each once', async () => {
    const [one, two] = [`${'a'.repeat(24)}:3`, `${'b'.repeat(24)}:12`];
    expect((await change({ dismissedFailures: [one, two, one] })).body.dismissedFailures).toEqual([one, two]);
    expect((await profile()).dismissedFailures).toEqual([one, two]);
    await change({ dismissedFailures: [] });
    expect((await profile()).dismissedFailures).toEqual([]);
  });

  test.for([
    ['a list of ids without versions', ['a'.repeat(24)]],
    ['text', 'all'],
    ['a very long list', Array.from({ length: 501 }, (_, index) => `${'a'.repeat(24)}:${index}`)],
  ] as const)('refuses %s as dismissed failures', async ([, dismissedFailures]) => {
    expect(await change({ dismissedFailures })).toMatchObject({
      status: 400,
      body: { code: 'PROFILE_DISMISSED_INVALID' },
    });
  });

  test('the first steps never come back', async () => {
    expect((await change({ isWelcomeDone: true })).body.isWelcomeDone).toBe(true);
    expect((await change({ isWelcomeDone: false })).status).toBe(400);
    expect((await profile()).isWelcomeDone).toBe(true);
  });

  test('of a user in a workspace names its owner', async () => {
    const email = `owner${people}@example.com`;
    const owner = await insertTestUser(ours.app, { email, plan: 'pro' });
    await ours.app.db
      .updateTable('users')
      .set({ parent_user_id: owner.id })
      .where('email', '=', `${fresh.email}`)
      .execute();
    const workspaceOwner = { name: `owner${people}`, email };
    expect(await profile()).toEqual({ ...fresh, workspaceOwner });
    expect((await change({ weekStart: 'sunday' })).body).toMatchObject({ weekStart: 'sunday', workspaceOwner });
  });

  test('belongs to one user', async () => {
    await change({ timeZone: 'Asia/Tokyo' });
    const other = new Browser(server);
    const email = `other${people}@example.com`;
    await insertTestUser(ours.app, { email, plan: 'pro' });
    await other.signIn(email, testPassword);
    expect((await other.get('/auth/profile')).json()).toMatchObject({ email, timeZone: null });
    expect((await new Browser(server).get('/auth/profile')).statusCode).toBe(401);
  });
});

describe('a change is refused with what to send instead', () => {
  beforeAll(signInAsSomebody);

  test.each([
    [{ timeZone: 'Mars/Olympus' }, 'PROFILE_TIME_ZONE_INVALID', 'Europe/Berlin'],
    [{ timeZone: '+01:00' }, 'PROFILE_TIME_ZONE_INVALID', 'IANA'],
    [{ timeZone: '' }, 'PROFILE_TIME_ZONE_INVALID', 'IANA'],
    [{ timeZone: 7 }, 'PROFILE_TIME_ZONE_INVALID', 'IANA'],
    [{ language: 'english, please' }, 'PROFILE_LANGUAGE_INVALID', 'en-GB'],
    [{}, 'PROFILE_EMPTY', 'weekStart'],
  ])('%o', async (changes, code, hint) => {
    const { status, body } = await change(changes);
    expect([status, body.code, body.hint]).toEqual([400, code, expect.stringContaining(hint)]);
    expect(await profile()).toEqual(fresh);
  });

  test.each([
    [{ name: '' }, 'PROFILE_NAME_INVALID', 'name'],
    [{ name: '<b></b>' }, 'PROFILE_NAME_INVALID', 'name'],
    [{ name: 'x'.repeat(101) }, 'PROFILE_NAME_INVALID', 'name'],
    [{ weekStart: 'friday' }, 'INVALID_REQUEST', 'weekStart'],
    [{ hourCycle: '13' }, 'INVALID_REQUEST', 'hourCycle'],
  ])('%o', async (changes, code, field) => {
    expect((await change(changes)).body).toMatchObject({ code, field });
  });

  test('an email address is not changed here, and the answer says so', async () => {
    const { body } = await change({ email: 'eve@example.com', weekStart: 'sunday' });
    expect(body).toMatchObject({ email: fresh.email, warnings: [{ code: 'UNKNOWN_FIELD', field: 'email' }] });
  });
});
