import { describe, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import type { SandboxFault, SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { publishingStage } from '../../../test/support/stages/publishing.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';

const { clock, service, ada, run } = publishingStage();

const fault = (body: SandboxFault) => service().sandbox.fault(body);

async function anAccount(platform: 'linkedin' | 'twitter') {
  const { app, sandbox } = service();
  const account = { platform, handle: 'ann' };
  return (await connectSandboxAccount(app, sandbox.url, ada().id, account)).platformId;
}

async function publish(
  firstComments: object[],
  platform: 'mastodon' | 'facebook' | 'linkedin' | 'twitter' = 'mastodon',
) {
  const isReal = platform === 'linkedin' || platform === 'twitter';
  const platforms = [isReal ? await anAccount(platform) : await ada().aConnection(platform)];
  const content = `The post ${platforms[0]}`;
  const { body } = await ada().call('POST', '/create-post', { content, platforms, firstComments, publishNow: true });
  await run();
  const read = async () => (await ada().call('GET', `/get-post/${body.postGroupId}`)).body.posts[0];
  return { id: body.postGroupId, platformId: platforms[0]!, read, run };
}

const logOf = async (id: string) => (await ada().call('GET', `/post-logs/${id}`)).body.logs;

const textsUnder = async (postedId: string, network = 'mastodon') => {
  const posts = await service().sandbox.control<SandboxPost[]>('GET', `/posts?network=${network}`);
  return posts.filter(({ inReplyTo }) => inReplyTo === postedId).map(({ text }) => text);
};

describe('[first-comments] publishing first comments', () => {
  test('are posted in order, each after its delay', async () => {
    const post = await publish([
      { text: 'One', delaySeconds: 60 },
      { text: 'Two', delaySeconds: 30 },
    ]);
    const { postedId, firstCommentResults } = await post.read();
    expect(firstCommentResults).toEqual([
      { ...blank, dueAt: inSeconds(60) },
      { ...blank, dueAt: null },
    ]);
    clock.advance({ seconds: 59 });
    await post.run();
    expect(await textsUnder(postedId)).toEqual([]);
    clock.advance({ seconds: 1 });
    await post.run();
    expect(await textsUnder(postedId)).toEqual(['One']);
    const [first, second] = (await post.read()).firstCommentResults;
    expect(first).toMatchObject({
      status: 'posted',
      commentId: expect.stringMatching(/\d/),
      error: null,
      postedAt: now(),
    });
    expect(second).toMatchObject({ status: 'pending', dueAt: inSeconds(30) });
    clock.advance({ seconds: 30 });
    await post.run();
    expect(await textsUnder(postedId)).toEqual(['One', 'Two']);
    expect((await post.read()).firstCommentResult).toMatchObject({ status: 'posted' });
    const about = { event: 'first_comment_posted', platform: 'mastodon', postId: expect.any(String) };
    expect((await logOf(post.id)).slice(-2)).toMatchObject([
      { ...about, metadata: { index: 0, commentId: first.commentId } },
      { ...about, metadata: { index: 1, commentId: expect.any(String) } },
    ]);
  });

  test('one whose id the platform does not name is posted, and the next one follows', async () => {
    const post = await publish([{ text: 'Nameless', delaySeconds: 5 }, { text: 'Named' }], 'linkedin');
    clock.advance({ seconds: 5 });
    const { platformAccess } = service().app;
    let unnamed = 0;
    const withoutId: typeof fetch = async (input, init) => {
      const response = await platformAccess.fetch(input, init);
      if (!response.headers.has('x-restli-id') || unnamed > 0) return response;
      unnamed += 1;
      return new Response('{}', { status: response.status });
    };
    await publishDue({ ...service().app, platformAccess: { ...platformAccess, fetch: withoutId } });
    const { postedId, firstCommentResults } = await post.read();
    expect(firstCommentResults).toMatchObject([
      { status: 'posted', commentId: null, postedAt: now(), error: null },
      { status: 'posted', commentId: expect.stringContaining('urn:li:comment:'), error: null },
    ]);
    expect(await textsUnder(postedId, 'linkedin')).toEqual(['Nameless', 'Named']);
    expect((await logOf(post.id)).at(-2)).toMatchObject({
      event: 'first_comment_posted',
      metadata: { index: 0, commentId: null },
    });
  });

  test('one that fails ends the later ones, and the post stays published', async () => {
    const post = await publish([{ text: 'Refused', delaySeconds: 5 }, { text: 'Never tried' }]);
    await fault({ operation: 'comment', kind: 'status', status: 422 });
    clock.advance({ seconds: 5 });
    await post.run();
    const { status, firstCommentResults } = await post.read();
    expect(status).toBe('published');
    expect(firstCommentResults).toMatchObject([
      { status: 'failed', error: { code: 'INVALID_CONTENT', platformStatusCode: 422, outcomeUnknown: false } },
      { status: 'failed', error: { code: 'FIRST_COMMENT_NOT_ATTEMPTED' } },
    ]);
    expect((await logOf(post.id)).at(-1)).toMatchObject({
      event: 'first_comment_failed',
      error: firstCommentResults[0].error.message,
      httpStatus: 422,
      metadata: { index: 0, errorCode: 'INVALID_CONTENT' },
    });
  });

  test('one whose connection was lost after the platform accepted it has an unknown outcome and is not retried', async () => {
    const post = await publish([{ text: 'Doubtful', delaySeconds: 5 }]);
    await fault({ operation: 'comment', kind: 'reset_after' });
    clock.advance({ seconds: 5 });
    await post.run();
    const { postedId, firstCommentResults } = await post.read();
    expect(firstCommentResults).toMatchObject([{ status: 'failed', error: { outcomeUnknown: true } }]);
    clock.advance({ seconds: 3600 });
    await post.run();
    expect(await textsUnder(postedId)).toEqual(['Doubtful']);
  });

  test('one that is rate limited waits and is posted once', async () => {
    const post = await publish([{ text: 'Patient', delaySeconds: 5 }]);
    await fault({ operation: 'comment', kind: 'rate_limit', retryAfterSeconds: 60 });
    clock.advance({ seconds: 5 });
    await post.run();
    expect((await post.read()).firstCommentResults).toMatchObject([{ status: 'pending' }]);
    clock.advance({ seconds: 62 });
    await post.run();
    const { postedId, firstCommentResults } = await post.read();
    expect(firstCommentResults).toMatchObject([{ status: 'posted' }]);
    expect(await textsUnder(postedId)).toEqual(['Patient']);
  });

  test('one that is overdue for a day fails', async () => {
    const post = await publish([{ text: 'Too late', delaySeconds: 5 }]);
    clock.advance({ seconds: 86_400 + 10 });
    await post.run();
    expect((await post.read()).firstCommentResults).toMatchObject([
      { status: 'failed', error: { code: 'FIRST_COMMENT_DEADLINE_EXCEEDED' } },
    ]);
  });

  test('one without the permission fails with that code', async () => {
    const post = await publish([{ text: 'Not allowed', delaySeconds: 5 }]);
    await fault({ operation: 'comment', kind: 'status', status: 403, times: 3 });
    clock.advance({ seconds: 5 });
    await post.run();
    await service().sandbox.clearFaults();
    expect((await post.read()).firstCommentResults).toMatchObject([
      { status: 'failed', error: { code: 'FIRST_COMMENT_PERMISSION_REQUIRED' } },
    ]);
  });

  test('one that X refuses without a summons has its own code and says so', async () => {
    const post = await publish([{ text: 'Not summoned', delaySeconds: 5 }], 'twitter');
    const turn = (on: boolean) =>
      service().sandbox.control('POST', '/switches', { network: 'twitter', name: 'summonedRepliesOnly', on });
    await turn(true);
    clock.advance({ seconds: 5 });
    await post.run();
    await turn(false);
    const message = expect.stringMatching(/reply only to posts whose author has mentioned or quoted the account/);
    expect((await post.read()).firstCommentResults).toMatchObject([
      { status: 'failed', error: { code: 'X_REPLY_NOT_AUTHORIZED', message, outcomeUnknown: false } },
    ]);
  });

  test('one on a deleted post fails with that code', async () => {
    const post = await publish([{ text: 'On nothing', delaySeconds: 5 }]);
    await fault({ operation: 'comment', kind: 'status', status: 404 });
    clock.advance({ seconds: 5 });
    await post.run();
    expect((await post.read()).firstCommentResults).toMatchObject([
      { status: 'failed', error: { code: 'FIRST_COMMENT_TARGET_UNAVAILABLE' } },
    ]);
  });

  test('those of a disconnected account are skipped', async () => {
    const post = await publish([{ text: 'Orphaned', delaySeconds: 60 }]);
    const { disconnect } = await import('../connections/disconnect.ts');
    await disconnect(service().app, { userId: ada().id }, post.platformId);
    expect((await post.read()).firstCommentResults).toMatchObject([
      { status: 'skipped', skipReason: 'connection_unavailable' },
    ]);
  });
});

const now = () => clock.now().toISOString();
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
const blank = {
  status: 'pending',
  commentId: null,
  skipReason: null,
  attemptedAt: null,
  postedAt: null,
  error: null,
};
