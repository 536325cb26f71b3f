import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/support/local-server.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import { platformClient } from '../kit/client.ts';
import { call, ifPermitted, put } from './api.ts';

interface Asked {
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

/** A server that answers by path, and what it was asked. */
async function serverWith(answers: Record<string, [status: number, body: object]>) {
  const asked: Asked[] = [];
  const server = await serve(async (request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers, body: await text(request) });
    const [status, body] = answers[path] ?? [404, { message: 'Not found' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const vendor = { ...server.access(), applications: { linkedin: { id: 'app', secret: 'app-secret' } } };
  const ctx = platformClient(vendor, 'linkedin', new AbortController().signal);
  return { asked, ctx, [Symbol.asyncDispose]: server.close };
}

const Answer = z.object({ id: z.string() });
const accessToken = 'AQX-token';

describe('a call', () => {
  test('names its version, and the protocol', async () => {
    await using server = await serverWith({ '/rest/thing': [200, { id: '7' }] });
    expect(
      await call(Answer, { path: '/rest/thing', accessToken, body: { a: 1 }, method: 'POST' }, server.ctx),
    ).toEqual({
      id: '7',
    });
    expect(server.asked).toMatchObject([
      {
        body: '{"a":1}',
        headers: {
          authorization: 'Bearer AQX-token',
          'linkedin-version': expect.stringMatching(/^20\d{4}$/),
          'x-restli-protocol-version': '2.0.0',
          'content-type': 'application/json',
        },
      },
    ]);
  });

  test('to what was there before versions names none', async () => {
    await using server = await serverWith({ '/v2/thing': [200, { id: '7' }] });
    await call(Answer, { path: '/v2/thing', accessToken }, server.ctx);
    expect(server.asked[0]?.headers).not.toHaveProperty('linkedin-version');
  });

  test('is null where it is not permitted, and fails as ever otherwise', async () => {
    await using server = await serverWith({ '/v2/denied': [403, { serviceErrorCode: 100, message: 'No.' }] });
    expect(await ifPermitted(call(Answer, { path: '/v2/denied', accessToken }, server.ctx))).toBeNull();
    const failed = await failureOf(ifPermitted(call(Answer, { path: '/v2/other', accessToken }, server.ctx)));
    expect(failed.status).toBe(404);
  });
});

describe('a token that is said to be revoked', () => {
  const revoked: [number, object] = [401, { serviceErrorCode: 65601, message: 'The token has been revoked' }];
  const failureWith = async (introspection: [number, object]) => {
    await using server = await serverWith({ '/v2/me': revoked, '/oauth/v2/introspectToken': introspection });
    const failed = await failureOf(call(Answer, { path: '/v2/me', accessToken }, server.ctx));
    return { failed, asked: server.asked };
  };

  test('while LinkedIn counts it as active is too new: worth another try', async () => {
    const { failed, asked } = await failureWith([200, { active: true, status: 'active' }]);
    expect(failed).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
    expect(Object.fromEntries(new URLSearchParams(asked[1]?.body))).toEqual({
      token: accessToken,
      client_id: 'app',
      client_secret: 'app-secret',
    });
  });

  test.for<[number, object]>([
    [200, { active: false, status: 'revoked' }],
    [401, { error: 'invalid_client' }],
    [500, {}],
  ])('is, unless LinkedIn says otherwise: %j', async (introspection) => {
    const { failed } = await failureWith(introspection);
    expect(failed).toMatchObject({
      kind: 'auth',
      message: 'Access to the LinkedIn account was revoked. Connect again.',
    });
  });
});

test.for(['https://linkedin.com.evil.example/x', 'http://www.linkedin.com/x', 'https://evillinkedin.com/x', 'nowhere'])(
  'the token is not sent along to %s',
  async (address) => {
    await using server = await serverWith({});
    const account = { id: 'a', handle: 'a', displayName: 'A', avatarUrl: null, profileUrl: null, traits: {} };
    const credentials = { accessToken, refreshToken: null, organizationId: null };
    const failed = await failureOf(put(address, new Blob(['x']), { ...server.ctx, account, credentials }));
    expect(failed.kind).toBe('unavailable');
    expect(server.asked).toEqual([]);
  },
);
