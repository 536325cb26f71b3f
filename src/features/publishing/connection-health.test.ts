import { describe, expect, test } from 'vitest';
import { publishDue, requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxFault } from '../../../test/support/servers/sandbox.ts';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import type { PlatformId } from '../../platforms/index.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

const { clock, service, ada } = publishingStage();

/** A short timeout, so that requests to an unresponsive platform fail quickly. */
const run = () => publishDue({ ...service().app, platformAccess: { ...service().app.platformAccess, timeoutMs: 300 } });
const now = () => clock.now().toISOString();

let accounts = 0;

/** An account, its state, and a way to post to it. */
async function anAccount(platform: PlatformId = 'mastodon') {
  accounts += 1;
  const account = { platform, handle: `standing${accounts}` };
  const { platformId } = await connectSandboxAccount(service().app, service().sandbox.url, ada().id, account);
  return {
    platformId,
    standing: async () => {
      const { connections } = (await ada().call('GET', '/platform-connections')).body;
      return connections.find((one: { platformId: string }) => one.platformId === platformId);
    },
    async publish(more: object = {}) {
      const content = `Post ${process.hrtime.bigint()}`;
      const post = { content, platforms: [platformId], publishNow: true, ...more };
      const { body } = await ada().call('POST', '/create-post', post);
      await run();
      return {
        target: async () => (await ada().call('GET', `/get-post/${body.postGroupId}`)).body.posts[0],
        logs: async () => (await ada().call('GET', `/post-logs/${body.postGroupId}`)).body.logs,
      };
    },
  };
}

