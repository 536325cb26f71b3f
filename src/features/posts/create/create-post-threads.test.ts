import { beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { createPostStage } from '../../../../test/support/stages/create-post.ts';
import { connectSandboxAccount } from '../../connections/connect/sandbox.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = createPostStage(clock);
const { created, fromNow } = stage;
let mastodon: string;
let linkedin: string;
let twitter: string;
let threads: string;
beforeAll(async () => {
  mastodon = await stage.ada().aConnection();
  linkedin = await stage.ada().aConnection('linkedin');
  twitter = await stage.ada().aConnection('twitter');
  const { app, sandbox } = stage.service();
  const account = { platform: 'threads', handle: 'ada' } as const;
  ({ platformId: threads } = await connectSandboxAccount(app, sandbox.url, stage.ada().id, account));
});

describe('[threads] threads', () => {
  const sentences = (amount: number) =>
    Array.from({ length: amount }, (_, i) => `This is sentence number ${i}.`).join(' ');

  test('a text over the limit becomes numbered parts on X and Threads, and one post elsewhere', async () => {
    const content = sentences(25);
    const { group } = await created({ content, platforms: [twitter, threads, linkedin], scheduledTime: fromNow(3600) });
    const [onX, onThreads, onLinkedin] = group.posts;
    for (const [post, limit] of [
      [onX, 280],
      [onThreads, 500],
    ]) {
      expect(post).toMatchObject({ isThread: true, content });
      const total = post.threadParts.length;
      expect(total).toBe(Math.ceil(content.length / limit));
      for (const [index, part] of post.threadParts.entries()) {
        expect(part).toEqual({
          index,
          content: expect.stringMatching(new RegExp(`\\. \\(${index + 1}/${total}\\)$`)),
          status: 'pending',
          publishedId: null,
        });
        expect(part.content.length).toBeLessThanOrEqual(limit);
      }
      const joined = post.threadParts.map((part: { content: string }) => part.content.replace(/ \(\d+\/\d+\)$/, ''));
      expect(joined.join(' ')).toBe(content);
    }
    expect(onLinkedin).toMatchObject({ isThread: false, threadParts: [], content });
  });

  test('lines of --- split the text, without numbers', async () => {
    const content = 'One\n---\nTwo\n---\nThree';
    const { group } = await created({ content, platforms: [twitter, threads, mastodon] });
    for (const post of group.posts.slice(0, 2)) {
      expect(post.isThread).toBe(true);
      expect(post.threadParts.map((part: { content: string }) => part.content)).toEqual(['One', 'Two', 'Three']);
    }
    expect(group.posts[2]).toMatchObject({ isThread: false, threadParts: [], content });
  });

  test('a complete set of markers splits the text and stays in it', async () => {
    const { group } = await created({ content: 'One [1/2]\nTwo [2/2]', platforms: [twitter, threads] });
    for (const post of group.posts) {
      expect(post.threadParts.map((part: { content: string }) => part.content)).toEqual(['One [1/2]', 'Two [2/2]']);
    }
  });

  test.for(['One [1/3]\nTwo [2/3]', 'One (1/2)\nTwo (2/2)', '---\nOne\n---', 'One\n----\nTwo', 'One --- two'])(
    '%j is one post',
    async (content) => {
      const { group } = await created({ content, platforms: [twitter, threads] });
      for (const post of group.posts) expect(post).toMatchObject({ isThread: false, threadParts: [], content });
    },
  );

  test('a long post to a premium account on X is not split', async () => {
    const premium = await stage.ada().aConnection('twitter', { subscriptionType: 'PremiumPlus' });
    const content = sentences(25);
    const { group } = await created({ content, platforms: [premium, twitter] });
    expect(group.posts).toMatchObject([
      { isThread: false, threadParts: [] },
      { isThread: true, threadParts: { length: 3 } },
    ]);
  });
});

test('[publish-errors.thread-part-invalid] a part that Threads counts as too long fails the whole thread before anything is published', async () => {
  const content = `One\n---\n${'😀'.repeat(126)}`;
  const platforms = [threads];
  const { body } = await stage.ada().call('POST', '/create-post', { content, platforms, publishNow: true });
  await publishDue(stage.service().app);
  expect((await stage.ada().call('GET', `/get-post/${body.postGroupId}`)).body).toMatchObject({
    status: 'failed',
    posts: [{ status: 'failed', postedId: null, error: { code: 'THREADS_INVALID_THREAD_PART', retryable: false } }],
  });
});
