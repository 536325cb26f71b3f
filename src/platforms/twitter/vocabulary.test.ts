import { expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { comment } from './comment.ts';
import { twitter } from './index.ts';
import { publish } from './publish.ts';
import { readPosts } from './vocabulary.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(twitter);

/** Publishes a reply whose response is lost, and finds it again. Returns the requests that this took. */
async function findReply(member: Awaited<ReturnType<typeof aMember>>, text: string) {
  const head = await publish(content(`Head of ${text}`), aPost(member)());
  const run = aPost(member, memorySteps());
  await sandbox().fault({ operation: 'comment', kind: 'reset_after' });
  await failureOf(comment(head, text, run()));
  const before = (await sandbox().requests()).length;
  const found = await comment(head, text, run());
  expect((await postsOf(member)).at(-1)).toMatchObject({ id: found.id, text, inReplyTo: head.id });
  return (await sandbox().requests()).slice(before).map(({ method, status }) => `${method} ${status}`);
}

test('posts are found in the vocabulary that X knows, and only the first request after a change is made twice', async () => {
  const member = await aMember();
  expect(await findReply(member, 'both')).toEqual(['GET 200']);

  await sandbox().turn('tweetFieldsOnly', true);
  expect(await findReply(member, 'old at first')).toEqual(['GET 400', 'GET 200']);
  expect(await findReply(member, 'old')).toEqual(['GET 200']);

  await sandbox().turn('tweetFieldsOnly', false);
  expect(await findReply(member, 'old beside new')).toEqual(['GET 200']);

  await sandbox().turn('postFieldsOnly', true);
  expect(await findReply(member, 'new at first')).toEqual(['GET 400', 'GET 200']);
  expect(await findReply(member, 'new')).toEqual(['GET 200']);
  await sandbox().turn('postFieldsOnly', false);
});

type Answer = { status: number; body: unknown } | 'hang up';

/** Reads a timeline from a fake X with this response, and returns the vocabularies of the requests. */
async function readFrom(answer: (vocabulary: string) => Answer) {
  const asked: string[] = [];
  await using server = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'https://api.x.com');
    const vocabulary = searchParams.has('post.fields') ? 'post' : 'tweet';
    asked.push(vocabulary);
    const given = answer(vocabulary);
    if (given === 'hang up') return void request.socket.destroy();
    response.writeHead(given.status).end(JSON.stringify(given.body));
  });
  const account = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1' };
  const client = platformClient(server.access(), 'twitter', new AbortController().signal);
  const page = readPosts({ url: 'https://api.x.com/2/users/42/tweets' }, { ...client, account, credentials });
  return { page: await page.catch((error: unknown) => error), asked };
}

const bare = { id: '7', text: 'Hello' };
const whole = { ...bare, created_at: '2031-02-03T04:05:07.000Z' };
const list = (...data: object[]): Answer => ({ status: 200, body: { data } });

test('a list whose requested fields are missing shows that X ignored their names', async () => {
  const first = await readFrom((vocabulary) => list(vocabulary === 'post' ? bare : whole));
  expect(first).toMatchObject({ page: { data: [{ id: '7' }] }, asked: ['post', 'tweet'] });
  const second = await readFrom((vocabulary) => list(vocabulary === 'tweet' ? bare : whole));
  expect(second.asked).toEqual(['tweet', 'post']);
});

test('a list without posts shows nothing about the names', async () => {
  expect(await readFrom(() => ({ status: 200, body: { meta: {} } }))).toMatchObject({ asked: ['post'] });
});

test('an X that knows neither vocabulary is unreadable, and what was sent stays in doubt', async () => {
  const { page, asked } = await readFrom(() => list(bare));
  expect(page).toMatchObject({ kind: 'unavailable', mayHaveHappened: true });
  expect(asked).toEqual(['post', 'tweet']);
});

const invalid = (message: string): Answer => ({
  status: 400,
  body: { title: 'Invalid Request', detail: 'Invalid.', errors: [{ message }] },
});

test.for<[title: string, answer: Answer]>([
  ['a server error', { status: 503, body: {} }],
  ['a rate limit', { status: 429, body: {} }],
  ['a rejected token', { status: 401, body: { title: 'Unauthorized', detail: 'Unauthorized' } }],
  ['a lost connection', 'hang up'],
  ['a refusal of another parameter', invalid('The query parameter [max] is not one of [expansions,post.fields]')],
  ['a refusal of a page', invalid('The `pagination_token` query parameter value [x] is not valid')],
])('%s says nothing about the names, and is not asked again', async ([, answer]) => {
  const { page, asked } = await readFrom(() => answer);
  expect(page).toBeInstanceOf(Error);
  expect(asked).toEqual(['post']);
  expect((await readFrom(() => list(whole))).asked).toEqual(['post']);
});