const fault = async (what: SandboxFault, vendor: PlatformId = 'mastodon') => {
  const response = await fetch(`${service().sandbox.url}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: vendor, operation: 'publish', ...what }),
  });
  expect(response.status).toBe(201);
};

/** Runs every retry of a transient failure. */
async function untilGivenUp() {
  for (const seconds of [30, 120, 600]) {
    clock.advance({ seconds });
    await requestsAreOver(service().app);
    await run();
  }
}

test('a new account is active and has neither a success nor an error', async () => {
  const { standing } = await anAccount();
  expect(await standing()).toMatchObject({ connectionStatus: 'active', lastSuccessfulPost: null, lastError: null });
});

test('[connection.last-error] a success is stored with its time and clears the last error', async () => {
  const { standing, publish } = await anAccount();
  await fault({ kind: 'status', status: 422 });
  await publish();
  expect((await standing()).lastError).toMatchObject({ occurredAt: now() });
  clock.advance({ seconds: 5 });
  await publish();
  expect(await standing()).toMatchObject({ connectionStatus: 'active', lastSuccessfulPost: now(), lastError: null });
});

describe('failures that say nothing about the credentials never ask for a reconnection', () => {
  test.for<[string, SandboxFault, code: string]>([
    ['500', { kind: 'status', status: 500 }, 'PLATFORM_SERVER_ERROR'],
    ['503', { kind: 'status', status: 503 }, 'PLATFORM_SERVER_ERROR'],
    ['no response', { kind: 'timeout' }, 'TIMEOUT_ERROR'],
    ['a lost connection', { kind: 'reset_before' }, 'NETWORK_ERROR'],
  ])('%s, also after the last retry', async ([, what, code]) => {
    const { standing, publish } = await anAccount();
    await fault({ ...what, times: 20 });
    const { target } = await publish();
    await untilGivenUp();
    expect(await target()).toMatchObject({ status: 'failed', error: { code, retryable: true } });
    const { connectionStatus, tokenStatus, lastError } = await standing();
    expect([connectionStatus, tokenStatus]).toEqual(['active', 'valid']);
    expect(lastError).toEqual({ message: expect.stringMatching(/\S/), occurredAt: now() });
  });

  test('a rejected text', async () => {
    const { standing, publish } = await anAccount();
    await fault({ kind: 'status', status: 422 });
    const { target } = await publish();
    const { error } = await target();
    expect(error).toMatchObject({ code: 'INVALID_CONTENT' });
    expect(await standing()).toMatchObject({
      connectionStatus: 'active',
      lastSuccessfulPost: null,
      lastError: { message: error.message, occurredAt: now() },
    });
  });

  test('an error while credentials are renewed for a post, which is published later', async () => {
    const { platformId, standing, publish } = await anAccount('twitter');
    await service().database.pool.query('update connections set expires_at = $2 where account_id = $1', [
      platformId.slice('twitter-'.length),
      new Date(clock.now().getTime() - 60_000),
    ]);
    await fault({ kind: 'status', status: 503, operation: 'token' }, 'twitter');
    const { target } = await publish();
    expect((await target()).status).toBe('pending');
    expect(await standing()).toMatchObject({ connectionStatus: 'active', tokenStatus: 'valid' });
    clock.advance({ seconds: 30 });
    await run();
    expect((await target()).status).toBe('published');
  });

  test('a comment that the account is not allowed to write', async () => {
    const { standing, publish } = await anAccount();
    await fault({ kind: 'status', status: 403, operation: 'comment' });
    const { target } = await publish({ firstComment: { text: 'Not allowed' } });
    expect((await target()).firstCommentResult).toMatchObject({ status: 'failed' });
    expect(await standing()).toMatchObject({ connectionStatus: 'active', tokenStatus: 'valid' });
  });
});

describe('refused credentials', () => {
  test.for(['mastodon', 'twitter', 'linkedin'] as const)(
    'of %s ask for a reconnection until a post is published',
    async (platform) => {
      const { standing, publish } = await anAccount(platform);
      // The renewed credentials are rejected as well.
      await fault({ kind: 'expired_token', times: 2 }, platform);
      const { target } = await publish();
      const { error } = await target();
      expect(error).toMatchObject({ code: 'PLATFORM_AUTH_EXPIRED', retryable: false });
      expect(await standing()).toMatchObject({
        connectionStatus: 'reconnect_required',
        lastSuccessfulPost: null,
        lastError: { message: error.message, occurredAt: now() },
      });

      await service().sandbox.clearFaults();
      clock.advance({ seconds: 60 });
      await publish();
      expect(await standing()).toMatchObject({ connectionStatus: 'active', lastSuccessfulPost: now() });
    },
  );

  test('of a first comment ask for a reconnection, also after a renewal', async () => {
    const { standing, publish } = await anAccount('twitter');
    await fault({ kind: 'expired_token', operation: 'comment', times: 2 }, 'twitter');
    const { target } = await publish({ firstComment: { text: 'Refused' } });
    await run();
    expect((await target()).firstCommentResult).toMatchObject({ status: 'failed' });
    expect(await standing()).toMatchObject({
      connectionStatus: 'reconnect_required',
      lastError: { message: expect.stringMatching(/\S/), occurredAt: now() },
    });
  });

  test('whose renewal is refused ask for a reconnection', async () => {
    const { platformId, standing, publish } = await anAccount('twitter');
    await service().database.pool.query('update connections set expires_at = $2 where account_id = $1', [
      platformId.slice('twitter-'.length),
      new Date(clock.now().getTime() - 60_000),
    ]);
    await fault({ kind: 'expired_token', operation: 'token', times: 2 }, 'twitter');
    const { target } = await publish();
    expect((await target()).error).toMatchObject({ code: 'PLATFORM_AUTH_EXPIRED' });
    expect((await standing()).connectionStatus).toBe('reconnect_required');
  });
});

describe('a platform that asks us to wait', () => {
  test('is not called until then, and post, log and account say so', async () => {
    const { standing, publish } = await anAccount();
    await fault({ kind: 'rate_limit', retryAfterSeconds: 600 });
    const { target, logs } = await publish();
    expect((await target()).status).toBe('pending');
    const last = (await logs()).at(-1);
    expect(last).toMatchObject({ event: 'publish_retry', metadata: { errorCode: 'RATE_LIMITED' } });
    const seconds = (Date.parse(last.metadata.nextAttemptAt) - clock.now().getTime()) / 1000;
    expect([600, 601]).toContain(Math.round(seconds));
    expect(await standing()).toMatchObject({
      connectionStatus: 'active',
      lastError: { message: expect.stringMatching(/\S/), occurredAt: now() },
    });

    const other = await publish();
    clock.advance({ seconds: 599 });
    const before = (await service().sandbox.requests()).length;
    await run();
    expect((await service().sandbox.requests()).length).toBe(before);
    expect([(await target()).status, (await other.target()).status]).toEqual(['pending', 'pending']);

    clock.advance({ seconds: 3 });
    await run();
    expect([(await target()).status, (await other.target()).status]).toEqual(['published', 'published']);
  });

  test('gets the posts in their order afterwards', async () => {
    const { publish } = await anAccount();
    await fault({ kind: 'rate_limit', retryAfterSeconds: 600 });
    const posts: Awaited<ReturnType<typeof publish>>[] = [];
    for (let count = 1; count <= 3; count += 1) {
      posts.push(await publish());
      clock.advance({ seconds: 1 });
    }
    clock.advance({ seconds: 602 });
    await run();
    const ids = await Promise.all(posts.map(async ({ target }) => BigInt((await target()).postedId)));
    expect(ids).toEqual(ids.toSorted((one, other) => Number(one - other)));
  });

  test('is still called for other accounts', async () => {
    const [resting, awake] = [await anAccount(), await anAccount()];
    await fault({ kind: 'rate_limit', retryAfterSeconds: 600 });
    await resting.publish();
    const { target } = await awake.publish();
    expect((await target()).status).toBe('published');
  });
});
