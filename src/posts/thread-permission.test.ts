import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testClock } from '../../test/support/app.ts';
import { consent } from '../../test/support/consent.ts';
import { publishDue } from '../../test/support/publishing.ts';
import { type Answer, type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { storedPost } from '../../test/support/stored-post.ts';
import { finishConnect, startConnect } from '../connections/connect.ts';
import { storeGrant } from '../connections/connections.ts';
import { connectSandboxAccount } from '../connections/sandbox.ts';
import { whoIs } from '../http/auth.ts';
import { buildServer } from '../server.ts';
import { createPostGroup, updatePostGroup } from './posts.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
let service: TestService;
let ada: TestUser;
let handles = 0;
let texts = 0;

beforeAll(async () => {
  service = await testService({ clock, publicUrl: 'https://crier.test' });
});
beforeEach(async () => {
  ada = await service.aUser();
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service.close());

/** An account at Threads, connected. Whose handle says so kept the right to reply back. */
async function anAccount(user: TestUser, { mayReply = true } = {}) {
  handles += 1;
  const handle = `${mayReply ? 'ann' : 'noreply'}${handles}`;
  const { app, sandbox } = service;
  const { platformId } = await connectSandboxAccount(app, sandbox.url, user.id, { platform: 'threads', handle });
  return { platformId, handle };
}
const granting = async (user = ada) => (await anAccount(user)).platformId;
const withholding = async (user = ada) => (await anAccount(user, { mayReply: false })).platformId;

const control = (method: string, path: string, body: object) =>
  service.sandbox.control(method, path, { network: 'threads', ...body });
/** What becomes of the question what a token may do. */
const fault = (body: object) => control('POST', '/faults', { operation: 'account', ...body });
const outage = { kind: 'status', status: 503, times: 1000 };
const revoke = (handle: string) => control('PATCH', '/accounts', { handle, revokeTokens: true });

/** How often Threads is asked for what a token may do. */
async function asked(during: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const requests = await service.sandbox.control<{ path: string }[]>('GET', '/requests?network=threads');
    return requests.filter(({ path }) => path.startsWith('/v1.0/debug_token')).length;
  };
  const before = await count();
  await during();
  return (await count()) - before;
}

const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
const tomorrow = () => inSeconds(86_400);
const aThread = () => {
  texts += 1;
  return `One of ${texts}\n---\nTwo of ${texts}`;
};
const post = (platforms: string[], more: object = {}, user = ada, headers?: Record<string, string>) =>
  user.call('POST', '/create-post', { content: aThread(), platforms, scheduledTime: tomorrow(), ...more }, headers);
const update = (id: string, edit: object, headers?: Record<string, string>) =>
  ada.call('PUT', `/update-post/${id}`, edit, headers);

const missing = {
  platform: 'threads',
  code: 'THREADS_PERMISSION_REQUIRED',
  message: 'Reconnect your Threads account and allow reply publishing to publish a thread with multiple posts.',
  field: 'platforms',
  severity: 'error',
};
const unavailable = {
  error: 'Unable to check Threads permissions. Please try scheduling again shortly.',
  code: 'THREADS_PERMISSIONS_UNAVAILABLE',
};
const errorsIn = ({ status, body }: Answer) => {
  expect([status, body.error]).toEqual([400, 'Validation failed']);
  return body.validation.errors;
};
const expectUnavailable = ({ status, body, headers }: Answer) => {
  expect([status, body]).toEqual([503, unavailable]);
  expect(headers).not.toHaveProperty('retry-after');
};

/** All that creating a post can leave behind, and all that is used of plans. */
async function stored() {
  const { rows } = await service.database.pool.query(
    `select (select count(*)::int from post_groups) as groups, (select count(*)::int from platform_posts) as targets,
      (select count(*)::int from post_logs) as logs, (select count(*)::int from events) as events,
      (select count(*)::int from idempotency_keys) as keys,
      (select jsonb_agg(c order by owner_id, period, connection) from usage_counters c) as counters`,
  );
  return rows[0];
}
async function leavingNothing<T>(work: () => Promise<T>): Promise<T> {
  const before = await stored();
  const result = await work();
  expect(await stored()).toEqual(before);
  return result;
}

describe('6 THREADS_PERMISSION_REQUIRED', () => {
  test('a thread of an account that kept the right to reply back is not scheduled', async () => {
    const account = await withholding();
    const answer = await leavingNothing(() => post([account]));
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        validation: {
          valid: false,
          errors: [missing],
          warnings: [],
          summary: { affectedPlatforms: ['threads'], errorCount: 1, warningCount: 0 },
        },
      },
    ]);
  });

  test('nor is one for now, nor one that the text becomes by its length', async () => {
    const account = await withholding();
    const now = { publishNow: true, scheduledTime: undefined };
    expect(errorsIn(await leavingNothing(() => post([account], now)))).toEqual([missing]);
    const long = await leavingNothing(() => post([account], { content: 'Word. '.repeat(100) }));
    expect(errorsIn(long)).toEqual([missing]);
    expect(long.body.validation.warnings).toMatchObject([{ platform: 'threads', code: 'CONTENT_TOO_LONG' }]);
  });

  test('with the right to reply it is', async () => {
    const account = await granting();
    const { status, body } = await post([account]);
    expect(status).toBe(200);
    const { posts } = (await ada.call('GET', `/get-post/${body.postGroupId}`)).body;
    expect(posts).toMatchObject([{ status: 'scheduled', isThread: true }]);
    expect((await post([account], { publishNow: true, scheduledTime: undefined })).status).toBe(200);
  });

  test('every account answers for itself', async () => {
    const accounts = [await granting(), await withholding(), await withholding()];
    const answer = await leavingNothing(() => post(accounts));
    expect(errorsIn(answer)).toEqual([missing, missing]);
    expect((await post([accounts[0]!, await granting()])).status).toBe(200);
  });

  test('an account that was disconnected a moment ago is to be connected again', async () => {
    const account = await granting();
    const id = (await post([account], { content: 'Single' })).body.postGroupId;
    const { app, database } = service;
    // As it is remembered with a key for some seconds.
    const who = await whoIs(app.db, ada.id);
    await database.pool.query('delete from connections where user_id = $1', [ada.id]);
    const content = aThread();
    const gone = { ...missing, message: 'Reconnect your Threads account before scheduling a thread.' };
    const attempts = [
      () => createPostGroup(app, who, { content, platforms: [account], scheduledTime: tomorrow() }),
      () => updatePostGroup(app, who, id, { content, publishNow: false }),
    ];
    for (const attempt of attempts) {
      const refusal = { status: 400, body: { validation: { errors: [gone] } } };
      await leavingNothing(() => expect(attempt()).rejects.toMatchObject(refusal));
    }
  });
});

