import { describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import {
  errorsIn,
  expectUnavailable,
  outage,
  permissionMissing,
  threadsStage,
} from '../../../../test/support/stages/threads.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = threadsStage(clock);
const { byConsent, fault, permissionRequests, post, storingNothing, withReplyPermission, withoutReplyPermission } =
  stage;

describe('[threads.permission] the permission to reply is cached', () => {
  test.for([
    ['that it is there', withReplyPermission, 200],
    ['that it is missing', withoutReplyPermission, 400],
  ] as const)('for five minutes: %s', async ([, make, status]) => {
    const account = await make();
    const attempt = async () => expect((await post([account])).status).toBe(status);
    expect(await permissionRequests(attempt)).toBe(1);
    expect(await permissionRequests(attempt)).toBe(0);
    clock.advance({ seconds: 299 });
    expect(await permissionRequests(attempt)).toBe(0);
    clock.advance({ seconds: 1 });
    expect(await permissionRequests(attempt)).toBe(1);
    expect(await permissionRequests(attempt)).toBe(0);
  });

  test('so an outage does not affect an account that was checked before', async () => {
    const account = await withReplyPermission();
    await post([account]);
    await fault(outage);
    expect((await post([account])).status).toBe(200);
    clock.advance({ seconds: 300 });
    expectUnavailable(await post([account]));
  });

  test('ten concurrent requests ask Threads once', async () => {
    const account = await withReplyPermission();
    await fault({ kind: 'latency', latencyMs: 300 });
    const requests = permissionRequests(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post([account])));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    });
    expect(await requests).toBe(1);
  });

  test('for each connection on its own', async () => {
    const [first, second] = [await withReplyPermission(), await withReplyPermission()];
    await post([first]);
    expect(await permissionRequests(() => post([second]))).toBe(1);
    expect(await permissionRequests(() => post([first, second]))).toBe(0);
  });

  test('not beyond a new connection: an account that reconnects with the permission can schedule immediately', async () => {
    const handle = 'comes.back';
    const withheld = await byConsent(stage.ada(), handle, 'threads_basic,threads_content_publish');
    expect(errorsIn(await post([withheld]))).toEqual([permissionMissing]);
    const granted = await byConsent(stage.ada(), handle);
    expect(granted).toBe(withheld);
    expect((await post([granted])).status).toBe(200);
  });

  test('a permission that was withdrawn in a new connection is gone immediately', async () => {
    const handle = 'thinks.again';
    const account = await byConsent(stage.ada(), handle);
    expect((await post([account])).status).toBe(200);
    await byConsent(stage.ada(), handle, 'threads_basic,threads_content_publish');
    expect(errorsIn(await post([account]))).toEqual([permissionMissing]);
  });

  test('not for other users: each user of an account has the permissions that were granted to them', async () => {
    const eve = await stage.service().aUser();
    const handle = 'shared';
    const account = await byConsent(stage.ada(), handle);
    await byConsent(eve, handle, 'threads_basic,threads_content_publish');
    expect((await post([account])).status).toBe(200);
    expect(errorsIn(await post([account], {}, eve))).toEqual([permissionMissing]);
  });

  test("another user's connection is refused before Threads is asked", async () => {
    const [account, eve] = [await withReplyPermission(), await stage.service().aUser()];
    const requests = permissionRequests(async () => {
      const { status, body } = await storingNothing(() => post([account], {}, eve));
      expect([status, body.invalidPlatforms]).toEqual([400, [account]]);
    });
    expect(await requests).toBe(0);
  });
});
