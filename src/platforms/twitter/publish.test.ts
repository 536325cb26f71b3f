import { expect, test } from 'vitest';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { publishTwice } from '../../../test/support/publishing/overtaken-request.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import { twitter } from './index.ts';
import { publish, publishThread } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(twitter);
const uploads = async () => (await sandbox().requests()).filter(({ path }) => path.includes('/media/upload')).length;

test('a post without media sends nothing but its text', async () => {
  const member = await aMember();
  await publish(content('Hello'), aPost(member)());
  const [post] = await postsOf(member);
  expect(post?.request.body).toEqual({ text: 'Hello' });
});

test('an image needs no text', async () => {
  const member = await aMember();
  await publish(content('', {}, [await anImage()]), aPost(member)());
  const [post] = await postsOf(member);
  expect(post?.request.body).toEqual({ media: { media_ids: [expect.stringMatching(/^\d+$/)] } });
});

test.for([
  'See https://example.com/a?b=c&d=%20#e.',
  'Bare domains: example.com, and (Example.org/Path)',
  '<b>&amp;</b> AT&T "\'\\ $& %s',
  '  Blanks \n\n\n\n around and between  ',
  'Grüße 👩‍👩‍👧‍👦 שלום 漢字https://example.com/漢字 e\u0301',
])('a post that X accepted is found again, whatever X makes of its text: %j', async (text) => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content(text), run()));
  const remote = await publish(content(text), run());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id, text }]);
});

test('a post with another link is not mistaken for it', async () => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Today: https://example.com/2'), run()));
  const other = await publish(content('Today: https://example.com/1'), aPost(member)());
  const remote = await publish(content('Today: https://example.com/2'), run());
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([other.id, remote.id]);
});

test('a post with images that X accepted is found again without a second upload', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = content('Two', {}, [await anImage(), await anImage()]);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(post, run()));
  const before = await uploads();
  const remote = await publish(post, run());
  expect(await uploads()).toBe(before);
  expect((await postsOf(member)).map(({ id, media }) => [id, media.length])).toEqual([[remote.id, 2]]);
});

test('a request that is still in flight when the next run sends creates no second post', async () => {
  const member = await aMember();
  const send = (ctx: Parameters<typeof publish>[1]) => publish(content('Overtaken'), ctx);
  const remote = await publishTwice(twitter, sandbox(), 'publish', aPost(member), send);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a thread whose replies X refuses keeps its first part and says why the others are missing', async () => {
  const member = await aMember();
  const steps = memorySteps();
  await sandbox().turn('summonedRepliesOnly', true);
  const failure = await failureOf(publishThread([content('One (1/2)'), content('Two (2/2)')], aPost(member, steps)()));
  await sandbox().turn('summonedRepliesOnly', false);
  expect(failure).toMatchObject({ kind: 'rejected', code: 'X_REPLY_NOT_AUTHORIZED', status: 403 });
  expect([steps.ended(), steps.open()]).toEqual([['part 0'], []]);
  expect(await postsOf(member)).toMatchObject([{ text: 'One (1/2)' }]);
});

test('the media of a thread are on its first part, and uploaded once although the thread broke off', async () => {
  const member = await aMember();
  const steps = memorySteps();
  const run = aPost(member, steps);
  const video = aVideo();
  const chain = () => toTheEnd(() => publishThread([content('One (1/2)', {}, [video]), content('Two (2/2)')], run()));
  await sandbox().fault({ operation: 'publish', kind: 'status', status: 503, skip: 1 });
  await failureOf(chain());
  expect(steps.ended()).toContain('part 0');
  const [head, second] = await chain();
  expect(await postsOf(member)).toMatchObject([
    { id: head?.id, media: [{ kind: 'video', sha256: video.sha256 }], inReplyTo: null },
    { id: second?.id, media: [], inReplyTo: head?.id },
  ]);
  const begun = (await sandbox().requests()).filter(({ path }) => path.endsWith('/initialize'));
  expect(begun).toHaveLength(1);
});

test('a GIF arrives unchanged and animated', async () => {
  const member = await aMember();
  const gif = await anImage({ type: 'gif' });
  const run = aPost(member);
  await toTheEnd(() => publish(content('Look', {}, [gif]), run()));
  expect(await postsOf(member)).toMatchObject([{ media: [{ kind: 'gif', sha256: gif.sha256 }] }]);
});

test('an account with a subscription posts long texts, which are found again by their whole text', async () => {
  await sandbox().control('POST', '/accounts', { network: 'twitter', handle: 'payer', premium: true });
  const member = await aMember('payer');
  const text = `${'A long story. '.repeat(200)}See https://example.com/end & more`;
  const other = await publish(content(`${text}, and other words at the end`), aPost(member)());
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content(text), run()));
  const remote = await publish(content(text), run());
  expect(await postsOf(member)).toMatchObject([{ id: other.id }, { id: remote.id, text }]);
});
