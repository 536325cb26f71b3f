import { expect, test } from 'vitest';
import { consent } from '../../../test/support/browser/consent.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { publishTwice } from '../../../test/support/publishing/overtaken-request.ts';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { comment } from './comment.ts';
import { mastodon } from './index.ts';
import { publish } from './publish.ts';

let laterMs = 0;
const now = () => Date.now() + laterMs;
const { sandbox, aMember, aPost, content, postsOf } = platformStage(mastodon, { now });
const stepsByTestClock = () => memorySteps({ now: () => new Date(now()) });
const hours = (count: number) => count * 3_600_000;

test('a status is public JSON of known length, with an idempotency key and a user agent', async () => {
  const member = await aMember();
  const run = aPost(member);
  await publish(content('Hello'), run());
  const [post] = await postsOf(member);
  expect(post?.request.body).toEqual({ status: 'Hello', visibility: 'public' });
  expect(post?.request.headers).toMatchObject({
    'idempotency-key': run().postId,
    'content-type': 'application/json',
    'content-length': expect.stringMatching(/^\d+$/),
    'accept-language': 'en',
    'user-agent': 'Crier (social publishing service)',
  });
});

test('a comment is not mistaken for a repeat of the post, even with the same post id', async () => {
  const member = await aMember();
  const run = aPost(member);
  const post = await publish(content('The post'), run());
  const reply = await comment(post, 'The comment', run());
  expect(await postsOf(member)).toMatchObject([{ id: post.id }, { id: reply.id, inReplyTo: post.id }]);
});

test('a status that an equal one has adopted is sent under another key, because the server still knows the first', async () => {
  const member = await aMember();
  const [arrived, cut] = [aPost(member), aPost(member)];
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('Equal'), arrived()));
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Equal'), cut()));
  const adopted = await publish(content('Equal'), cut());
  const sent = await publish(content('Equal'), arrived());
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([adopted.id, sent.id]);
});

test('a status is found again hours later, when the server no longer knows the key', async () => {
  const member = await aMember();
  const run = aPost(member, stepsByTestClock());
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('  Remember me \n'), run()));
  laterMs += hours(5);
  const remote = await publish(content('  Remember me \n'), run());
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a status that provably does not exist hours later is sent', async () => {
  const member = await aMember();
  await publish(content('Daily news'), aPost(member)());
  laterMs += hours(1);
  const run = aPost(member, stepsByTestClock());
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Daily news'), run()));
  laterMs += hours(5);
  const remote = await publish(content('Daily news'), run());
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([expect.not.stringMatching(remote.id), remote.id]);
});

test('a request that is still in flight when the next run sends creates no second status', async () => {
  const member = await aMember();
  const send = (ctx: Parameters<typeof publish>[1]) => publish(content('Overtaken'), ctx);
  const remote = await publishTwice(mastodon, sandbox(), 'publish', aPost(member), send);
  expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
});

test('a status is found below many newer ones', async () => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('Buried'), run()));
  for (let count = 1; count <= 45; count += 1) await publish(content(`Newer ${count}`), aPost(member)());
  const remote = await publish(content('Buried'), run());
  const posts = await postsOf(member);
  expect(posts).toHaveLength(46);
  expect(posts[0]).toMatchObject({ id: remote.id, text: 'Buried' });
});

test('too many newer statuses leave the outcome unknown rather than risk a second one', async () => {
  const member = await aMember();
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('Buried deep'), run()));
  for (let count = 1; count <= 200; count += 1) await publish(content(`Newer ${count}`), aPost(member)());
  expect(await failureOf(publish(content('Buried deep'), run()))).toMatchObject({ kind: 'unknown_outcome' });
  expect(await postsOf(member)).toHaveLength(201);
});

test('on a server without pages and idempotency keys, a short list is the whole list', async () => {
  const member = await aMember('ann@small.mastodon.example');
  const [arrived, lost] = [aPost(member), aPost(member)];
  await publish(content('Before'), aPost(member)());
  await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
  await failureOf(publish(content('Equal'), arrived()));
  const found = await publish(content('Equal'), arrived());
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Other'), lost()));
  const sent = await publish(content('Other'), lost());
  expect((await postsOf(member)).map(({ id }) => id)).toEqual([expect.any(String), found.id, sent.id]);
});

test('on a server without pages, a long list of new statuses leaves the outcome unknown', async () => {
  const member = await aMember('bob@small.mastodon.example');
  const run = aPost(member);
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Lost'), run()));
  for (let count = 1; count <= 20; count += 1) await publish(content(`Newer ${count}`), aPost(member)());
  expect(await failureOf(publish(content('Lost'), run()))).toMatchObject({ kind: 'unknown_outcome' });
});

test('the same text as a reply, or from another app, is not mistaken for ours', async () => {
  const member = await aMember();
  const run = aPost(member);
  const parent = await publish(content('Parent'), aPost(member)());
  await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
  await failureOf(publish(content('Same words'), run()));
  await comment(parent, 'Same words', aPost(member)());
  await postFromAnotherApp(member.made.handle, 'Same words');
  const remote = await publish(content('Same words'), run());
  const posts = await postsOf(member);
  expect(posts).toHaveLength(4);
  expect(posts.at(-1)).toMatchObject({ id: remote.id, inReplyTo: null });
});

async function postFromAnotherApp(handle: string, status: string): Promise<void> {
  const origin = sandbox().route(new URL('https://mastodon.social')).href.replace(/\/$/, '');
  const send = async (path: string, body: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { method: 'POST', body: new URLSearchParams(body), headers });
    return (await response.json()) as Record<string, string>;
  };
  const redirect_uri = 'https://other.example/back';
  const app = await send('/api/v1/apps', { client_name: 'Other', redirect_uris: redirect_uri, scopes: 'write' });
  const { client_id = '', client_secret = '' } = app;
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope: 'write' });
  const back = await consent(new URL(`${origin}/oauth/authorize?${query}`), { decision: 'allow', handle });
  const code = back.searchParams.get('code') ?? '';
  const token = await send('/oauth/token', {
    grant_type: 'authorization_code',
    client_id,
    client_secret,
    redirect_uri,
    code,
  });
  await send('/api/v1/statuses', { status }, { authorization: `Bearer ${token.access_token}` });
}
