import { describe, expect, test } from 'vitest';
import { storedPost } from '../../../../test/support/database/stored-post.ts';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import type { Answer } from '../../../../test/support/service/service.ts';
import {
  errorsIn,
  expectUnavailable,
  outage,
  permissionMissing,
  threadsStage,
  unavailable,
} from '../../../../test/support/stages/threads.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { storeGrant } from '../../connections/connections.ts';
import { createPostGroup } from '../create/create-post.ts';
import { updatePostGroup } from '../update/update-post.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = threadsStage(clock);
const {
  aThread,
  anAccount,
  byConsent,
  control,
  fault,
  inSeconds,
  permissionRequests,
  post,
  revoke,
  storingNothing,
  tomorrow,
  update,
  withReplyPermission,
  withoutReplyPermission,
} = stage;

describe('[threads.permission-missing] THREADS_PERMISSION_REQUIRED', () => {
  test('a thread for an account without the permission to reply is refused', async () => {
    const account = await withoutReplyPermission();
    const answer = await storingNothing(() => post([account]));
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'Validation failed',
        validation: {
          valid: false,
          errors: [permissionMissing],
          warnings: [],
          summary: { affectedPlatforms: ['threads'], errorCount: 1, warningCount: 0 },
        },
      },
    ]);
  });

  test('so is one that is published now, and a text that becomes a thread by its length', async () => {
    const account = await withoutReplyPermission();
    const now = { publishNow: true, scheduledTime: undefined };
    expect(errorsIn(await storingNothing(() => post([account], now)))).toEqual([permissionMissing]);
    const long = await storingNothing(() => post([account], { content: 'Word. '.repeat(100) }));
    expect(errorsIn(long)).toEqual([permissionMissing]);
    expect(long.body.validation.warnings).toMatchObject([{ platform: 'threads', code: 'CONTENT_TOO_LONG' }]);
  });

  test('a thread for an account with the permission to reply is scheduled', async () => {
    const account = await withReplyPermission();
    const { status, body } = await post([account]);
    expect(status).toBe(200);
    const { posts } = (await stage.ada().call('GET', `/get-post/${body.postGroupId}`)).body;
    expect(posts).toMatchObject([{ status: 'scheduled', isThread: true }]);
    expect((await post([account], { publishNow: true, scheduledTime: undefined })).status).toBe(200);
  });

  test('every account is checked on its own', async () => {
    const accounts = [await withReplyPermission(), await withoutReplyPermission(), await withoutReplyPermission()];
    const answer = await storingNothing(() => post(accounts));
    expect(errorsIn(answer)).toEqual([permissionMissing, permissionMissing]);
    expect((await post([accounts[0]!, await withReplyPermission()])).status).toBe(200);
  });

  test('an account that was disconnected a moment ago must be connected again', async () => {
    const account = await withReplyPermission();
    const id = (await post([account], { content: 'Single' })).body.postGroupId;
    const { app, database } = stage.service();
    // A user's connections are cached with the API key for a few seconds.
    const who = await whoIs(app.db, stage.ada().id);
    await database.pool.query('delete from connections where user_id = $1', [stage.ada().id]);
    const content = aThread();
    const gone = { ...permissionMissing, message: 'Reconnect your Threads account before scheduling a thread.' };
    const attempts = [
      () => createPostGroup(app, who, { content, platforms: [account], scheduledTime: tomorrow() }),
      () => updatePostGroup(app, who, id, { content, publishNow: false }),
    ];
    for (const attempt of attempts) {
      const refusal = { status: 400, body: { validation: { errors: [gone] } } };
      await storingNothing(() => expect(attempt()).rejects.toMatchObject(refusal));
    }
  });
});

