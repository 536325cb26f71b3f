import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { selectConnections } from '../queries.ts';
import { finishConnect, startConnect } from './connect.ts';
import { deleteExpiredFlows, insertChoice } from './flow-queries.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const long = 'x'.repeat(200_000);
const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);

/** The app, with a Mastodon server that returns these. */
function at(answers: Record<string, unknown>) {
  const all: Record<string, unknown> = {
    '/api/v1/apps': { client_id: 'c', client_secret: 's' },
    '/oauth/token': { access_token: 'token' },
    '/api/v1/accounts/verify_credentials': { id: '1', username: 'eve', display_name: 'Eve' },
    '/api/v2/instance': {},
    ...answers,
  };
  const fetch: typeof globalThis.fetch = async (input) => {
    const path = Object.keys(all).find((each) => String(input).includes(each));
    return path ? Response.json(all[path]) : new Response(null, { status: 404 });
  };
  return { ...service.app, platformAccess: { ...service.app.platformAccess, fetch } };
}

async function connect(app: ReturnType<typeof at>, userId: string) {
  const started = await startConnect(app, { userId }, 'mastodon', { instance: 'evil.example' });
  if (!('state' in started)) throw new Error('There is no consent page.');
  return finishConnect(app, { userId }, { state: started.state, code: 'c' });
}

test.each([
  ['access token', { '/oauth/token': { access_token: long } }],
  ['secret of an application', { '/api/v1/apps': { client_id: 'c', client_secret: long } }],
  ['id of an application', { '/api/v1/apps': { client_id: long, client_secret: 's' } }],
])('a server that returns a long %s is refused, and nothing of it is stored', async (_what, answers) => {
  const { id } = await service.aUser();
  await expect(connect(at(answers), id)).rejects.toMatchObject({ code: 'CONNECT_UNAVAILABLE' });
  const { rows } = await query(
    `select (select count(*)::int from connections where user_id = $1) as connections,
       (select coalesce(max(octet_length(secrets)), 0) from oauth_flows where user_id = $1) as bytes`,
    id,
  );
  expect(rows[0].connections).toBe(0);
  expect(rows[0].bytes).toBeLessThan(1_000);
});

test('one that returns long names and links connects without them', async () => {
  const { id } = await service.aUser();
  const link = `https://example.com/${long.slice(0, 20_000)}`;
  const answers = {
    '/api/v1/accounts/verify_credentials': { id: '1', username: 'eve', display_name: 'Eve', avatar: link, url: link },
  };
  await connect(at(answers), id);
  const [{ avatarUrl, profileUrl }] = (await selectConnections(service.app.db, [id])) as [never];
  expect([avatarUrl, profileUrl]).toEqual([null, null]);
});

test('a list of connections reads no credentials', async () => {
  const { id } = await service.aUser();
  await connect(at({}), id);
  const [row] = await selectConnections(service.app.db, [id]);
  expect(Object.keys(row!)).not.toContain('credentials');
});

test('a user has at most 20 unfinished flows and 20 open choices, of which the newest count', async () => {
  const { id } = await service.aUser();
  const app = at({});
  const states: string[] = [];
  for (let count = 0; count < 25; count += 1) {
    const started = await startConnect(app, { userId: id }, 'mastodon', { instance: 'evil.example' });
    if ('state' in started) states.push(started.state);
    const expiresAt = new Date(app.clock.now().getTime() + 60_000 + count);
    const choice = { id: app.newId(), userId: id, platform: 'facebook', grants: 'x', linkHash: null, sessionId: null };
    await insertChoice(app.db, choice, expiresAt);
  }
  const count = async (table: string) =>
    (await query(`select count(*)::int from ${table} where user_id = $1`, id)).rows[0].count;
  expect([await count('oauth_flows'), await count('account_choices')]).toEqual([20, 20]);
  await expect(finishConnect(app, { userId: id }, { state: states.at(-1), code: 'c' })).resolves.toHaveProperty(
    'connected',
  );

  await query(`update oauth_flows set expires_at = now() - interval '1 day' where user_id = $1`, id);
  await deleteExpiredFlows(app.db, app.clock.now());
  expect([await count('oauth_flows'), await count('account_choices')]).toEqual([0, 20]);
});
