import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { publishDue, requestsAreOver } from '../../../test/support/publishing/publish-due.ts';
import { serve } from '../../../test/support/servers/local.ts';
import type { SandboxFault, SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { startPublishing } from './tasks.ts';

const { clock, service, ada, run, query, control } = publishingStage();

/** Mastodon can be searched for a post, Telegram cannot. */
type Vendor = 'mastodon' | 'telegram';
/** Listing posts, used to search for a post on Mastodon, counts as one of its `stats` operations. */
type Operation = 'publish' | 'comment' | 'stats';

const fault = (what: SandboxFault, vendor: Vendor = 'mastodon') =>
  control('POST', '/faults', { network: vendor, ...what });

const requests = async (operation: Operation, vendor: Vendor = 'mastodon') => {
  const all = await control<{ operation: string }[]>('GET', `/requests?network=${vendor}`);
  return all.filter((request) => request.operation === operation).length;
};
/** Waits until the platform has received this many requests of this kind. */
const reached = (count: number, operation: Operation, vendor?: Vendor) =>
  eventually(async () => expect(await requests(operation, vendor)).toBe(count), { interval: 10 });

let posts = 0;

/** A post that is due now. Its comment, if it has one, is due ten seconds after it is published. */
async function aDuePost(vendor: Vendor = 'mastodon', comment?: string) {
  posts += 1;
  const [content, handle] = [`Post ${posts}`, `author${posts}`];
  const account = { platform: vendor, handle };
  const { platformId } = await connectSandboxAccount(service().app, service().sandbox.url, ada().id, account);
  const firstComments = comment ? [{ text: comment, delaySeconds: 10 }] : [];
  const post = { content, platforms: [platformId], publishNow: true, firstComments };
  const { body } = await ada().call('POST', '/create-post', post);
  const id: string = body.postGroupId;
  const target = async () => (await ada().call('GET', `/get-post/${id}`)).body.posts[0];
  const postsAtVendor = () => control<SandboxPost[]>('GET', `/posts?network=${vendor}`);
  const standing = async () => {
    const { connections } = (await ada().call('GET', '/platform-connections')).body;
    return connections.find((one: { platformId: string }) => one.platformId === platformId);
  };
  return {
    target,
    standing,
    comment: async () => (await target()).firstCommentResults[0],
    atTheVendor: async () => (await postsAtVendor()).filter(({ text }) => text === content).map((one) => one.id),
    comments: async () => {
      const { postedId } = await target();
      return (await postsAtVendor()).filter(({ inReplyTo }) => inReplyTo === postedId).map((one) => one.id);
    },
    /** Everything that a failed attempt would have stored. */
    async verdicts() {
      const { logs } = (await ada().call('GET', `/post-logs/${id}`)).body;
      const { rows } = await query(`select attempts, run_at from platform_posts where post_group_id = '${id}'`);
      const { connectionStatus, lastError } = await standing();
      return {
        ...rows[0],
        logged: logs.map(({ event }: { event: string }) => event).filter((event: string) => /retry|failed/.test(event)),
        connectionStatus,
        lastError,
      };
    },
  };
}

async function aPostWithACommentDue() {
  const post = await aDuePost('mastodon', 'First!');
  await run();
  clock.advance({ seconds: 10 });
  return post;
}

/** The id of the post on the platform, once it has been accepted. */
const arrived = (list: () => Promise<string[]>) =>
  eventually(async () => {
    const ids = await list();
    expect(ids).toHaveLength(1);
    return ids[0];
  });

/** A worker that is stopped with no timeout while a request of this kind hangs. */
async function stopAWorker(operation: Operation, hanging: Omit<SandboxFault, 'operation'>) {
  const before = await requests(operation);
  // The test clock is stopped, so the head start of other workers would never end.
  await query('delete from workers');
  await fault({ operation, ...hanging });
  const worker = await startPublishing(service().app);
  try {
    await reached(before + 1 + (hanging.skip ?? 0), operation);
  } finally {
    await worker.stop(0);
  }
}

describe('a worker that is stopped while a request hangs', () => {
  /** Runs attempts that fail and count, advancing the clock to each next one. */
  async function failedTries(count: number) {
    for (const seconds of [30, 120, 600].slice(0, count)) {
      await fault({ kind: 'status', operation: 'publish', status: 503 });
      await run();
      clock.advance({ seconds });
    }
  }
  const tries: [string, number][] = [
    ['first', 0],
    ['fourth and last', 3],
  ];

  test.for(tries)(
    'in the %s attempt leaves the post as it was, and the next worker finds what has arrived',
    async ([, before]) => {
      const post = await aDuePost();
      await failedTries(before);
      const verdicts = await post.verdicts();
      expect(verdicts).toMatchObject({ attempts: before, logged: Array(before).fill('publish_retry') });
      await stopAWorker('publish', { kind: 'latency', latencyMs: 1_500 });
      expect(await post.target()).toMatchObject({ status: 'processing' });
      expect(await post.verdicts()).toEqual({ ...verdicts, run_at: clock.now() });

      const postedId = await arrived(post.atTheVendor);
      await run();
      expect(await post.target()).toMatchObject({ status: 'published', postedId });
      expect(await post.atTheVendor()).toEqual([postedId]);
    },
  );

  test.for(tries)(
    'in the %s attempt leaves the post as it was, and the next worker sends what never arrived',
    async ([, before]) => {
      const post = await aDuePost();
      await failedTries(before);
      const verdicts = await post.verdicts();
      await stopAWorker('publish', { kind: 'timeout' });
      expect(await post.target()).toMatchObject({ status: 'processing' });
      expect(await post.verdicts()).toEqual({ ...verdicts, run_at: clock.now() });

      await requestsAreOver(service().app);
      await run();
      const [postedId] = await post.atTheVendor();
      expect(await post.target()).toMatchObject({ status: 'published', postedId });
      expect(await post.atTheVendor()).toHaveLength(1);
    },
  );

  test('while it reconciles after the last attempt leaves that to the next worker', async () => {
    const post = await aDuePost();
    await failedTries(3);
    const verdicts = await post.verdicts();
    // The post is accepted and the response is lost. The listing is read before and after the attempt.
    await fault({ kind: 'reset_after', operation: 'publish' });
    await stopAWorker('stats', { kind: 'timeout', skip: 1 });
    expect(await post.target()).toMatchObject({ status: 'processing' });
    expect(await post.verdicts()).toEqual({ ...verdicts, run_at: clock.now() });

    const [postedId] = await post.atTheVendor();
    await run();
    expect(await post.target()).toMatchObject({ status: 'published', postedId });
    expect(await post.atTheVendor()).toEqual([postedId]);
  });

  test('leaves a comment pending, and the next worker finds it', async () => {
    const post = await aPostWithACommentDue();
    await stopAWorker('comment', { kind: 'latency', latencyMs: 1_500 });
    expect(await post.comment()).toMatchObject({ status: 'pending', attemptedAt: null, error: null });

    const commentId = await arrived(post.comments);
    await run();
    expect(await post.comment()).toMatchObject({ status: 'posted', commentId, error: null });
    expect(await post.comments()).toEqual([commentId]);
  });
});

describe('a comment that a dead worker has sent', () => {
  /** A process that dies while the platform accepts its comment. */
  async function aCommentOfADeadWorker() {
    const post = await aPostWithACommentDue();
    const before = await requests('comment');
    await fault({ kind: 'latency', latencyMs: 500, operation: 'comment' });
    const dying = await testApp({ database: service().database, sandboxUrl: service().sandbox.url, clock });
    const commenting = publishDue(dying.app, 'dying').catch(() => 'died');
    await reached(before + 1, 'comment');
    await dying.close();
    expect(await commenting).toBe('died');
    await query(`update workers set seen_at = now() - interval '1 hour' where id = 'dying'`);
    await arrived(post.comments);
    return post;
  }
  const interrupted = {
    status: 'failed',
    commentId: null,
    error: { code: 'FIRST_COMMENT_INTERRUPTED', outcomeUnknown: true },
  };

  test('is reported as interrupted if the platform refuses to list comments', async () => {
    const post = await aCommentOfADeadWorker();
    await fault({ kind: 'status', status: 403, operation: 'stats' });
    await run();
    expect(await post.comment()).toMatchObject(interrupted);
    expect(await post.comment()).toMatchObject({ error: { platformStatusCode: 403 } });
    expect(await post.comments()).toHaveLength(1);
  });

  const aDay = 86_400;

  test('waits for a platform that cannot be reached, but no longer than a day', async () => {
    const post = await aCommentOfADeadWorker();
    const gone = await serve(() => {});
    await gone.close();
    const nowhere = await testApp({ database: service().database, sandboxUrl: gone.url, clock });
    onTestFinished(nowhere.close);
    for (const seconds of [0, 30, aDay - 60]) {
      clock.advance({ seconds });
      await publishDue(nowhere.app);
      expect(await post.comment()).toMatchObject({ status: 'pending', error: null });
    }
    clock.advance({ seconds: 60 });
    await publishDue(nowhere.app);
    expect(await post.comment()).toMatchObject(interrupted);
    expect(await post.comments()).toHaveLength(1);
  });

  test.for<SandboxFault>([{ kind: 'reset_before' }, { kind: 'status', status: 503 }, { kind: 'nonsense' }])(
    'is looked for again after a failed listing, and found: %o',
    async (what) => {
      const post = await aCommentOfADeadWorker();
      await fault({ ...what, operation: 'stats' });
      await run();
      expect(await post.comment()).toMatchObject({ status: 'pending' });
      clock.advance({ seconds: 30 });
      await run();
      expect(await post.comment()).toMatchObject({ status: 'posted' });
      expect(await post.comments()).toHaveLength(1);
    },
  );

  test('ends after a day if the platform closes the connection on every listing', async () => {
    const post = await aCommentOfADeadWorker();
    clock.advance({ seconds: aDay + 1 });
    await fault({ kind: 'reset_before', operation: 'any', times: 20 });
    await run();
    expect(await post.comment()).toMatchObject(interrupted);
  });
});

describe('a database that is away for a moment after the platform has responded', () => {
  /** Publishes while this statement on steps fails, until one second after the platform was called. */
  async function runWithout(change: 'update' | 'delete', post: Awaited<ReturnType<typeof aDuePost>>) {
    await query(`create function be_away() returns trigger language plpgsql as $$
      begin raise exception 'The database is away.' using errcode = '57P03'; end $$`);
    onTestFinished(async () => void (await query('drop function if exists be_away cascade')));
    await query(`create trigger be_away before ${change} on publish_steps execute function be_away()`);
    const before = await requests('publish', 'telegram');
    const comeBack = async () => {
      await reached(before + 1, 'publish', 'telegram');
      await sleep(1_000);
      expect((await post.target()).status).toBe('processing');
      await query('drop trigger be_away on publish_steps');
    };
    await Promise.all([run(), comeBack()]);
  }

  test('does not lose that the post was accepted: it is published with its id', async () => {
    const post = await aDuePost('telegram');
    await runWithout('update', post);
    const [postedId] = await post.atTheVendor();
    expect(postedId).toMatch(/\d/);
    expect(await post.target()).toMatchObject({ status: 'published', postedId });
    await run();
    expect(await post.atTheVendor()).toHaveLength(1);
  });

  test('does not lose that the post was rejected: it fails with that reason, not with an unknown outcome', async () => {
    const post = await aDuePost('telegram');
    await fault({ kind: 'status', status: 400, operation: 'publish' }, 'telegram');
    await runWithout('delete', post);
    expect(await post.target()).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_CONTENT', platformStatusCode: 400 },
    });
    expect(await post.atTheVendor()).toEqual([]);
  });
});

test('credentials that are refused while reconciling leave the outcome unknown, and the account asks for a reconnection', async () => {
  const post = await aDuePost();
  await fault({ kind: 'reset_after', operation: 'publish' });
  await run();
  expect(await post.target()).toMatchObject({ status: 'pending' });
  await fault({ kind: 'expired_token', operation: 'any', times: 20 });
  clock.advance({ seconds: 30 });
  await run();
  expect(await post.target()).toMatchObject({
    status: 'failed',
    error: { code: 'PUBLISH_OUTCOME_UNKNOWN', platformStatusCode: 401, retryable: false },
  });
  expect(await post.standing()).toMatchObject({ connectionStatus: 'reconnect_required' });
  expect(await post.atTheVendor()).toHaveLength(1);
});