describe('[threads.permission-missing] TOKEN_EXPIRED', () => {
  const expired = {
    platform: 'threads',
    code: 'TOKEN_EXPIRED',
    message: expect.stringMatching(/Reconnect (it|the account)\./),
    field: 'platforms',
    severity: 'error',
  };
  const standing = async () =>
    (await stage.ada().call('GET', '/platform-connections')).body.connections[0].connectionStatus;

  test('a token that Threads no longer accepts, and the connection shows it', async () => {
    const { platformId, handle } = await anAccount(stage.ada());
    await revoke(handle);
    const answer = await storingNothing(() => post([platformId]));
    expect(errorsIn(answer)).toEqual([expired]);
    expect(answer.body.validation.summary).toEqual({
      affectedPlatforms: ['threads'],
      errorCount: 1,
      warningCount: 0,
    });
    expect(await standing()).toBe('reconnect_required');
  });

  test('a token that has expired and cannot be renewed', async () => {
    const account = await withReplyPermission();
    clock.advance({ seconds: 61 * 86_400 });
    expect(errorsIn(await storingNothing(() => post([account])))).toEqual([expired]);
  });

  test('a connection that holds no token', async () => {
    const nobody = { handle: 'nobody', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
    const grant = { account: { id: 'without-token', ...nobody }, credentials: {}, scopes: [], expiresAt: null };
    const { platformId } = await storeGrant(stage.service().app, stage.ada().id, 'threads', grant);
    const requests = permissionRequests(async () => {
      expect(errorsIn(await storingNothing(() => post([platformId])))).toEqual([expired]);
    });
    expect(await requests).toBe(0);
  });

  test('a token that is refused before it expires is renewed', async () => {
    const account = await withReplyPermission();
    // Tokens younger than a day are not renewed.
    clock.advance({ seconds: 86_400 });
    await fault({ kind: 'expired_token' });
    expect((await post([account])).status).toBe(200);
    expect(await standing()).toBe('active');
  });

  test('a refused token is not cached', async () => {
    const account = await withReplyPermission();
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
    const account = await withReplyPermission();
    await fault(trouble as object);
    const content = aThread();
    expectUnavailable(await storingNothing(() => post([account], { content })));
    expect((await post([account], { content })).status).toBe(200);
  });

  test('a request does not wait long when Threads does not answer', async () => {
    const account = await withReplyPermission();
    const { app } = stage.service();
    const server = await buildServer({ ...app, platformAccess: { ...app.platformAccess, timeoutMs: 200 } });
    await fault({ kind: 'timeout' });
    const payload = { content: aThread(), platforms: [account], publishNow: true };
    const headers = { 'x-service-key': stage.ada().apiKey };
    const answer = await storingNothing(() =>
      server.inject({ method: 'POST', url: '/api/v1/create-post', headers, payload }),
    );
    await server.close();
    expectUnavailable({ status: answer.statusCode, body: contractBody(answer.json()), headers: answer.headers });
  });

  test('nor for credentials that another process is renewing', async () => {
    const account = await withReplyPermission();
    const { app, database } = stage.service();
    await database.pool.query('update connections set expires_at = $1, renewing_until = $2 where user_id = $3', [
      inSeconds(-60),
      inSeconds(60),
      stage.ada().id,
    ]);
    const who = await whoIs(app.db, stage.ada().id);
    const shortTimeout = { ...app, platformAccess: { ...app.platformAccess, timeoutMs: 300 } };
    const input = { content: aThread(), platforms: [account], publishNow: true };
    const refusal = { status: 503, body: unavailable };
    await storingNothing(() => expect(createPostGroup(shortTimeout, who, input)).rejects.toMatchObject(refusal));
  });

  test('a failure while a token is renewed is not a refusal of the token', async () => {
    const account = await withReplyPermission();
    await fault({ kind: 'expired_token' });
    await control('POST', '/faults', { operation: 'token', kind: 'status', status: 503 });
    expectUnavailable(await storingNothing(() => post([account])));
  });

  test.for(['create-post', 'update-post'])(
    'an Idempotency-Key of %s can be used again: the retry runs, and its answer is stored',
    async (route) => {
      const account = await withReplyPermission();
      const id = (await post([account], { content: 'Single' })).body.postGroupId;
      const headers = { 'idempotency-key': 'once' };
      const content = aThread();
      const send = () =>
        route === 'create-post' ? post([account], { content }, stage.ada(), headers) : update(id, { content }, headers);
      await fault({ kind: 'status', status: 503 });
      expectUnavailable(await storingNothing(send));
      const first = await send();
      expect(first.status).toBe(200);
      expect((await storingNothing(send)).body).toEqual(first.body);
    },
  );

  test('a permission that is known to be missing comes before one that cannot be checked', async () => {
    const accounts = [await withoutReplyPermission(), await withReplyPermission()];
    await post(accounts.slice(0, 1));
    await fault(outage);
    expect(errorsIn(await storingNothing(() => post(accounts)))).toEqual([permissionMissing]);
  });
});

describe('[threads.permission] Threads is asked only about threads that are scheduled', () => {
  test.for<[title: string, more: object]>([
    ['a single post', { content: 'Single' }],
    ['a single post for now', { content: 'Single, now', publishNow: true, scheduledTime: undefined }],
    ['a draft', { scheduledTime: undefined }],
    ['a draft with a time', { status: 'draft' }],
  ])('%s needs no permission', async ([, more]) => {
    const account = await withoutReplyPermission();
    await fault(outage);
    expect(await permissionRequests(async () => expect((await post([account], more)).status).toBe(200))).toBe(0);
  });

  test('nor does a thread on X', async () => {
    const [x, threads] = [await stage.ada().aConnection('twitter'), await withoutReplyPermission()];
    await fault(outage);
    const content = 'x'.repeat(400);
    expect(await permissionRequests(async () => expect((await post([x, threads], { content })).status).toBe(200))).toBe(
      0,
    );
  });

  test('validate-post does not ask Threads', async () => {
    const body = { content: aThread(), platforms: [await withoutReplyPermission()], scheduledTime: tomorrow() };
    const requests = permissionRequests(async () => {
      const answer = await stage.ada().call('POST', '/validate-post', body);
      expect(answer).toMatchObject({ status: 200, body: { validation: { valid: true } } });
    });
    expect(await requests).toBe(0);
  });
});

describe('[threads.permission] with update-post', () => {
  /** Fails if the edit is accepted or the post changes. */
  async function refused(id: string, edit: object, expectRefusal: (answer: Answer) => void) {
    const before = await storedPost(stage.service(), id);
    expectRefusal(await update(id, edit));
    expect(await storedPost(stage.service(), id)).toEqual(before);
  }
  const expectMissing = (answer: Answer) => expect(errorsIn(answer)).toEqual([permissionMissing]);

  test.for<[title: string, created: object, edit: () => object]>([
    [
      'a draft that is scheduled',
      { scheduledTime: undefined },
      () => ({ status: 'scheduled', scheduledTime: tomorrow() }),
    ],
    ['a draft that is published now', { scheduledTime: undefined }, () => ({ publishNow: true })],
    ['a scheduled post that becomes a thread', { content: 'Single' }, () => ({ content: aThread() })],
  ])('%s', async ([, created, edit]) => {
    const account = await withoutReplyPermission();
    const id = (await post([account], created)).body.postGroupId;
    await refused(id, edit(), expectMissing);
    clock.advance({ seconds: 300 });
    await fault({ kind: 'status', status: 503 });
    await refused(id, edit(), expectUnavailable);
  });

  test('a scheduled thread that gets a Threads target', async () => {
    const x = await stage.ada().aConnection('twitter');
    const id = (await post([x])).body.postGroupId;
    await refused(id, { platforms: [x, await withoutReplyPermission()] }, expectMissing);
    expect((await update(id, { platforms: [x, await withReplyPermission()] })).status).toBe(200);
  });

  test('a scheduled thread is checked on every edit', async () => {
    const account = await byConsent(stage.ada(), 'for.a.while');
    const id = (await post([account])).body.postGroupId;
    await byConsent(stage.ada(), 'for.a.while', 'threads_basic,threads_content_publish');
    await refused(id, { scheduledTime: inSeconds(3600) }, expectMissing);
  });

  test('a post that is no longer a thread, or no longer scheduled, is not checked', async () => {
    const account = await withReplyPermission();
    const [first, second] = [(await post([account])).body.postGroupId, (await post([account])).body.postGroupId];
    clock.advance({ seconds: 300 });
    await fault(outage);
    const requests = permissionRequests(async () => {
      expect((await update(first, { content: 'Single' })).status).toBe(200);
      expect((await update(second, { status: 'draft' })).status).toBe(200);
      expect((await update(second, { content: aThread() })).status).toBe(200);
    });
    expect(await requests).toBe(0);
  });
});

describe('[update-post.check-order] the order of checks', () => {
  test('issues of the post itself come first, and Threads is not asked', async () => {
    const platforms = [await withoutReplyPermission(), await stage.ada().aConnection('instagram')];
    await fault(outage);
    const requests = permissionRequests(async () => {
      expect(errorsIn(await post(platforms))).toMatchObject([{ platform: 'instagram', code: 'MEDIA_REQUIRED' }]);
    });
    expect(await requests).toBe(0);
  });

  test('plan limits come after the permission', async () => {
    const ben = await stage.service().aUser({ plan: 'starter' });
    const [granted, withheld] = [await withReplyPermission(ben), await withoutReplyPermission(ben)];
    const late = { scheduledTime: inSeconds(30 * 86_400) };
    expect(errorsIn(await post([withheld], late, ben))).toEqual([permissionMissing]);
    expect(await post([granted], late, ben)).toMatchObject({ status: 403, body: { code: 'SCHEDULE_HORIZON_REACHED' } });
    clock.advance({ seconds: 300 });
    await fault({ kind: 'status', status: 503 });
    expectUnavailable(await post([granted], late, ben));
  });

  test('an edit during which another edit was stored changes nothing', async () => {
    const account = await withReplyPermission();
    const id = (await post([account], { content: 'Single' })).body.postGroupId;
    const { app } = stage.service();
    const overtaken: typeof fetch = async (...request) => {
      expect((await update(id, { content: 'Meanwhile' })).status).toBe(200);
      return app.platformAccess.fetch(...request);
    };
    const who = await whoIs(app.db, stage.ada().id);
    const slow = { ...app, platformAccess: { ...app.platformAccess, fetch: overtaken } };
    const editing = updatePostGroup(slow, who, id, { content: aThread(), publishNow: false });
    await expect(editing).rejects.toMatchObject({ status: 409, body: { code: 'POST_GROUP_VERSION_CONFLICT' } });
    expect((await stage.ada().call('GET', `/get-post/${id}`)).body.posts).toMatchObject([{ content: 'Meanwhile' }]);
  });
});