describe('6 TOKEN_EXPIRED', () => {
  const expired = {
    platform: 'threads',
    code: 'TOKEN_EXPIRED',
    message: expect.stringMatching(/Reconnect the account\.|Connect the account again\./),
    field: 'platforms',
    severity: 'error',
  };
  const standing = async () => (await ada.call('GET', '/platform-connections')).body.connections[0].connectionStatus;

  test('a token that Threads no longer accepts', async () => {
    const { platformId, handle } = await anAccount(ada);
    await revoke(handle);
    const answer = await leavingNothing(() => post([platformId]));
    expect(errorsIn(answer)).toEqual([expired]);
    expect(answer.body.validation.summary).toEqual({
      affectedPlatforms: ['threads'],
      errorCount: 1,
      warningCount: 0,
    });
    // What the owner has to do is seen beside the connection, too.
    expect(await standing()).toBe('reconnect_required');
  });

  test('a token that has ended, and cannot be renewed', async () => {
    const account = await granting();
    clock.advance({ seconds: 61 * 86_400 });
    expect(errorsIn(await leavingNothing(() => post([account])))).toEqual([expired]);
  });

  test('a connection that holds no token', async () => {
    handles += 1;
    const nobody = { handle: 'nobody', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
    const grant = { account: { id: `${handles}`, ...nobody }, credentials: {}, scopes: [], expiresAt: null };
    const { platformId } = await storeGrant(service.app, ada.id, 'threads', grant);
    const asking = asked(async () => {
      expect(errorsIn(await leavingNothing(() => post([platformId])))).toEqual([expired]);
    });
    expect(await asking).toBe(0);
  });

  test('not one that is refused before its time, and renewed', async () => {
    const account = await granting();
    // Younger ones are not renewed.
    clock.advance({ seconds: 86_400 });
    await fault({ kind: 'expired_token' });
    expect((await post([account])).status).toBe(200);
    expect(await standing()).toBe('active');
  });

  test('a refusal is not remembered', async () => {
    const account = await granting();
    await fault({ kind: 'expired_token' });
    await control('POST', '/faults', { operation: 'token', kind: 'expired_token' });
    expect(errorsIn(await post([account]))).toEqual([expired]);
    expect((await post([account])).status).toBe(200);
  });
});

describe('2 503 THREADS_PERMISSIONS_UNAVAILABLE', () => {
  test.for([
    ['is down', { kind: 'status', status: 500 }],
    ['asks to slow down', { kind: 'rate_limit' }],
    ['hangs up', { kind: 'reset_before' }],
  ])('while Threads %s, nothing is stored; afterwards the same request is accepted', async ([, trouble]) => {
    const account = await granting();
    await fault(trouble as object);
    const content = aThread();
    expectUnavailable(await leavingNothing(() => post([account], { content })));
    expect((await post([account], { content })).status).toBe(200);
  });

  test('nobody is held for long by a network that does not answer', async () => {
    const account = await granting();
    const { app } = service;
    const shortLockTimeout = await buildServer({ ...app, platformAccess: { ...app.platformAccess, timeoutMs: 200 } });
    await fault({ kind: 'timeout' });
    const payload = { content: aThread(), platforms: [account], publishNow: true };
    const headers = { 'x-service-key': ada.apiKey };
    const answer = await leavingNothing(() =>
      shortLockTimeout.inject({ method: 'POST', url: '/api/v1/create-post', headers, payload }),
    );
    await shortLockTimeout.close();
    expectUnavailable({ status: answer.statusCode, body: answer.json(), headers: answer.headers });
  });

  test('nor by credentials that somebody else is renewing', async () => {
    const account = await granting();
    const { app, database } = service;
    await database.pool.query('update connections set expires_at = $1, renewing_until = $2 where user_id = $3', [
      inSeconds(-60),
      inSeconds(60),
      ada.id,
    ]);
    const who = await whoIs(app.db, ada.id);
    const shortLockTimeout = { ...app, platformAccess: { ...app.platformAccess, timeoutMs: 300 } };
    const input = { content: aThread(), platforms: [account], publishNow: true };
    const refusal = { status: 503, body: unavailable };
    await leavingNothing(() => expect(createPostGroup(shortLockTimeout, who, input)).rejects.toMatchObject(refusal));
  });

  test('trouble while a token is renewed is trouble, and no refusal of the token', async () => {
    const account = await granting();
    await fault({ kind: 'expired_token' });
    await control('POST', '/faults', { operation: 'token', kind: 'status', status: 503 });
    expectUnavailable(await leavingNothing(() => post([account])));
  });

  test.for(['create-post', 'update-post'])(
    'an Idempotency-Key of %s is free again: the retry is carried out, and its answer kept',
    async (route) => {
      const account = await granting();
      const id = (await post([account], { content: 'Single' })).body.postGroupId;
      const headers = { 'idempotency-key': 'once' };
      const content = aThread();
      const send = () =>
        route === 'create-post' ? post([account], { content }, ada, headers) : update(id, { content }, headers);
      await fault({ kind: 'status', status: 503 });
      expectUnavailable(await leavingNothing(send));
      const first = await send();
      expect(first.status).toBe(200);
      expect((await leavingNothing(send)).body).toEqual(first.body);
    },
  );

  test('what is certain is said first', async () => {
    const accounts = [await withholding(), await granting()];
    await post(accounts.slice(0, 1));
    await fault(outage);
    expect(errorsIn(await leavingNothing(() => post(accounts)))).toEqual([missing]);
  });
});

describe('8 the permission to reply is remembered', () => {
  test.for([
    ['that it is there', granting, 200],
    ['that it is missing', withholding, 400],
  ] as const)('for five minutes: %s', async ([, make, status]) => {
    const account = await make();
    const attempt = async () => expect((await post([account])).status).toBe(status);
    expect(await asked(attempt)).toBe(1);
    expect(await asked(attempt)).toBe(0);
    clock.advance({ seconds: 299 });
    expect(await asked(attempt)).toBe(0);
    clock.advance({ seconds: 1 });
    expect(await asked(attempt)).toBe(1);
    expect(await asked(attempt)).toBe(0);
  });

  test('so that an outage does not keep those from scheduling who did so before', async () => {
    const account = await granting();
    await post([account]);
    await fault(outage);
    expect((await post([account])).status).toBe(200);
    clock.advance({ seconds: 300 });
    expectUnavailable(await post([account]));
  });

  test('ten at once ask once', async () => {
    const account = await granting();
    await fault({ kind: 'latency', latencyMs: 300 });
    const asking = asked(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post([account])));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });
    expect(await asking).toBe(1);
  });

  test('for each connection by itself', async () => {
    const [first, second] = [await granting(), await granting()];
    await post([first]);
    expect(await asked(() => post([second]))).toBe(1);
    expect(await asked(() => post([first, second]))).toBe(0);
  });

  test('not beyond a new connection: who comes back with the right to reply can schedule at once', async () => {
    const handle = 'comes.back';
    const withheld = await byConsent(ada, handle, 'threads_basic,threads_content_publish');
    expect(errorsIn(await post([withheld]))).toEqual([missing]);
    const granted = await byConsent(ada, handle);
    expect(granted).toBe(withheld);
    expect((await post([granted])).status).toBe(200);
  });

  test('nor is a right that was taken back in a new connection', async () => {
    const handle = 'thinks.again';
    const account = await byConsent(ada, handle);
    expect((await post([account])).status).toBe(200);
    await byConsent(ada, handle, 'threads_basic,threads_content_publish');
    expect(errorsIn(await post([account]))).toEqual([missing]);
  });

  test('for nobody else: each user of an account has what it granted them', async () => {
    const eve = await service.aUser();
    const handle = 'shared';
    const account = await byConsent(ada, handle);
    await byConsent(eve, handle, 'threads_basic,threads_content_publish');
    expect((await post([account])).status).toBe(200);
    expect(errorsIn(await post([account], {}, eve))).toEqual([missing]);
  });

  test("another user's connection is refused before Threads is asked", async () => {
    const [account, eve] = [await granting(), await service.aUser()];
    const asking = asked(async () => {
      const { status, body } = await leavingNothing(() => post([account], {}, eve));
      expect([status, body.invalidPlatforms]).toEqual([400, [account]]);
    });
    expect(await asking).toBe(0);
  });
});

