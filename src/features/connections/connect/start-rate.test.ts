import { afterAll, beforeAll, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { aPerson, type Person } from '../../../../test/support/service/people.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { setAccess } from '../../accounts/operator/switches.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  // A fiftieth of the real limits: 2 starts an hour.
  service = await testService({ clock, environment: { RATE_LIMITS: '0.02' } });
});
afterAll(() => service.close());

const social = { instance: 'mastodon.social' };

const startOf = async ({ browser }: Person, platform: string, fields: object) =>
  (await browser.post(`/connect/${platform}`, { fields })).statusCode;

/** The path of a link for a new managed user. */
async function aLink(owner: Person, username: string): Promise<string> {
  const { body } = await owner.call('POST', '/workspace/users', { username });
  const { url } = (await owner.call('POST', `/workspace/users/${body.user._id}/connection-url`, {})).body;
  return new URL(url).pathname;
}

const startBy = (link: string, accept: string) =>
  service.server.inject({
    method: 'POST',
    url: `${link}/mastodon`,
    headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(social).toString(),
  });

async function anOwner(): Promise<Person> {
  const owner = await aPerson(service);
  await setAccess(service.app, owner.id, { workspace: true });
  return owner;
}

test('starts at servers that users name count together for an owner, in the dashboard and by links', async () => {
  const owner = await anOwner();
  const [one, other] = [await aLink(owner, 'one@example.com'), await aLink(owner, 'other@example.com')];
  expect(await startOf(owner, 'mastodon', social)).toBe(200);
  expect((await startBy(one, 'application/json')).statusCode).toBe(200);

  const refused = await startBy(other, 'application/json');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await startOf(owner, 'mastodon', social)).toBe(429);
  expect(await startOf(owner, 'bluesky', { handle: 'ada.bsky.social', appPassword: 'x' })).toBe(429);
  expect(await startOf(await aPerson(service), 'mastodon', social)).toBe(200);

  // These contact no server, or only that of the network.
  expect(await startOf(owner, 'mastodon', { instance: 'no server' })).toBe(400);
  expect(await startOf(owner, 'twitter', {})).toBe(200);
  clock.advance({ seconds: 3600 });
  expect(await startOf(owner, 'mastodon', social)).toBe(200);
});

test('a person who opened a link reads when to try again', async () => {
  const link = await aLink(await anOwner(), 'client@example.com');
  expect((await startBy(link, 'text/html')).statusCode).toBe(303);
  expect((await startBy(link, 'text/html')).statusCode).toBe(303);
  const page = await startBy(link, 'text/html');
  expect(page.statusCode).toBe(429);
  expect(page.body).toMatch(
    /role="alert"[^>]*>Too many attempts to connect an account\. Try again in (a|\d+) minutes?\./,
  );
  expect(page.body).toContain('value="mastodon.social"');
});
