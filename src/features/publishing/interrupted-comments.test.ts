import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxFault, SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { endDisconnectedPosts } from './maintenance/disconnected-posts.ts';

const { clock, service, ada, run, query, control } = publishingStage();

/** Mastodon can be searched for a comment, LinkedIn cannot. */
type Vendor = 'mastodon' | 'linkedin';

let posts = 0;

/** A published post whose comments are due ten seconds apart. */
async function aPost(vendor: Vendor, texts: string[]) {
  posts += 1;
  const account = { platform: vendor, handle: `commenter${posts}` };
  const { platformId } = await connectSandboxAccount(service().app, service().sandbox.url, ada().id, account);
  const firstComments = texts.map((text) => ({ text: `${text} ${posts}`, delaySeconds: 10 }));
  const post = { content: `The post ${posts}`, platforms: [platformId], firstComments, publishNow: true };
  const { body } = await ada().call('POST', '/create-post', post);
  await run();
  const read = async () => (await ada().call('GET', `/get-post/${body.postGroupId}`)).body.posts[0];
  const { postedId } = await read();
  return {
    id: body.postGroupId as string,
    results: async () => (await read()).firstCommentResults,
    status: async () => (await read()).status,
    /** The comments on the platform, in order and without their numbers. */
    comments: async () => {
      const atVendor = await control<SandboxPost[]>('GET', `/posts?network=${vendor}`);
      return atVendor.filter(({ inReplyTo }) => inReplyTo === postedId).map(({ text }) => text.split(' ')[0]);
    },
    /** Advances the clock to the next comment and runs a worker with that name. */
    async next(worker?: string) {
      clock.advance({ seconds: 10 });
      await run(worker);
    },
  };
}

const fault = (vendor: Vendor, what: SandboxFault) =>
  control('POST', '/faults', { network: vendor, operation: 'comment', ...what });

const requestsFor = async (wanted: 'comment' | 'stats', vendor: Vendor) => {
  const requests = await control<{ operation: string }[]>('GET', `/requests?network=${vendor}`);
  return requests.filter(({ operation }) => operation === wanted).length;
};
const commentRequests = (vendor: Vendor) => requestsFor('comment', vendor);

/** A process that dies while the platform accepts its comment. */
async function dieWhileCommenting(vendor: Vendor) {
  clock.advance({ seconds: 10 });
  const dying = await testApp({ database: service().database, sandboxUrl: service().sandbox.url, clock });
  const before = await commentRequests(vendor);
  await fault(vendor, { kind: 'latency', latencyMs: 500 });
  const commenting = publishDue(dying.app, 'dying').catch(() => 'died');
  await eventually(async () => expect(await commentRequests(vendor)).toBe(before + 1), {
    interval: 10,
  });
  await dying.close();
  expect(await commenting).toBe('died');
  await query(`update workers set seen_at = now() - interval '1 hour' where id = 'dying'`);
}

const interrupted = {
  status: 'failed',
  commentId: null,
  error: { code: 'FIRST_COMMENT_INTERRUPTED', outcomeUnknown: true },
};
const notAttempted = { status: 'failed', error: { code: 'FIRST_COMMENT_NOT_ATTEMPTED', outcomeUnknown: false } };

