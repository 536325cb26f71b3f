import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { call, encodeKey, ifPermitted, put } from './api.ts';

interface VendorRequest {
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

/** A server that responds by path and records the requests. */
async function serverWith(answers: Record<string, [status: number, body: object]>) {
  const requests: VendorRequest[] = [];
  const server = await serve(async (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers, body: await text(request) });
    const [status, body] = answers[path] ?? [404, { message: 'Not found' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const vendor = { ...server.access(), applications: { linkedin: { id: 'app', secret: 'app-secret' } } };
  const ctx = platformClient(vendor, 'linkedin', new AbortController().signal);
  return { requests, ctx, [Symbol.asyncDispose]: server.close };
}

const Answer = z.object({ id: z.string() });
const accessToken = 'AQX-token';

describe('a call', () => {
  test('has the version and the protocol', async () => {
    await using server = await serverWith({ '/rest/thing': [200, { id: '7' }] });
    expect(await call(Answer, { path: '/rest/thing', accessToken, body: { a: 1 } }, server.ctx)).toEqual({ id: '7' });
    expect(server.requests).toMatchObject([
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

  test('has the version that the operator chose', async () => {
    await using server = await serverWith({ '/rest/thing': [200, { id: '7' }] });
    await call(Answer, { path: '/rest/thing', accessToken }, { ...server.ctx, options: { VERSION: '202611' } });
    expect(server.requests[0]?.headers).toHaveProperty('linkedin-version', '202611');
  });

  test('to the API before versions has no version', async () => {
    await using server = await serverWith({ '/v2/thing': [200, { id: '7' }] });
    await call(Answer, { path: '/v2/thing', accessToken }, server.ctx);
    expect(server.requests[0]?.headers).not.toHaveProperty('linkedin-version');
  });

  test('is null if it is not permitted, and fails otherwise', async () => {
    await using server = await serverWith({ '/v2/denied': [403, { serviceErrorCode: 100, message: 'No.' }] });
    expect(await ifPermitted(call(Answer, { path: '/v2/denied', accessToken }, server.ctx))).toBeNull();
    const failed = await failureOf(ifPermitted(call(Answer, { path: '/v2/other', accessToken }, server.ctx)));
    expect(failed.status).toBe(404);
  });
});

test('[linkedin-comments] a key has none of the characters to which Rest.li gives a meaning', () => {
  expect(encodeKey("urn:li:comment:(urn:li:activity:1,2)'")).toBe(
    'urn%3Ali%3Acomment%3A%28urn%3Ali%3Aactivity%3A1%2C2%29%27',
  );
});

describe('a token that LinkedIn reports as revoked', () => {
  const revoked: [number, object] = [401, { serviceErrorCode: 65601, message: 'The token has been revoked' }];
  const failureWith = async (introspection: [number, object]) => {
    await using server = await serverWith({ '/v2/me': revoked, '/oauth/v2/introspectToken': introspection });
    const failed = await failureOf(call(Answer, { path: '/v2/me', accessToken }, server.ctx));
    return { failed, requests: server.requests };
  };

  test('can be tried again if the introspection says that it is active', async () => {
    const { failed, requests } = await failureWith([200, { active: true, status: 'active' }]);
    expect(failed).toMatchObject({ kind: 'unavailable', mayHaveHappened: false });
    expect(Object.fromEntries(new URLSearchParams(requests[1]?.body))).toEqual({
      token: accessToken,
      client_id: 'app',
      client_secret: 'app-secret',
    });
  });

  test.for<[number, object]>([
    [200, { active: false, status: 'revoked' }],
    [401, { error: 'invalid_client' }],
    [500, {}],
  ])('is revoked unless the introspection says otherwise: %j', async (introspection) => {
    const { failed } = await failureWith(introspection);
    expect(failed).toMatchObject({
      kind: 'auth',
      message: 'Access to the LinkedIn account was revoked. Reconnect the account.',
    });
  });
});

test.for(['https://linkedin.com.evil.example/x', 'http://www.linkedin.com/x', 'https://evillinkedin.com/x', 'nowhere'])(
  'the token is not sent to %s',
  async (address) => {
    await using server = await serverWith({});
    const account = { id: 'a', handle: 'a', displayName: 'A', avatarUrl: null, profileUrl: null, traits: {} };
    const credentials = { accessToken, refreshToken: null, organizationId: null };
    const failed = await failureOf(put(address, new Blob(['x']), { ...server.ctx, account, credentials }));
    expect(failed.kind).toBe('unavailable');
    expect(server.requests).toEqual([]);
  },
);
