import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { stepRunner, until } from '../kit/steps.ts';
import { comment } from './comment.ts';
import { linkedin } from './index.ts';
import { publish } from './publish.ts';

const { aMember, aPost, content, postsOf } = platformStage(linkedin);

test.for(['member-who-comments', 'company-that-comments'])('%s comments as the author of the post', async (handle) => {
  const author = await aMember(handle);
  const post = await publish(content('The post'), aPost(author)());
  const remote = await comment(post, 'Link: https://example.com', aPost(author)());
  expect(remote.id).toMatch(/^urn:li:comment:\(urn:li:activity:\d+,\d+\)$/);
  expect(remote.url).toBe(`${post.url}?${new URLSearchParams({ commentUrn: remote.id ?? '' })}`);
  expect((await postsOf(author))[1]).toMatchObject({ id: remote.id, inReplyTo: post.id });
});

test('people read the comment as it was written, and a mention as the name', async () => {
  const author = await aMember();
  const post = await publish(content('The post for plain text'), aPost(author)());
  const text = 'Nice (really) a_b #1 https://example.com/a_(b)';
  await comment(post, `${text} @{urn:li:organization:5|Devs}`, aPost(author)());
  expect((await postsOf(author))[1]).toMatchObject({ text: `${text} Devs` });
});

test('a mention that LinkedIn cannot show is rejected before anything is sent', async () => {
  const author = await aMember();
  const failure = await failureOf(comment(on, 'Hi @{urn:li:person:ACoAA.x|Ann}', aPost(author)()));
  expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('web-profile ids') });
});

test('a success without a body is a success', async () => {
  const author = await aMember('terse-commenter');
  const post = await publish(content('The post of few words'), aPost(author)());
  const remote = await comment(post, 'Hello', aPost(author)());
  const [, stored] = await postsOf(author);
  const number = /,(\d+)\)$/.exec(stored?.id ?? '')?.[1];
  expect(remote.id).toBe(`urn:li:comment:(${post.id},${number})`);
});

const on = { id: 'urn:li:share:7400000000000000001', url: null };
const denial = (resource: string) => ({
  status: 403,
  serviceErrorCode: 100,
  code: 'ACCESS_DENIED',
  message: `Not enough permissions to access: ${resource}`,
});

/** Comments on a fake LinkedIn that responds by the first part of the path and records the requests. */
async function commentAt(answers: Record<string, [status: number, body: object]>) {
  const requests: { path: string; version: unknown; body: unknown }[] = [];
  await using server = await serve(async (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, version: request.headers['linkedin-version'], body: JSON.parse(await text(request)) });
    const [status, body] = answers[path.split('/')[1] ?? ''] ?? [404, {}];
    response.writeHead(status).end(JSON.stringify(body));
  });
  const account = { id: 'a', handle: 'ann', displayName: 'Ann', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'AQX-token', refreshToken: null, organizationId: null };
  const client = platformClient(server.access(), 'linkedin', new AbortController().signal);
  const step = stepRunner(memorySteps().claim());
  const commenting = comment(on, 'First (!)', { ...client, account, credentials, postId: 'post-1', step, until });
  const outcome = await commenting.then(
    (remote) => ({ remote }),
    async () => ({ failure: await failureOf(commenting) }),
  );
  return { requests, ...outcome };
}

test('an application that is not a partner for comments uses the older API', async () => {
  const { requests, ...outcome } = await commentAt({
    rest: [403, denial('partnerApiSocialActions.CREATE.20260901')],
    v2: [201, { id: '777', object: 'urn:li:activity:2' }],
  });
  expect(outcome).toMatchObject({ remote: { id: 'urn:li:comment:(urn:li:activity:2,777)' } });
  const path = 'socialActions/urn%3Ali%3Ashare%3A7400000000000000001/comments';
  const body = { actor: 'urn:li:person:a', object: on.id, message: { text: 'First (!)' } };
  expect(requests).toEqual([
    { path: `/rest/${path}`, version: expect.stringMatching(/^20\d{4}$/), body },
    { path: `/v2/${path}`, version: undefined, body },
  ]);
});

test.for<Record<string, [number, object]>>([
  { rest: [403, denial('socialActions.CREATE')] },
  { rest: [403, denial('partnerApiSocialActions.CREATE')], v2: [403, denial('socialActions.CREATE.NO_VERSION')] },
])('without permission the comment is rejected, and the connection stays usable: %j', async (answers) => {
  const { failure } = (await commentAt(answers)) as { failure?: unknown };
  expect(failure).toMatchObject({ kind: 'rejected', status: 403, reason: expect.stringContaining('permissions') });
});

test('a comment that LinkedIn accepts without an id is a success without an id', async () => {
  const outcome = await commentAt({ rest: [201, {}] });
  expect(outcome).toMatchObject({ remote: { id: null, url: expect.stringMatching(/7400000000000000001\/?$/) } });
});

test('a post that LinkedIn has not finished creating can be retried', async () => {
  const outcome = await commentAt({ rest: [400, { message: 'Unable to obtain activity' }] });
  expect(outcome).toMatchObject({ failure: { kind: 'unavailable', mayHaveHappened: false } });
});
