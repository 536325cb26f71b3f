import { describe, expect, onTestFinished, test } from 'vitest';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import { disconnect } from '../connections/disconnect.ts';
import { dispatch } from './lanes/dispatcher.ts';
import { endDisconnectedPosts } from './maintenance/disconnected-posts.ts';

const { clock, service, ada, run, query } = publishingStage();

const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

interface Log {
  event: string;
  retryCount?: number;
  httpStatus?: number;
  metadata?: Record<string, unknown>;
}

async function aPost(more: object = {}) {
  const platforms = [await ada().aConnection()];
  const content = `Post ${process.hrtime.bigint()}`;
  const { body } = await ada().call('POST', '/create-post', { content, platforms, ...more });
  const id: string = body.postGroupId;
  return {
    id,
    account: platforms[0]!,
    update: async (edit: object) =>
      expect(await ada().call('PUT', `/update-post/${id}`, edit)).toMatchObject({ status: 200 }),
    states: async () => {
      const { status, posts } = (await ada().call('GET', `/get-post/${id}`)).body;
      return [status, posts[0].status];
    },
    target: async () => (await ada().call('GET', `/get-post/${id}`)).body.posts[0],
    logs: async () =>
      ((await ada().call('GET', `/post-logs/${id}`)).body.logs as Log[]).map(
        ({ event, retryCount, httpStatus, metadata }) => ({
          event,
          ...(httpStatus !== undefined && { httpStatus }),
          ...(retryCount !== undefined && { retryCount }),
          ...(metadata && { metadata }),
        }),
      ),
    events: async () => ((await ada().call('GET', `/post-logs/${id}`)).body.logs as Log[]).map(({ event }) => event),
    copies: async () => (await service().sandbox.posts()).filter(({ text }) => text === content).length,
  };
}

/** Makes writes of this event to the log of a post fail until the returned function is called. */
async function breakLog(postId: string, event: string) {
  const name = `broken_log_${postId}`;
  await query(`create function ${name}() returns trigger language plpgsql as $$
    begin raise exception 'The log is broken.'; end $$`);
  await query(`create trigger ${name} before insert on post_logs
    for each row when (new.post_group_id = '${postId}' and new.event = '${event}') execute function ${name}()`);
  const repair = () => query(`drop function if exists ${name} cascade`);
  onTestFinished(async () => void (await repair()));
  return repair;
}

describe('every change of state is in the log', () => {
  test('from the draft through a pause, a server error and a rate limit to the end', async () => {
    const post = await aPost();
    expect([await post.states(), await post.logs()]).toEqual([['draft', 'draft'], []]);
    await post.update({ status: 'scheduled', scheduledTime: inSeconds(60) });
    expect(await post.states()).toEqual(['scheduled', 'scheduled']);
    await post.update({ status: 'draft' });
    await post.update({ status: 'scheduled' });

    clock.advance({ seconds: 60 });
    await dispatch(service().app);
    expect(await post.states()).toEqual(['scheduled', 'pending']);
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 503 });
    await run();
    expect(await post.states()).toEqual(['scheduled', 'pending']);
    await service().sandbox.fault({ kind: 'rate_limit', operation: 'publish', retryAfterSeconds: 60 });
    const second = inSeconds(30);
    clock.advance({ seconds: 30 });
    await run();
    // One extra second, because the Retry-After header has whole seconds.
    clock.advance({ seconds: 61 });
    await run();
    expect(await post.states()).toEqual(['published', 'published']);

    const { postedId } = await post.target();
    expect(await post.logs()).toEqual([
      { event: 'scheduled' },
      { event: 'status_changed', metadata: { from: 'scheduled', to: 'draft', reason: 'update' } },
      { event: 'scheduled' },
      { event: 'processing' },
      { event: 'publish_attempted' },
      {
        event: 'publish_retry',
        retryCount: 1,
        httpStatus: 503,
        metadata: { nextAttemptAt: second, errorCode: 'PLATFORM_SERVER_ERROR' },
      },
      { event: 'processing', retryCount: 1 },
      { event: 'publish_attempted', retryCount: 1 },
      {
        event: 'publish_retry',
        retryCount: 1,
        httpStatus: 429,
        metadata: { nextAttemptAt: expect.any(String), errorCode: 'RATE_LIMITED' },
      },
      { event: 'processing', retryCount: 1 },
      { event: 'publish_attempted', retryCount: 1 },
      { event: 'publish_succeeded', metadata: { postedId } },
    ]);
  });

  test('a failure with its code', async () => {
    const post = await aPost({ publishNow: true });
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 422 });
    await run();
    expect(await post.states()).toEqual(['failed', 'failed']);
    expect((await post.logs()).at(-1)).toEqual({
      event: 'publish_failed',
      httpStatus: 422,
      metadata: { errorCode: 'INVALID_CONTENT', retryable: false },
    });
  });

  test('the failure of a post whose account was disconnected while it was being published', async () => {
    const post = await aPost({ publishNow: true });
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 503 });
    await run();
    await disconnect(service().app, { userId: ada().id }, post.account);
    await endDisconnectedPosts(service().app);
    expect(await post.states()).toEqual(['failed', 'failed']);
    expect((await post.logs()).at(-1)).toMatchObject({
      event: 'publish_failed',
      metadata: { errorCode: expect.stringMatching(/\S/) },
    });
  });
});