/** To the consent page and back, where only `scope` is asked for, if given. */
async function byConsent(user: TestUser, handle: string, scope?: string): Promise<string> {
  const { app } = service;
  const who = { userId: user.id };
  const started = await startConnect(app, who, 'threads', {});
  if (!('url' in started)) throw new Error('Threads is connected on a page of its own.');
  const page = new URL(started.url);
  if (scope) page.searchParams.set('scope', scope);
  const back = await consent(page, { decision: 'allow', handle });
  const done = await finishConnect(app, who, Object.fromEntries(back.searchParams));
  if (!('connected' in done)) throw new Error('There is only one account.');
  return done.connected[0]!.platformId;
}

describe('8 Threads is asked for threads that are scheduled, and for nothing else', () => {
  test.for<[title: string, more: object]>([
    ['a single post', { content: 'Single' }],
    ['a single post for now', { content: 'Single, now', publishNow: true, scheduledTime: undefined }],
    ['a draft', { scheduledTime: undefined }],
    ['a draft with a time', { status: 'draft' }],
  ])('%s needs no permission', async ([, more]) => {
    const account = await withholding();
    await fault(outage);
    expect(await asked(async () => expect((await post([account], more)).status).toBe(200))).toBe(0);
  });

  test('nor does a thread on X', async () => {
    const [x, threads] = [await ada.aConnection('twitter'), await withholding()];
    await fault(outage);
    const content = 'x'.repeat(400);
    expect(await asked(async () => expect((await post([x, threads], { content })).status).toBe(200))).toBe(0);
  });

  test('validate-post asks nobody: what was granted cannot be read ahead', async () => {
    const body = { content: aThread(), platforms: [await withholding()], scheduledTime: tomorrow() };
    const asking = asked(async () => {
      const answer = await ada.call('POST', '/validate-post', body);
      expect(answer).toMatchObject({ status: 200, body: { validation: { valid: true } } });
    });
    expect(await asking).toBe(0);
  });
});

