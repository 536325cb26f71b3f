import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { serve } from '../../../../test/support/servers/local.ts';
import { failureOf } from '../../../../test/support/stages/platform.ts';
import { platformClient } from '../../kit/http/client.ts';
import { actions } from './index.ts';

const on = 'urn:li:share:7400000000000000001';
const denial = (resource: string): [number, object] => [
  403,
  {
    status: 403,
    serviceErrorCode: 100,
    code: 'ACCESS_DENIED',
    message: `Not enough permissions to access: ${resource}`,
  },
];
const notFound: [number, object?, string?] = [404, { status: 404, code: 'NOT_FOUND', message: 'Not found' }];

/** A fake LinkedIn that responds by path prefix and records the requests. */
async function aLinkedIn(
  answers: Record<string, [status: number, body?: object | string, id?: string]>,
  { scopes, organizationId = null }: { scopes?: string[]; organizationId?: string | null } = {},
) {
  const requests: string[] = [];
  const server = await serve(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    await text(request);
    requests.push(`${request.method} ${path}`);
    const [, [status, body, id] = notFound] = Object.entries(answers).find(([start]) => path.startsWith(start)) ?? [];
    const headers = id ? { 'x-restli-id': id } : {};
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const account = { id: 'a', handle: 'ann', displayName: 'Ann', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'AQX-token', refreshToken: null, organizationId, scopes };
  const ctx = { ...platformClient(server.access(), 'linkedin', new AbortController().signal), account, credentials };
  return { requests, ctx, [Symbol.asyncDispose]: server.close };
}

describe('without the permission of partners', () => {
  const denied = { '/rest/': denial('partnerApiReactions.CREATE') };

  test('a like uses the older API, and is removed there', async () => {
    await using linkedin = await aLinkedIn({ ...denied, '/v2/': [201, { actor: 'urn:li:person:a' }] });
    expect(await actions.react({ on, type: 'LIKE' }, linkedin.ctx)).toEqual({
      target: on,
      answer: { actor: 'urn:li:person:a' },
    });
    expect(await actions.removeReaction(on, linkedin.ctx)).toEqual({ target: on, answer: null });
    expect(linkedin.requests).toEqual([
      'POST /rest/reactions?actor=urn:li:person:a',
      `POST /v2/socialActions/${on}/likes`,
      `DELETE /rest/reactions/(actor:urn:li:person:a,entity:${on})`,
      `DELETE /v2/socialActions/${on}/likes/urn:li:person:a`,
    ]);
  });

  test('other reactions are rejected, which does not make the credentials invalid', async () => {
    await using linkedin = await aLinkedIn(denied);
    const failure = await failureOf(actions.react({ on, type: 'PRAISE' }, linkedin.ctx));
    expect(failure).toMatchObject({ kind: 'rejected', status: 403 });
    expect(actions.answerIn(failure)).toMatchObject({ code: 'ACCESS_DENIED', serviceErrorCode: 100 });
    expect(linkedin.requests).toHaveLength(1);
  });

  test('a comment is deleted with the older API', async () => {
    await using linkedin = await aLinkedIn({ ...denied, '/v2/': [204] });
    await actions.removeComment({ on, commentId: '7' }, linkedin.ctx);
    expect(linkedin.requests[1]).toBe(`DELETE /v2/socialActions/${on}/comments/7?actor=urn:li:person:a`);
  });
});

describe('an activity that LinkedIn does not accept', () => {
  const activity = 'urn:li:activity:1';
  const targets = ['urn:li:activity:1', 'urn:li:ugcPost:1', 'urn:li:share:1'];
  const commentsOn = (target: string) => `/rest/socialActions/${target}/comments`;

  test('is tried as ugcPost and share, and the first refusal counts if none is accepted', async () => {
    const refusal: [number, object] = [400, { status: 400, code: 'INVALID_URN_ID', message: 'The first' }];
    await using linkedin = await aLinkedIn({ [commentsOn(activity)]: refusal });
    const failure = await failureOf(
      actions.comment({ on: activity, message: { text: 'Hello', attributes: [] } }, linkedin.ctx),
    );
    expect(failure).toMatchObject({ status: 400, reason: 'INVALID_URN_ID: The first' });
    expect(linkedin.requests).toEqual(targets.map((target) => `POST ${commentsOn(target)}`));
  });

  test.for([500, 401, 429])(
    'is not tried further after %i, because LinkedIn may have done it or would refuse all',
    async (status) => {
      const answer: [number, object] = [status, { status, code: 'X', message: 'Not now' }];
      await using linkedin = await aLinkedIn({ [commentsOn('urn:li:ugcPost:1')]: answer });
      const failure = await failureOf(
        actions.comment({ on: activity, message: { text: 'Hello', attributes: [] } }, linkedin.ctx),
      );
      expect(failure.status).toBe(status);
      expect(linkedin.requests).toHaveLength(2);
    },
  );
});

test('credentials that a refusal repeats are redacted', async () => {
  await using linkedin = await aLinkedIn({ '/rest/': [400, { status: 400, code: 'X', message: 'Bad AQX-token' }] });
  const failure = await failureOf(actions.react({ on, type: 'LIKE' }, linkedin.ctx));
  expect(JSON.stringify(actions.answerIn(failure))).not.toContain('AQX-token');
});

test('people without a name and comments that may not be read are left out', async () => {
  const likes = { elements: [{ actor: 'urn:li:person:b' }, { actor: 'urn:li:organization:5', 'actor~': {} }] };
  await using linkedin = await aLinkedIn({
    [`/v2/socialActions/${on}/comments`]: denial('partnerApiSocialActions.GET_ALL'),
    [`/v2/socialActions/${on}/likes`]: [200, likes],
  });
  expect(await actions.peopleAround(on, linkedin.ctx)).toEqual([]);
});

describe('a success', () => {
  const message = { text: 'Hello', attributes: [] };

  test.for(['', '<html>', '[]', '{"id":'])('is one whatever the body is: %j', async (body) => {
    await using linkedin = await aLinkedIn({
      [`/rest/socialActions/${on}/comments`]: [201, body, '777'],
      '/rest/reactions': [201, body, 'urn:li:reaction:1'],
      '/rest/posts': [201, body, 'urn:li:share:2'],
    });
    const commentUrn = `urn:li:comment:(${on},777)`;
    expect(await actions.comment({ on, message }, linkedin.ctx)).toEqual({ id: '777', commentUrn, message: 'Hello' });
    expect((await actions.react({ on, type: 'LIKE' }, linkedin.ctx)).answer).toEqual({ id: 'urn:li:reaction:1' });
    const reshare = { parent: on, commentary: '', visibility: 'PUBLIC' } as const;
    expect(await actions.reshare(reshare, linkedin.ctx)).toEqual({ lifecycleState: 'PUBLISHED', id: 'urn:li:share:2' });
  });

  test('without any id has none', async () => {
    await using linkedin = await aLinkedIn({ '/rest/': [201] });
    const comment = await actions.comment({ on, message }, linkedin.ctx);
    expect(comment).toEqual({ id: null, commentUrn: null, message: 'Hello' });
    const reshare = { parent: on, commentary: '', visibility: 'PUBLIC' } as const;
    expect(await actions.reshare(reshare, linkedin.ctx)).toEqual({ lifecycleState: 'PUBLISHED', id: null });
  });
});

test.for([
  [{ status: 409, code: 'CONFLICT', message: 'urn:li:person:a has already reacted to urn:li:activity:1' }, true],
  [{ status: 409, message: 'Like already exists' }, true],
  [{ status: 409, code: 'CONFLICT', message: 'Conflict with another write, please retry' }, false],
  [{ status: 422, message: 'already exists' }, false],
] as const)('%j says that the account has reacted: %j', async ([answer, hasReacted]) => {
  await using linkedin = await aLinkedIn({ '/rest/': [answer.status, answer] });
  const failure = await failureOf(actions.react({ on, type: 'PRAISE' }, linkedin.ctx));
  expect(actions.hasReacted(failure)).toBe(hasReacted);
});

describe('calls that the scopes of a connection cannot allow are not made', () => {
  const scopes = ['w_member_social', 'w_organization_social'];
  const message = { text: 'Hello', attributes: [] };

  test.for([null, '5'])('comments and likes use the older API immediately (page: %j)', async (organizationId) => {
    await using linkedin = await aLinkedIn({ '/v2/': [201, '', '7'] }, { scopes, organizationId });
    await actions.comment({ on, message }, linkedin.ctx);
    await actions.react({ on, type: 'LIKE' }, linkedin.ctx);
    await actions.removeReaction(on, linkedin.ctx);
    expect(linkedin.requests.map((request) => request.split(' ')[1]?.slice(0, 4))).toEqual(['/v2/', '/v2/', '/v2/']);
  });

  test.for([null, '5'])('reads and other reactions are refused (page: %j)', async (organizationId) => {
    await using linkedin = await aLinkedIn({}, { scopes: ['w_member_social_x'], organizationId });
    const range = { start: { year: 2026, month: 10, day: 1 }, end: { year: 2026, month: 10, day: 2 } };
    const refused = [
      actions.react({ on, type: 'PRAISE' }, linkedin.ctx),
      actions.comment({ on, message }, linkedin.ctx),
      actions.followers(linkedin.ctx),
      actions.followersByDay(range, linkedin.ctx),
      actions.postCounts(on, 'COMMENT', linkedin.ctx),
      actions.accountCounts('COMMENT', null, linkedin.ctx),
      actions.accountCountsByDay('COMMENT', null, linkedin.ctx),
    ];
    for (const work of refused) {
      const failure = await failureOf(work);
      expect(failure).toMatchObject({ kind: 'rejected', status: 403, reason: expect.stringMatching(/none of these/) });
    }
    expect(await actions.peopleAround(on, linkedin.ctx)).toEqual([]);
    expect(linkedin.requests).toEqual([]);
  });
});

test('each text of an answer that is passed on is cut at 4,000 characters', async () => {
  const message = 'x'.repeat(100_000);
  const refused = { status: 400, code: 'BAD', message, errorDetails: { inputErrors: [{ description: message }] } };
  await using refusing = await aLinkedIn({ '/': [400, refused] });
  const failure = await failureOf(actions.react({ on, type: 'PRAISE' }, refusing.ctx));
  const cut = `${'x'.repeat(3999)}…`;
  expect(failure.reason).toHaveLength(4000);
  expect(actions.answerIn(failure)).toEqual({
    ...refused,
    message: cut,
    errorDetails: { inputErrors: [{ description: cut }] },
  });
  await using accepting = await aLinkedIn({ '/': [201, { note: message, created: { by: message } }] });
  const { answer } = await actions.react({ on, type: 'PRAISE' }, accepting.ctx);
  expect(answer).toEqual({ note: cut, created: { by: cut } });
});
