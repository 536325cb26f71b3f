import { expect, test } from 'vitest';
import { anImage, aVideo, type TestFile } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { failureOf, platformStage, standingClock, toTheEnd } from '../../../test/support/stages/platform.ts';
import type { Thread } from '../kit/index.ts';
import { RetryLater } from '../kit/steps.ts';
import { comment } from './comment.ts';
import type { Post } from './container.ts';
import { threads } from './index.ts';
import { publish as publishOnce, publishThread } from './publish.ts';

const clock = standingClock();
const { sandbox, aMember, aPost, content, postsOf } = platformStage(threads, { now: clock.now });
type Run = ReturnType<typeof aPost>;
const publish = (post: Post, run: Run) => toTheEnd(() => publishOnce(post, run()), clock.skip);
const publishAll = (parts: Thread<Post['settings']>, run: Run) =>
  toTheEnd(() => publishThread(parts, run()), clock.skip);
const shown = ({ sha256, kind }: TestFile) => ({ sha256, kind });

test('a carousel holds images and videos, in order', async () => {
  const member = await aMember();
  const files = [await anImage(), aVideo(), await anImage({ type: 'png' })];
  const remote = await publish(content('Mixed', {}, files), aPost(member));
  expect(await postsOf(member)).toMatchObject([
    { id: remote.id, text: 'Mixed', media: files.map(shown), url: remote.url },
  ]);
});

test('a post may be media without text', async () => {
  const member = await aMember();
  const image = await anImage();
  await publish(content('', {}, [image]), aPost(member));
  expect(await postsOf(member)).toMatchObject([{ text: '', media: [shown(image)] }]);
});

test('the first part of a thread has its media and says who may reply', async () => {
  const member = await aMember();
  const image = await anImage();
  const settings = { replyControl: 'accounts_you_follow' } as const;
  const head = content('One', settings, [image]);
  const [first, second] = await publishAll([head, content('Two', settings)], aPost(member));
  const posts = await postsOf(member);
  expect(posts).toMatchObject([
    {
      id: first?.id,
      media: [shown(image)],
      request: { body: { container: { reply_control: 'accounts_you_follow' } } },
    },
    { id: second?.id, inReplyTo: first?.id },
  ]);
  expect(JSON.stringify(posts[1]?.request.body)).not.toContain('reply_control');
});

test('of two posts with the same text, the one in doubt is found', async () => {
  const member = await aMember();
  const first = await publish(content('Again'), aPost(member));
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('Again'), run));
  const remote = await publish(content('Again'), run);
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([first.id, remote.id]);
});

test('a post in doubt without text is found, unless the account has made another of its kind', async () => {
  const member = await aMember();
  const inDoubt = async () => {
    const [run, post] = [aPost(member), content('', {}, [await anImage()])];
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    await failureOf(publish(post, run));
    return () => publish(post, run);
  };
  const film = await publish(content('', {}, [aVideo()]), aPost(member, memorySteps()));
  const remote = await (await inDoubt())();
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([film.id, remote.id]);
  const again = await inDoubt();
  await publish(content('', {}, [await anImage()]), aPost(member, memorySteps()));
  expect((await failureOf(again())).kind).toBe('unknown_outcome');
  expect(await postsOf(member)).toHaveLength(4);
});

test('a post whose container expired while it waited gets another one', async () => {
  const member = await aMember();
  const [post, run] = [content('Slow', {}, [aVideo()]), aPost(member)];
  await expect(publishOnce(post, run())).rejects.toBeInstanceOf(RetryLater);
  clock.skip(25 * 3600);
  const remote = await publish(post, run);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Slow' }]);
});

test('an account without the permission to reply can post, but neither threads nor comments', async () => {
  const member = await aMember('noreply.ann');
  expect(member.account.traits).toEqual({ canReply: false });
  const post = await publish(content('Alone'), aPost(member));
  const chain = await failureOf(publishAll([content('One'), content('Two')], aPost(member)));
  const reply = await failureOf(comment(post, 'First!', aPost(member)()));
  for (const failure of [chain, reply]) {
    expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('allow reply publishing') });
  }
  expect(await postsOf(member)).toMatchObject([{ id: post.id }]);
});

test('a single post that is too long by its emoji is refused before anything is sent', async () => {
  const member = await aMember();
  const before = (await sandbox().requests()).length;
  const failure = await failureOf(publish(content('😀'.repeat(126), {}, [await anImage()]), aPost(member)));
  expect(failure).toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining('emoji'),
    mayHaveHappened: false,
  });
  expect((await sandbox().requests()).length).toBe(before);
});

test('more links than Threads allows are rejected with its reason', async () => {
  const links = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`).join(' ');
  const failure = await failureOf(publish(content(links), aPost(await aMember())));
  expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('LINK_LIMIT') });
});