describe('6 update-post', () => {
  /** Refused as described, the post being what it was. */
  async function refused(id: string, edit: object, expectRefusal: (answer: Answer) => void) {
    const before = await storedPost(service, id);
    expectRefusal(await update(id, edit));
    expect(await storedPost(service, id)).toEqual(before);
  }
  const expectMissing = (answer: Answer) => expect(errorsIn(answer)).toEqual([missing]);

  test.for<[title: string, created: object, edit: () => object]>([
    [
      'a draft that is scheduled',
      { scheduledTime: undefined },
      () => ({ status: 'scheduled', scheduledTime: tomorrow() }),
    ],
    ['a draft that is published now', { scheduledTime: undefined }, () => ({ publishNow: true })],
    ['a scheduled post that becomes a thread', { content: 'Single' }, () => ({ content: aThread() })],
  ])('%s', async ([, created, edit]) => {
    const account = await withholding();
    const id = (await post([account], created)).body.postGroupId;
    await refused(id, edit(), expectMissing);
    clock.advance({ seconds: 300 });
    await fault({ kind: 'status', status: 503 });
    await refused(id, edit(), expectUnavailable);
  });

  test('a scheduled thread that is to go to Threads, too', async () => {
    const x = await ada.aConnection('twitter');
    const id = (await post([x])).body.postGroupId;
    await refused(id, { platforms: [x, await withholding()] }, expectMissing);
    expect((await update(id, { platforms: [x, await granting()] })).status).toBe(200);
  });

  test('a scheduled thread is looked at whatever is edited', async () => {
    const account = await byConsent(ada, 'for.a.while');
    const id = (await post([account])).body.postGroupId;
    await byConsent(ada, 'for.a.while', 'threads_basic,threads_content_publish');
    await refused(id, { scheduledTime: inSeconds(3600) }, expectMissing);
  });

  test('what is no thread any more, or not scheduled any more, is not looked at', async () => {
    const account = await granting();
    const [first, second] = [(await post([account])).body.postGroupId, (await post([account])).body.postGroupId];
    clock.advance({ seconds: 300 });
    await fault(outage);
    const asking = asked(async () => {
      expect((await update(first, { content: 'Single' })).status).toBe(200);
      expect((await update(second, { status: 'draft' })).status).toBe(200);
      expect((await update(second, { content: aThread() })).status).toBe(200);
    });
    expect(await asking).toBe(0);
  });
});

