import { describe, expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import type { SandboxPost } from '../../../test/support/servers/sandbox.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import { comment } from './comment.ts';
import { bluesky } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, media, postsOf } = platformStage(bluesky);
const sent = ({ request }: SandboxPost) => request.body as { rkey: string; record: Record<string, unknown> };

test('a record has our own key, its time and its account, and replaces no other record', async () => {
  const member = await aMember();
  const remote = await publish(content('Hello'), aPost(member)());
  const [post] = await postsOf(member);
  expect(post?.request.body).toEqual({
    repo: member.account.id,
    collection: 'app.bsky.feed.post',
    rkey: expect.stringMatching(/^[2-7a-z]{13}$/),
    swapRecord: null,
    record: { $type: 'app.bsky.feed.post', text: 'Hello', createdAt: expect.stringMatching(/^20.*Z$/) },
  });
  const { rkey } = sent(post as SandboxPost);
  expect(remote).toEqual({
    id: `at://${member.account.id}/app.bsky.feed.post/${rkey}`,
    url: `https://bsky.app/profile/${member.account.id}/post/${rkey}`,
  });
});

test('a repeat sends exactly the same record', async () => {
  const [member, friend] = [await aMember(), await aMember()];
  const run = aPost(member);
  const text = `Hello @${friend.made.handle}`;
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content(text), run()));
  const [first] = await postsOf(member);
  // From here on, the handle lookup fails.
  await sandbox().fault({ operation: 'other', kind: 'status', status: 500, times: 5 });
  const remote = await publish(content(text), run());
  expect(await postsOf(member)).toEqual([first]);
  expect(remote.id).toBe(first?.id);
});

test('a step that began and never ended is found by its key', async () => {
  const member = await aMember();
  const steps = memorySteps();
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('Find me'), aPost(member, steps)()));
  const ctx = aPost(member, steps)();
  let found: unknown;
  await publish(content('Find me'), {
    ...ctx,
    async step(name, effect, options) {
      if (name === 'post') found = await options?.find?.(new Date(0));
      return ctx.step(name, effect, options);
    },
  });
  expect(found).toMatchObject({ posts: [{ id: (await postsOf(member))[0]?.id }], inconclusive: null });
});

describe('mentions', () => {
  const facetsOf = async (member: Awaited<ReturnType<typeof aMember>>) =>
    (await postsOf(member)).map((post) => sent(post).record.facets);

  test('link to existing accounts, and stay text otherwise', async () => {
    const [member, friend] = [await aMember(), await aMember()];
    const name = `@${friend.made.handle}`;
    await publish(content(`${name} and @unknown.bsky.social`), aPost(member)());
    expect(await facetsOf(member)).toEqual([
      [
        {
          index: { byteStart: 0, byteEnd: name.length },
          features: [{ $type: 'app.bsky.richtext.facet#mention', did: friend.account.id }],
        },
      ],
    ]);
  });

  test('that cannot be looked up do not fail the post', async () => {
    const [member, friend] = [await aMember(), await aMember()];
    await sandbox().fault({ operation: 'other', kind: 'status', status: 503 });
    await publish(content(`Hello @${friend.made.handle}`), aPost(member)());
    expect(await facetsOf(member)).toEqual([undefined]);
  });
});

test('images have their alt text and aspect ratio', async () => {
  const member = await aMember();
  const images = [await anImage(), await anImage({ width: 300, height: 500, type: 'png' })];
  const files = images.map((file, index) => ({ ...file, altText: index === 0 ? 'A red square' : '' }));
  await publish({ ...content('Two'), media: files.map(media) }, aPost(member)());
  const [post] = await postsOf(member);
  expect(sent(post as SandboxPost).record.embed).toMatchObject({
    $type: 'app.bsky.embed.images',
    images: [
      {
        alt: 'A red square',
        aspectRatio: { width: 640, height: 480 },
        image: { $type: 'blob', mimeType: 'image/jpeg' },
      },
      { alt: '', aspectRatio: { width: 300, height: 500 }, image: { $type: 'blob', mimeType: 'image/png' } },
    ],
  });
});

test('a video has its alt text and aspect ratio, and may be posted again', async () => {
  const member = await aMember();
  const video = media({ ...aVideo(), altText: 'Four seconds' });
  for (const text of ['Video', 'Video again']) {
    const run = aPost(member);
    await toTheEnd(() => publish({ ...content(text), media: [video] }, run()));
  }
  const posts = await postsOf(member);
  expect(posts.map(({ text }) => text)).toEqual(['Video', 'Video again']);
  for (const post of posts) {
    expect(sent(post).record.embed).toMatchObject({
      $type: 'app.bsky.embed.video',
      alt: 'Four seconds',
      aspectRatio: { width: 320, height: 180 },
      video: { $type: 'blob', mimeType: 'video/mp4' },
    });
  }
});

test('a comment on a reply stays in the conversation', async () => {
  const [member, friend] = [await aMember(), await aMember()];
  const post = await publish(content('The post'), aPost(friend)());
  const answer = await comment(post, 'The answer', aPost(friend)());
  const reply = await comment(answer, 'A word on that', aPost(member)());
  const [first] = await postsOf(member);
  expect(first).toMatchObject({ id: reply.id, inReplyTo: answer.id });
  expect(sent(first as SandboxPost).record.reply).toEqual({
    root: { uri: post.id, cid: expect.stringMatching(/^bafy/) },
    parent: { uri: answer.id, cid: expect.stringMatching(/^bafy/) },
  });
});

test('a post and its comment are separate, even with the same post id', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = await publish(content('The post'), run());
  const reply = await comment(post, 'The comment', run());
  expect(await postsOf(member)).toMatchObject([{ id: post.id }, { id: reply.id, inReplyTo: post.id }]);
});