describe('a worker that stops in the middle of a comment', () => {
  test('leaves it interrupted if the platform cannot be asked for it; neither it nor the later ones are retried', async () => {
    const post = await aPost('linkedin', ['One', 'Two', 'Three']);
    await post.next();
    await dieWhileCommenting('linkedin');
    for (let time = 1; time <= 3; time += 1) await post.next();
    expect(await post.results()).toMatchObject([{ status: 'posted' }, interrupted, notAttempted]);
    expect(await post.comments()).toEqual(['One', 'Two']);
    expect(await post.status()).toBe('published');
  });

  test('leaves it to the next worker if the platform can be asked for it, and the later ones follow', async () => {
    const post = await aPost('mastodon', ['One', 'Two']);
    await dieWhileCommenting('mastodon');
    await post.next();
    await post.next();
    expect(await post.results()).toMatchObject([
      { status: 'posted', error: null },
      { status: 'posted', error: null },
    ]);
    expect(await post.comments()).toEqual(['One', 'Two']);
  });

  test('is searched for ever more rarely while the platform does not answer', async () => {
    const post = await aPost('mastodon', ['One']);
    await dieWhileCommenting('mastodon');
    await fault('mastodon', { operation: 'stats', kind: 'status', status: 503, times: 1000 });
    const before = await requestsFor('stats', 'mastodon');
    for (let minute = 1; minute <= 120; minute += 1) {
      clock.advance({ seconds: 60 });
      await run();
    }
    // Two or three requests a search, and a search after 0, 1, 2, 3, 5, 8, 12, 18, 27, 41, 62 and 93 minutes or so.
    const requests = (await requestsFor('stats', 'mastodon')) - before;
    expect(requests).toBeGreaterThan(5);
    expect(requests).toBeLessThan(50);
    await service().sandbox.clearFaults();
    clock.advance({ seconds: 3600 });
    await run();
    expect(await post.results()).toMatchObject([{ status: 'posted', error: null }]);
    expect(await post.comments()).toEqual(['One']);
  });

  test('before it has sent anything does not interrupt it: the next worker posts it', async () => {
    const post = await aPost('linkedin', ['One']);
    clock.advance({ seconds: 10 });
    await query(`update platform_posts set claim_token = 'of one that died' where post_group_id = $1`, [post.id]);
    await run();
    expect(await post.results()).toMatchObject([{ status: 'posted', error: null }]);
    expect(await post.comments()).toEqual(['One']);
  });

  test('after posting and before storing the result does not lose it: it is posted once, with its id', async () => {
    const post = await aPost('linkedin', ['One', 'Two']);
    await query(`create function refuse_result() returns trigger language plpgsql as $$
      begin raise exception 'The result cannot be kept.'; end $$`);
    await query(`create trigger refuse_result before update of first_comment_results on platform_posts
      for each row execute function refuse_result()`);
    await expect(post.next()).rejects.toThrow('The result cannot be kept.');
    await query('drop trigger refuse_result on platform_posts');
    await run();
    expect(await post.results()).toMatchObject([
      { status: 'posted', commentId: expect.stringMatching(/\S/), error: null },
      { status: 'pending' },
    ]);
    await post.next();
    expect(await post.comments()).toEqual(['One', 'Two']);
  });
});

describe('a comment that a dead worker has sent more than a day ago', () => {
  const aDay = () => clock.advance({ seconds: 86_400 });

  test('is not reported as never attempted if it may have been posted', async () => {
    const post = await aPost('linkedin', ['One']);
    await dieWhileCommenting('linkedin');
    aDay();
    await post.next();
    expect(await post.results()).toMatchObject([interrupted]);
    expect(await post.comments()).toEqual(['One']);
  });

  test('is found if the platform can be asked for it', async () => {
    const post = await aPost('mastodon', ['One']);
    await dieWhileCommenting('mastodon');
    aDay();
    await post.next();
    expect(await post.results()).toMatchObject([
      { status: 'posted', commentId: expect.stringMatching(/\d/), error: null },
    ]);
    expect(await post.comments()).toEqual(['One']);
  });
});

describe('a comment is attempted once', () => {
  test.for<[string, SandboxFault, there: string[], error: object]>([
    [
      'that closed the connection',
      { kind: 'reset_after' },
      ['One'],
      { code: 'PUBLISH_OUTCOME_UNKNOWN', outcomeUnknown: true },
    ],
    [
      'in trouble',
      { kind: 'status', status: 503 },
      [],
      { code: 'PUBLISH_OUTCOME_UNKNOWN', platformStatusCode: 503, outcomeUnknown: true },
    ],
    [
      'that refused it',
      { kind: 'status', status: 422 },
      [],
      { code: 'INVALID_CONTENT', platformStatusCode: 422, outcomeUnknown: false },
    ],
  ])('at a platform %s, and is not reported as interrupted', async ([, what, there, error]) => {
    const post = await aPost('linkedin', ['One', 'Two']);
    await fault('linkedin', what);
    for (let time = 1; time <= 4; time += 1) await post.next();
    expect(await post.results()).toMatchObject([{ status: 'failed', error }, notAttempted]);
    expect(await post.comments()).toEqual(there);
  });
});

test('comments that different workers post are in order', async () => {
  const post = await aPost('mastodon', ['One', 'Two', 'Three']);
  for (const worker of ['first', 'second', 'third']) {
    await post.next(worker);
    await query('delete from workers where id = $1', [worker]);
  }
  expect(await post.comments()).toEqual(['One', 'Two', 'Three']);
  expect(await post.results()).toMatchObject(Array(3).fill({ status: 'posted' }));
});

test('a comment that is planned while its account is being disconnected is skipped with that reason', async () => {
  const post = await aPost('mastodon', ['Late']);
  await query('update platform_posts set connection_id = null where post_group_id = $1', [post.id]);
  await endDisconnectedPosts(service().app);
  expect(await post.results()).toMatchObject([{ status: 'skipped', skipReason: 'connection_unavailable' }]);
  expect(await post.comments()).toEqual([]);
});
