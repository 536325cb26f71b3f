import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';

const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

test('[platform-post.retry] a target that is being retried shows the reason and the next attempt, and neither when it has ended', async () => {
  const ada = await service.aUser();
  const post = { content: 'Again', platforms: [await ada.aConnection()], publishNow: true };
  const { postGroupId } = (await ada.call('POST', '/create-post', post)).body;
  const target = async () => (await ada.call('GET', `/get-post/${postGroupId}`)).body.posts[0];
  expect(await target()).not.toHaveProperty('retry');

  await service.sandbox.fault({ kind: 'status', operation: 'publish', status: 503 });
  await publishDue(service.app);
  const retried = await target();
  expect(retried).toMatchObject({
    status: 'pending',
    retry: {
      error: {
        code: 'PLATFORM_SERVER_ERROR',
        message: expect.stringContaining('Mastodon'),
        platformStatusCode: 503,
        failedAt: clock.now().toISOString(),
      },
      nextAttemptAt: new Date(clock.now().getTime() + 30_000).toISOString(),
    },
  });
  expect(retried).not.toHaveProperty('error');
  await service.database.pool.query(
    "update platform_posts set status = 'processing', claim_token = 'running' where post_group_id = $1",
    [postGroupId],
  );
  expect(await target()).toMatchObject({ status: 'processing', retry: { nextAttemptAt: null } });

  await service.database.pool.query('update platform_posts set claim_token = null where post_group_id = $1', [
    postGroupId,
  ]);
  clock.advance({ seconds: 30 });
  await publishDue(service.app);
  const published = await target();
  expect(published.status).toBe('published');
  expect(published).not.toHaveProperty('retry');
  expect(published).not.toHaveProperty('error');
});

test('[platform-post.retry] a target that waits for a rate limit, itself or behind another, shows when that ends', async () => {
  const ada = await service.aUser();
  const post = { content: 'Slowly', platforms: [await ada.aConnection()], publishNow: true };
  const { postGroupId } = (await ada.call('POST', '/create-post', post)).body;
  await service.sandbox.fault({ kind: 'rate_limit', operation: 'publish', retryAfterSeconds: 600 });
  await publishDue(service.app);
  const behind = (await ada.call('POST', '/create-post', { ...post, content: 'Behind it' })).body.postGroupId;
  await publishDue(service.app);
  for (const id of [postGroupId, behind]) {
    const [target] = (await ada.call('GET', `/get-post/${id}`)).body.posts;
    expect(target).toMatchObject({ status: 'pending', retry: { error: { code: 'RATE_LIMITED' } } });
    const seconds = (Date.parse(target.retry.nextAttemptAt) - clock.now().getTime()) / 1000;
    expect([600, 601]).toContain(Math.round(seconds));
  }
});