describe('5 the order of checks', () => {
  test('what is wrong with the post itself comes first, and Threads is not asked', async () => {
    const platforms = [await withholding(), await ada.aConnection('instagram')];
    await fault(outage);
    const asking = asked(async () => {
      expect(errorsIn(await post(platforms))).toMatchObject([{ platform: 'instagram', code: 'MEDIA_REQUIRED' }]);
    });
    expect(await asking).toBe(0);
  });

  test('limits of the plan come after it', async () => {
    const ben = await service.aUser({ plan: 'starter' });
    const [granted, withheld] = [await granting(ben), await withholding(ben)];
    const late = { scheduledTime: inSeconds(30 * 86_400) };
    expect(errorsIn(await post([withheld], late, ben))).toEqual([missing]);
    expect(await post([granted], late, ben)).toMatchObject({ status: 403, body: { code: 'SCHEDULE_HORIZON_REACHED' } });
    clock.advance({ seconds: 300 });
    await fault({ kind: 'status', status: 503 });
    expectUnavailable(await post([granted], late, ben));
  });

  test('an edit that another overtook while Threads was asked changes nothing', async () => {
    const account = await granting();
    const id = (await post([account], { content: 'Single' })).body.postGroupId;
    const { app } = service;
    const overtaken: typeof fetch = async (...request) => {
      expect((await update(id, { content: 'Meanwhile' })).status).toBe(200);
      return app.platformAccess.fetch(...request);
    };
    const who = await whoIs(app.db, ada.id);
    const slow = { ...app, platformAccess: { ...app.platformAccess, fetch: overtaken } };
    const editing = updatePostGroup(slow, who, id, { content: aThread(), publishNow: false });
    await expect(editing).rejects.toMatchObject({ status: 409, body: { code: 'POST_GROUP_VERSION_CONFLICT' } });
    expect((await ada.call('GET', `/get-post/${id}`)).body.posts).toMatchObject([{ content: 'Meanwhile' }]);
  });
});

test('8 a part that Threads counts as too long ends the whole thread, under its own code, before anything is out', async () => {
  const content = `One\n---\n${'😀'.repeat(126)}`;
  const platforms = [await granting()];
  const { body } = await ada.call('POST', '/create-post', { content, platforms, publishNow: true });
  await publishDue(service.app);
  expect((await ada.call('GET', `/get-post/${body.postGroupId}`)).body).toMatchObject({
    status: 'failed',
    posts: [{ status: 'failed', postedId: null, error: { code: 'THREADS_INVALID_THREAD_PART', retryable: false } }],
  });
});
