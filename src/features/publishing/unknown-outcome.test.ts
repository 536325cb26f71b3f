import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { publishDue, requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxFault, SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

const { clock, service, ada, run, query, control } = publishingStage();

/** Mastodon can be searched for a post, Telegram cannot. */
type Vendor = 'mastodon' | 'telegram';
let posts = 0;

async function aDuePost(vendor: Vendor = 'mastodon') {
  posts += 1;
  const [content, handle] = [`Post ${posts}`, `author${posts}`];
  const { platformId } = await connectSandboxAccount(service().app, service().sandbox.url, ada().id, {
    platform: vendor,
    handle,
  });
  const { body } = await ada().call('POST', '/create-post', { content, platforms: [platformId], publishNow: true });
  const id: string = body.postGroupId;
  return {
    id,
    platformId,
    group: async () => (await ada().call('GET', `/get-post/${id}`)).body,
    target: async () => (await ada().call('GET', `/get-post/${id}`)).body.posts[0],
    events: async (): Promise<string[]> =>
      (await ada().call('GET', `/post-logs/${id}`)).body.logs.map(({ event }: { event: string }) => event),
    atTheVendor: async () => {
      const atVendor = await control<SandboxPost[]>('GET', `/posts?network=${vendor}`);
      return atVendor.filter(({ text }) => text === content).map((post) => post.id);
    },
  };
}

const fault = (vendor: Vendor, what: SandboxFault) =>
  control('POST', '/faults', { network: vendor, operation: 'publish', ...what });

const publishRequests = async (vendor: Vendor) => {
  const requests = await control<{ operation: string }[]>('GET', `/requests?network=${vendor}`);
  return requests.filter(({ operation }) => operation === 'publish').length;
};
/** Waits until the platform has received one more publish request. */
const underWay = (vendor: Vendor, before: number) =>
  eventually(async () => expect(await publishRequests(vendor)).toBe(before + 1), { interval: 10 });

/** Backdates the worker's last heartbeat so that the worker counts as silent. */
const silence = (worker: string) =>
  query(`update workers set seen_at = now() - interval '1 hour' where id = $1`, [worker]);

/** A process that dies while the platform is responding. */
async function dieWhilePublishing(vendor: Vendor) {
  const dying = await testApp({ database: service().database, sandboxUrl: service().sandbox.url, clock });
  const before = await publishRequests(vendor);
  await fault(vendor, { kind: 'latency', latencyMs: 500 });
  const publishing = publishDue(dying.app, 'dying').catch(() => 'died');
  await underWay(vendor, before);
  await dying.close();
  expect(await publishing).toBe('died');
  await silence('dying');
}

describe('after the platform has accepted a post', () => {
  const failEmitting = async () => {
    await query(`create or replace function fail_emitting() returns trigger language plpgsql as $$
      begin raise exception 'The event cannot be stored.'; end $$`);
    await query('create trigger fail_emitting before insert on events for each row execute function fail_emitting()');
    return () => query('drop trigger fail_emitting on events');
  };

  test('it is not sent again, although storing the result fails', async () => {
    const post = await aDuePost();
    const recover = await failEmitting();
    for (let time = 1; time <= 3; time += 1) await expect(run()).rejects.toThrow('The event cannot be stored.');
    expect([await post.atTheVendor(), (await post.target()).status]).toMatchObject([{ length: 1 }, 'processing']);

    await recover();
    await run();
    const [id] = await post.atTheVendor();
    expect(await post.atTheVendor()).toHaveLength(1);
    expect(await post.target()).toMatchObject({ status: 'published', postedId: id });
    expect((await post.events()).filter((event) => event === 'publish_succeeded')).toHaveLength(1);
  });

  test('it counts as published, although the next run is refused before it comes to that step', async () => {
    const post = await aDuePost();
    const recover = await failEmitting();
    await expect(run()).rejects.toThrow('The event cannot be stored.');
    await recover();
    await query('update users set is_active = false where id = $1', [ada().id]);
    clock.advance({ seconds: 25 * 3_600 });
    await run();
    await query('update users set is_active = true where id = $1', [ada().id]);
    const [id] = await post.atTheVendor();
    expect(await post.target()).toMatchObject({ status: 'published', postedId: id });
  });

  test('its outcome is unknown, if no later run can read what was stored', async () => {
    const post = await aDuePost();
    const recover = await failEmitting();
    await expect(run()).rejects.toThrow('The event cannot be stored.');
    await recover();
    const accountId = post.platformId.slice('mastodon-'.length);
    await query(`update connections set credentials = 'unreadable' where account_id = $1`, [accountId]);
    await run();
    expect(await post.atTheVendor()).toHaveLength(1);
    expect(await post.target()).toMatchObject({ status: 'failed', error: { code: 'PUBLISH_OUTCOME_UNKNOWN' } });
  });

  test('and the result was stored, it is never run again', async () => {
    const post = await aDuePost();
    await run();
    for (const seconds of [0, 60, 86_400, 90 * 86_400]) {
      clock.advance({ seconds });
      await run();
    }
    expect(await post.atTheVendor()).toHaveLength(1);
  });

  test('a process that dies before it stores the result leaves it to another, which finds it', async () => {
    const post = await aDuePost('mastodon');
    await dieWhilePublishing('mastodon');
    await run();
    const atVendor = await post.atTheVendor();
    expect(atVendor).toHaveLength(1);
    expect(await post.target()).toMatchObject({ status: 'published', postedId: atVendor[0] });
  });
});

describe('a request that the platform does not show may still be in flight', () => {
  const seconds = 90;

  test('so it is not sent again before one and a half time limits are over', async () => {
    const post = await aDuePost();
    const before = await publishRequests('mastodon');
    await fault('mastodon', { kind: 'reset_before' });
    await run();
    // The next attempt comes after 30 seconds, too early to know the outcome.
    clock.advance({ seconds: 30 });
    await run();
    expect(await publishRequests('mastodon')).toBe(before + 1);
    expect((await post.target()).status).toBe('processing');
    expect((await post.group()).status).toBe('scheduled');

    await requestsAreOver(service().app);
    clock.advance({ seconds });
    await run();
    expect((await post.target()).status).toBe('published');
    expect(await publishRequests('mastodon')).toBe(before + 2);
  });

  test('and is found after it has arrived, by a worker that looked too early', async () => {
    const post = await aDuePost();
    const before = await publishRequests('mastodon');
    await fault('mastodon', { kind: 'latency', latencyMs: 4_000 });
    const dying = await testApp({ database: service().database, sandboxUrl: service().sandbox.url, clock });
    const publishing = publishDue(dying.app, 'dying').catch(() => 'died');
    await underWay('mastodon', before);
    await silence('dying');
    await run();
    expect(await post.atTheVendor()).toEqual([]);
    await dying.close();
    expect(await publishing).toBe('died');

    const [id] = await eventually(async () => {
      const atVendor = await post.atTheVendor();
      expect(atVendor).toHaveLength(1);
      return atVendor;
    });
    clock.advance({ seconds });
    await run();
    expect(await post.target()).toMatchObject({ status: 'published', postedId: id });
    expect(await publishRequests('mastodon')).toBe(before + 1);
  });

  test('a comment waits just as long', async () => {
    const { platformId } = await aDuePost();
    await run();
    const { body } = await ada().call('POST', '/create-post', {
      content: 'With a comment',
      platforms: [platformId],
      publishNow: true,
      firstComment: { text: 'Delayed on its way' },
    });
    const result = async () =>
      (await ada().call('GET', `/get-post/${body.postGroupId}`)).body.posts[0].firstCommentResult;
    const comments = async () =>
      (await control<{ operation: string }[]>('GET', '/requests?network=mastodon')).filter(
        ({ operation }) => operation === 'comment',
      ).length;
    const before = await comments();
    await control('POST', '/faults', { network: 'mastodon', operation: 'comment', kind: 'latency', latencyMs: 1_000 });
    const dying = await testApp({ database: service().database, sandboxUrl: service().sandbox.url, clock });
    const commenting = publishDue(dying.app, 'dying').catch(() => 'died');
    await eventually(async () => expect(await comments()).toBe(before + 1), { interval: 10 });
    await silence('dying');
    await run();
    expect(await result()).toMatchObject({ status: 'pending', error: null });
    await dying.close();
    expect(await commenting).toBe('died');
    const atTheVendor = async () => (await service().sandbox.posts()).map(({ text }) => text);
    await eventually(async () => expect(await atTheVendor()).toContain('Delayed on its way'));
    clock.advance({ seconds });
    await run();
    expect(await result()).toMatchObject({ status: 'posted' });
    expect(await comments()).toBe(before + 1);
  });
});

describe('an outcome that cannot be found out', () => {
  test.for<[string, () => Promise<void>]>([
    ['after the platform closed the connection', async () => void (await fault('telegram', { kind: 'reset_after' }))],
    ['after a gateway error', async () => void (await fault('telegram', { kind: 'status', status: 502 }))],
    ['after the process died', () => dieWhilePublishing('telegram')],
  ])('%s is reported as unknown and never retried', async ([, happen]) => {
    const post = await aDuePost('telegram');
    await happen();
    await run();
    const atVendor = await post.atTheVendor();
    const target = await post.target();
    expect(target).toMatchObject({
      status: 'failed',
      postedId: null,
      error: { code: 'PUBLISH_OUTCOME_UNKNOWN', retryable: false },
    });
    expect(target.error.message).toMatch(/check/i);
    expect(target.error.message).not.toMatch(/try again|retry/i);
    expect((await post.group()).status).toBe('failed');

    for (const seconds of [30, 600, 86_400]) {
      clock.advance({ seconds });
      await run();
    }
    expect(await post.atTheVendor()).toEqual(atVendor);
    expect((await post.events()).filter((event) => event === 'publish_failed')).toHaveLength(1);
  });
});

describe('a worker whose post another has taken over and published', () => {
  test.for<[string, SandboxFault]>([
    ['rejected', { kind: 'status', status: 422 }],
    ['server error', { kind: 'status', status: 503 }],
    ['rate limited', { kind: 'rate_limit', retryAfterSeconds: 600 }],
    ['refused credentials', { kind: 'expired_token' }],
  ])('writes nothing about the response that it gets: %s', async ([, answer]) => {
    const post = await aDuePost();
    const before = await publishRequests('mastodon');
    await fault('mastodon', { kind: 'latency', latencyMs: 500 });
    // The other worker's request succeeds.
    await fault('mastodon', { ...answer, skip: 1 });
    const slow = run('slow');
    await underWay('mastodon', before);
    await silence('slow');
    await requestsAreOver(service().app);
    await run('quick');
    await slow;

    const [id] = await post.atTheVendor();
    expect(await post.target()).toMatchObject({ status: 'published', postedId: id });
    expect(await post.target()).not.toHaveProperty('error');
    expect((await post.group()).status).toBe('published');
    expect((await post.events()).slice(-1)).toEqual(['publish_succeeded']);
    const { rows } = await query(
      'select cool_down_until, reconnect_required_at, last_error from connections where account_id = $1',
      [post.platformId.slice('mastodon-'.length)],
    );
    expect(rows).toEqual([{ cool_down_until: null, reconnect_required_at: null, last_error: null }]);
  });
});
