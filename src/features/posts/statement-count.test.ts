import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../test/support/service/app.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import type { PlanKey } from '../../config/plans.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const tomorrow = '2027-03-05T05:06:07.000Z';
let service: TestService;
let ada: TestUser;
let targets: string[];
let sent: string[];

beforeAll(async () => {
  service = await testService({ clock });
  sent = listen(service.app.pool);
  ada = await service.aUser({ plan: 'pro' });
  targets = [await ada.aConnection('bluesky'), await ada.aConnection('telegram'), await ada.aConnection('twitter')];
});
afterAll(() => service.close());

/** Collects every statement sent to the database from now on, on any connection. */
function listen(pool: pg.Pool): string[] {
  const statements: string[] = [];
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const listening = (...args: unknown[]) => {
      const [statement] = args;
      const text = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;
      // Calls are logged once a second, for all requests together.
      if (!text.includes('into request_log ')) statements.push(text);
      return query(...args);
    };
    Object.assign(client, { query: listening });
  });
  return statements;
}

/** The statements of a request. */
async function during(request: () => Promise<Answer>) {
  const before = sent.length;
  const answer = await request();
  return { answer, statements: sent.slice(before) };
}

let texts = 0;
const create = (user: TestUser, platforms: readonly string[], more: object, headers: Record<string, string> = {}) => {
  texts += 1;
  return user.call('POST', '/create-post', { content: `Text ${texts}`, platforms, ...more }, headers);
};

/** Ensures that the API key is cached, and that no earlier change clears the cache afterwards. */
async function warmUp(user: TestUser) {
  await earlierChangesArrived();
  await user.call('GET', '/platform-limits');
}

/** Notifications arrive in commit order, so this one arrives after those of all earlier changes. */
async function earlierChangesArrived() {
  const marker = service.app.newId();
  const { promise, resolve } = Promise.withResolvers<void>();
  service.app.listener.on('access_changed', (payload) => {
    if (payload === marker) resolve();
  });
  await service.database.pool.query(`select pg_notify('access_changed', $1)`, [marker]);
  await promise;
}

const kinds: [title: string, more: object][] = [
  ['a draft', {}],
  ['a scheduled post', { scheduledTime: tomorrow }],
  ['a post for now', { publishNow: true }],
  [
    'a post with settings, a thread and first comments',
    {
      content: 'Word. '.repeat(100).trim(),
      scheduledTime: tomorrow,
      platformSettings: { telegram: { protectContent: true } },
      firstComments: [{ text: 'First', platforms: ['twitter'] }],
      platforms: 'X',
    },
  ],
];

describe('statements per request', () => {
  test('a cached API key costs none', async () => {
    await warmUp(ada);
    const { answer, statements } = await during(() => ada.call('GET', '/platform-limits'));
    expect([answer.status, statements]).toEqual([200, []]);
  });

  test('an API key that is not cached costs one, and so does one that was cached five seconds ago', async () => {
    await warmUp(ada);
    clock.advance({ seconds: 5 });
    const first = await during(() => ada.call('GET', '/platform-limits'));
    const second = await during(() => ada.call('GET', '/platform-limits'));
    expect([first.statements.length, second.statements.length]).toEqual([1, 0]);
  });

  test('an unknown API key costs one each time, a malformed one none', async () => {
    const headers = { 'x-service-key': `sk_unknown.${'0'.repeat(52)}` };
    const unknown = () => ada.call('GET', '/platform-limits', undefined, headers);
    const counts = [await during(unknown), await during(unknown)].map(({ statements }) => statements.length);
    expect(counts).toEqual([1, 1]);
    const shapeless = await during(() =>
      ada.call('GET', '/platform-limits', undefined, { 'x-service-key': 'nonsense' }),
    );
    expect([shapeless.answer.status, shapeless.statements]).toEqual([401, []]);
  });

  describe.each(kinds)('create-post of %s on Pro', (_title, { platforms, ...more }: { platforms?: string }) => {
    const wanted = () => (platforms ? [targets[2]!] : targets.slice(0, 2));

    test('costs one', async () => {
      await warmUp(ada);
      const { answer, statements } = await during(() => create(ada, wanted(), more));
      expect([answer.status, statements.length]).toEqual([200, 1]);
    });

    test('costs two with an Idempotency-Key, and its repeat one', async () => {
      await warmUp(ada);
      texts += 1;
      const headers = { 'idempotency-key': `key-${texts}` };
      const body = { content: `Text ${texts}`, platforms: wanted(), ...more };
      const repeat = () => during(() => ada.call('POST', '/create-post', body, headers));
      const [first, second] = [await repeat(), await repeat()];
      expect(first.answer.status).toBe(200);
      expect(second.answer.body).toEqual(first.answer.body);
      expect([first.statements.length, second.statements.length]).toEqual([2, 1]);
    });
  });

  test('create-post of a draft costs one on every plan', async () => {
    for (const plan of ['starter', 'pro_legacy', 'premium_legacy', 'agency'] as const) {
      const { user, platforms } = await aUserOn(plan);
      const { answer, statements } = await during(() => create(user, platforms, {}));
      expect([plan, answer.status, statements.length]).toEqual([plan, 200, 1]);
    }
  });

  test.each([
    ['agency', 1],
    // Begin, owner lock, usage, post, commit.
    ['starter', 5],
    ['pro_legacy', 5],
    ['premium_legacy', 5],
  ] as const)('create-post of a scheduled post on %s costs %s', async (plan, count) => {
    const { user, platforms } = await aUserOn(plan);
    const { answer, statements } = await during(() => create(user, platforms, { scheduledTime: tomorrow }));
    expect([answer.status, statements.length]).toEqual([200, count]);
  });

  test('a thread to Threads costs one more, to read the connection; a single post does not', async () => {
    const { app, sandbox } = service;
    const account = { platform: 'threads', handle: 'ada' } as const;
    const { platformId } = await connectSandboxAccount(app, sandbox.url, ada.id, account);
    await warmUp(ada);
    const costs = async (content: string) => {
      const { answer, statements } = await during(() =>
        create(ada, [platformId], { content, scheduledTime: tomorrow }),
      );
      return [answer.status, statements.length];
    };
    expect(await costs('Single')).toEqual([200, 1]);
    expect(await costs('One\n---\nTwo')).toEqual([200, 2]);
    expect(await costs('Three\n---\nFour')).toEqual([200, 2]);
  });

  test('an invalid create-post costs none', async () => {
    await warmUp(ada);
    const { answer, statements } = await during(() => create(ada, targets, { scheduledTime: 'soon' }));
    expect([answer.status, statements]).toEqual([400, []]);
    const tooLong = await during(() => create(ada, targets, { scheduledTime: tomorrow, content: 'x'.repeat(30_000) }));
    expect([tooLong.answer.status, tooLong.statements]).toEqual([400, []]);
  });

  test.each(['get-post', 'post-logs'])('%s costs one', async (route) => {
    const { body } = await create(ada, targets, {});
    await warmUp(ada);
    const { answer, statements } = await during(() => ada.call('GET', `/${route}/${body.postGroupId}`));
    expect([answer.status, statements.length]).toEqual([200, 1]);
  });

  test.each(['list-posts?limit=100', 'account-context'])('%s costs one', async (path) => {
    await warmUp(ada);
    const { answer, statements } = await during(() => ada.call('GET', `/${path}`));
    expect([answer.status, statements.length]).toEqual([200, 1]);
  });
});

async function aUserOn(plan: PlanKey) {
  const user = await service.aUser({ plan });
  const platforms = [await user.aConnection('bluesky')];
  await warmUp(user);
  return { user, platforms };
}
