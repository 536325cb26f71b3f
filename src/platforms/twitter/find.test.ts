import { expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { stepRunner, until } from '../kit/steps.ts';
import { comment } from './comment.ts';
import { findPost } from './find.ts';

type Answer = { status?: number; body: unknown } | 'hang up';
const duplicate = {
  title: 'Forbidden',
  status: 403,
  detail: 'You are not allowed to create a Tweet with duplicate content.',
};
const refused: Answer = { status: 403, body: duplicate };

/** A fake X with scripted lists of the account's posts and scripted responses to new posts, in order. */
async function vendor(answers: { lists: unknown[]; posts?: Answer[] }) {
  const listed: URL[] = [];
  const server = await serve((request, response) => {
    const url = new URL(request.url ?? '', 'https://api.x.com');
    if (request.method === 'GET') listed.push(url);
    const answer: Answer | undefined =
      request.method === 'GET' ? { body: answers.lists.shift() } : answers.posts?.shift();
    if (answer === undefined || answer === 'hang up') return void request.socket.destroy();
    response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body));
  });
  const steps = memorySteps({ now: () => new Date('2031-02-03T04:05:06.789Z') });
  const account = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
  const run = () => {
    const client = platformClient(server.access(), 'twitter', new AbortController().signal);
    return { ...client, account, credentials, postId: 'p', step: stepRunner(steps.claim()), until };
  };
  return { ...server, listed, steps, run };
}

const nothing = { meta: { result_count: 0 } };
const created_at = '2031-02-03T04:05:07.000Z';
const reply = (id: string, text: string, parent: string) => ({
  id,
  text,
  created_at,
  referenced_posts: [{ type: 'replied_to', id: parent }],
});
const on = { id: '100', url: null };
const first = reply('101', 'First!', '100');

test('a repeat that X refuses as a duplicate leads to the earlier post', async () => {
  await using x = await vendor({ lists: [nothing, { data: [first] }], posts: ['hang up', refused] });
  expect((await failureOf(comment(on, 'First!', x.run()))).mayHaveHappened).toBe(true);
  expect(await comment(on, 'First!', x.run())).toEqual({ id: '101', url: 'https://x.com/ann/status/101' });
});

test('a duplicate that X does not list yet stays in doubt until X lists it', async () => {
  const lists = [nothing, nothing, nothing, { data: [first] }];
  await using x = await vendor({ lists, posts: ['hang up', refused] });
  await failureOf(comment(on, 'First!', x.run()));
  const failure = await failureOf(comment(on, 'First!', x.run()));
  expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: true, reason: duplicate.detail });
  expect(x.steps.open()).toEqual(['comment']);
  expect((await comment(on, 'First!', x.run())).id).toBe('101');
});

test('a text that the account posted before is refused without a lookup', async () => {
  await using x = await vendor({ lists: [{ data: [first] }], posts: [refused] });
  expect((await failureOf(comment(on, 'First!', x.run()))).kind).toBe('rejected');
  expect(x.listed).toEqual([]);
  expect(x.steps.open()).toEqual([]);
});

test("the account's posts are read from before the step began", async () => {
  await using x = await vendor({ lists: [nothing] });
  const post = { text: 'First!', mediaIds: [], inReplyTo: null };
  expect(await findPost(post, new Date('2031-02-03T04:05:06.789Z'), x.run())).toEqual({
    posts: [],
    doubtful: [],
    inconclusive: null,
  });
  expect(x.listed.map(({ pathname }) => pathname)).toEqual(['/2/users/42/tweets']);
  expect(Object.fromEntries(x.listed[0]?.searchParams ?? [])).toEqual({
    max_results: '100',
    exclude: 'retweets',
    start_time: '2031-02-03T04:03:36Z',
    'post.fields': 'attachments,created_at,entities,note_post',
    expansions: 'referenced_posts',
  });
});

const newPost = { text: 'Same words', mediaIds: ['7', '8'], inReplyTo: '100' };
const found = async (sent: Partial<typeof newPost>, ...lists: unknown[]) => {
  await using x = await vendor({ lists });
  return await findPost({ ...newPost, ...sent }, new Date('2031-02-03T04:05:06Z'), x.run());
};
const withMedia = (id: string, ...media_keys: string[]) => ({
  ...reply(id, 'Same words https://t.co/pic', '100'),
  attachments: { media_keys },
});

test('all equal posts are found on all pages, the oldest first', async () => {
  const pages = [
    { data: [withMedia('105', '3_7', '3_8'), withMedia('104', '3_7', '3_8')], meta: { next_token: 'more' } },
    { data: [withMedia('103', '3_7', '3_8'), withMedia('102', '3_1')], meta: {} },
  ];
  expect((await found({}, ...pages)).posts.map(({ id }) => id)).toEqual(['103', '104', '105']);
});

test('the outcome stays unknown if there are more posts than are read', async () => {
  const page = { data: [reply('105', 'Other words', '100')], meta: { next_token: 'more' } };
  expect((await found({}, page, page, page, page, page)).inconclusive?.kind).toBe('unknown_outcome');
});

test.for<[title: string, sent: Partial<typeof newPost>, post: unknown]>([
  ['with other media', {}, withMedia('105', '3_7', '3_9')],
  ['with fewer media', {}, withMedia('105', '3_7')],
  ['without media', {}, reply('105', 'Same words', '100')],
  ['with media, although ours has none', { mediaIds: [] }, withMedia('105', '3_7')],
  ['under another post', { mediaIds: [] }, reply('105', 'Same words', '101')],
  ['under no post', { mediaIds: [] }, { id: '105', text: 'Same words', created_at }],
  [
    'that quotes the post',
    { mediaIds: [] },
    { id: '105', text: 'Same words', created_at, referenced_posts: [{ type: 'quoted', id: '100' }] },
  ],
  ['with another text', { mediaIds: [] }, reply('105', 'Other words', '100')],
])('a post %s is not ours', async ([, sent, post]) => {
  expect(await found(sent, { data: [post] })).toEqual({ posts: [], doubtful: [], inconclusive: null });
});

test('a video is recognized by the id in its key, whatever the kind before it', async () => {
  expect(await found({ mediaIds: ['7'] }, { data: [withMedia('105', '13_7')] })).toMatchObject({
    posts: [{ id: '105' }],
  });
});