test('a post whose account was disconnected while only its files were there was not published', async () => {
  const post = await aPost({ publishNow: true });
  await dispatch(service().app);
  const target = await post.target();
  await query(
    `insert into publish_steps (platform_post_id, name, started_at, ended_at, result)
      values ($1, 'upload 0', now(), now(), '{}')`,
    [target._id],
  );
  await disconnect(service().app, { userId: ada().id }, post.account);
  await endDisconnectedPosts(service().app);
  expect(await post.target()).toMatchObject({ status: 'failed', error: { code: 'PLATFORM_AUTH_EXPIRED' } });
});

describe('a change whose log row cannot be written does not happen', () => {
  test('scheduling and pausing', async () => {
    const post = await aPost();
    const repair = await breakLog(post.id, 'scheduled');
    const edit = { status: 'scheduled', scheduledTime: inSeconds(3600) };
    expect(await ada().call('PUT', `/update-post/${post.id}`, edit)).toMatchObject({ status: 500 });
    expect(await post.states()).toEqual(['draft', 'draft']);
    await repair();
    await post.update(edit);

    await breakLog(post.id, 'status_changed');
    expect(await ada().call('PUT', `/update-post/${post.id}`, { status: 'draft' })).toMatchObject({ status: 500 });
    expect(await post.states()).toEqual(['scheduled', 'scheduled']);
  });

  test('claiming: then nothing is sent', async () => {
    const post = await aPost({ publishNow: true });
    const repair = await breakLog(post.id, 'publish_attempted');
    await expect(run()).rejects.toThrow('The log is broken.');
    expect([await post.states(), await post.copies()]).toEqual([['scheduled', 'pending'], 0]);
    await repair();
    await run();
    expect([await post.states(), await post.copies()]).toEqual([['published', 'published'], 1]);
  });

  test('success: then it is stored later, and nothing is sent twice', async () => {
    const post = await aPost({ publishNow: true });
    const repair = await breakLog(post.id, 'publish_succeeded');
    await expect(run()).rejects.toThrow('The log is broken.');
    expect([await post.states(), await post.copies()]).toEqual([['scheduled', 'processing'], 1]);
    await repair();
    await run();
    expect([await post.states(), await post.copies()]).toEqual([['published', 'published'], 1]);
  });

  test.for([
    ['publish_failed', 422, ['failed', 'failed']],
    ['publish_retry', 503, ['scheduled', 'pending']],
  ] as const)('%s', async ([event, status, states]) => {
    const post = await aPost({ publishNow: true });
    const repair = await breakLog(post.id, event);
    await service().sandbox.fault({ kind: 'status', operation: 'publish', status, times: 2 });
    await expect(run()).rejects.toThrow('The log is broken.');
    expect(await post.states()).toEqual(['scheduled', 'processing']);
    await repair();
    await run();
    expect(await post.states()).toEqual(states);
    expect((await post.events()).filter((one) => one === event)).toHaveLength(1);
  });
});

describe('a post cannot end without its evidence', () => {
  const set = (id: string, change: string) =>
    query(`update platform_posts set ${change} where post_group_id = $1`, [id]);

  test.for([
    `status = 'published', posted_id = null`,
    `status = 'published', posted_id = ''`,
    `status = 'failed', error = null`,
    `status = 'failed', error = 'null'`,
    `status = 'failed', error = '{}'`,
    `status = 'failed', error = '{"code": ""}'`,
    `status = 'failed', error = '{"message": "It did not work."}'`,
  ])('%s cannot be stored', async (change) => {
    const post = await aPost();
    await expect(set(post.id, change)).rejects.toThrow('violates check constraint');
    expect(await post.states()).toEqual(['draft', 'draft']);
  });
});
