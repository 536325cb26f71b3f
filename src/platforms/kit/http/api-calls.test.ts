import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../../../test/support/servers/local.ts';
import { expectNoSecret, failureOf } from '../../../../test/support/stages/platform.ts';
import { PlatformError } from '../failure.ts';
import { type ApiRequest, apiCalls, parseJson, secondsIn, secondsToReset, type VendorApi } from './api-calls.ts';
import { platformClient } from './client.ts';

const Post = z.object({ id: z.string() });
const url = 'https://api.platform.example/v1/posts';
const accessToken = 'access-token-0123456789';

/** Reports failures in the field `error`, even with a success status. */
const failureIn: VendorApi['failureIn'] = (response, body) => {
  const said = z.object({ error: z.string() }).safeParse(body).data?.error;
  if (!said) return response.ok ? null : new PlatformError('unavailable', 'No reason.', { status: response.status });
  return new PlatformError('rejected', 'Refused.', { status: response.status, reason: said });
};

/** A server that returns one response to every request and records the requests, and the calls to it. */
async function vendor(
  status: number,
  body: string,
  headers: Record<string, string> = {},
  api: Partial<VendorApi> = {},
) {
  const requests: { method?: string | undefined; url?: string | undefined; headers: object; body: string }[] = [];
  const server = await serve(async (request, response) => {
    requests.push({ method: request.method, url: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(status, headers).end(body);
  });
  const ctx = platformClient(server.access(), 'mastodon', new AbortController().signal);
  const { call, send, read } = apiCalls({ name: 'Example', failureIn, ...api });
  return {
    ...server,
    requests,
    call: (request: Partial<ApiRequest> = {}) => call(Post, { url, ...request }, ctx),
    send: (request: Partial<ApiRequest> = {}) => send({ url, ...request }, ctx),
    read: (response: Response) => read(Post, response),
  };
}

describe('a request', () => {
  test('is a GET that asks for JSON unless it has a body', async () => {
    await using example = await vendor(200, '{"id":"1"}');
    expect(await example.call()).toEqual({ id: '1' });
    expect(example.requests).toMatchObject([{ method: 'GET', headers: { accept: 'application/json' }, body: '' }]);
  });

  test('sends a plain object as JSON', async () => {
    await using example = await vendor(200, '{"id":"1"}');
    await example.call({ body: { text: 'ä' } });
    expect(example.requests).toMatchObject([
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"ä"}' },
    ]);
  });

  test.for([
    ['a form', new URLSearchParams({ a: 'b' }), 'application/x-www-form-urlencoded;charset=UTF-8', 'a=b'],
    ['a file', new Blob(['bytes'], { type: 'image/png' }), 'image/png', 'bytes'],
  ] as const)('sends %s as it is', async ([, body, type, sent]) => {
    await using example = await vendor(200, '{"id":"1"}');
    await example.call({ method: 'PUT', body });
    expect(example.requests).toMatchObject([{ method: 'PUT', headers: { 'content-type': type }, body: sent }]);
  });

  test('has the access token, its own headers and its query, with lists as repeated parameters', async () => {
    await using example = await vendor(200, '{"id":"1"}');
    await example.call({ accessToken, headers: { 'x-own': 'yes' }, query: { q: 'a b', uris: ['1', '2'] } });
    expect(example.requests).toMatchObject([
      { url: '/v1/posts?q=a+b&uris=1&uris=2', headers: { authorization: `Bearer ${accessToken}`, 'x-own': 'yes' } },
    ]);
  });

  test('can be ended alone', async () => {
    await using example = await vendor(200, '{"id":"1"}');
    expect((await failureOf(example.call({ signal: AbortSignal.abort() }))).kind).toBe('network');
    expect(example.requests).toEqual([]);
  });
});

describe('a response', () => {
  test.for(['<html>', '', '[]', '{"id":7}'])('of an unknown shape is "unavailable", and in doubt: %j', async (body) => {
    await using example = await vendor(201, body);
    const failure = await failureOf(example.call());
    expect(failure).toMatchObject({ kind: 'unavailable', status: 201, mayHaveHappened: true });
    expect(failure.message).toContain('Example sent a response that Crier could not read.');
  });

  test.for([200, 400])('that refuses fails as the vendor says, whatever its status: %i', async (status) => {
    await using example = await vendor(status, '{"id":"1","error":"Too long"}');
    expect(await failureOf(example.call())).toMatchObject({ kind: 'rejected', status, reason: 'Too long' });
  });

  test('that refuses and breaks off fails by its status', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(503, { 'content-length': '100' });
      response.write('{"err', () => response.destroy());
    });
    const ctx = platformClient(server.access(), 'mastodon', new AbortController().signal);
    const { call } = apiCalls({ name: 'Example', failureIn });
    expect(await failureOf(call(Post, { url }, ctx))).toMatchObject({ kind: 'unavailable', status: 503 });
  });

  test('with a status of refusal is a failure even if the vendor module sees none', async () => {
    await using example = await vendor(418, '{"id":"1"}', {}, { failureIn: () => null });
    expect(await failureOf(example.call())).toMatchObject({ kind: 'rejected', status: 418 });
    expect(await failureOf(example.send())).toMatchObject({ kind: 'rejected', status: 418 });
  });

  test("with an expected status is the caller's to handle", async () => {
    await using example = await vendor(409, '{"id":"1","error":"Already there"}');
    expect(await example.call({ expected: [409] })).toEqual({ id: '1' });
    expect((await example.send({ expected: [409] })).status).toBe(409);
  });

  test('can be looked at before its body is read', async () => {
    await using example = await vendor(206, '{"id":"1"}', { 'x-own': 'yes' });
    const response = await example.send();
    expect([response.status, response.headers.get('x-own')]).toEqual([206, 'yes']);
    expect(await example.read(response)).toEqual({ id: '1' });
  });

  test('is not followed to another address where redirects are handled by the caller', async () => {
    await using example = await vendor(308, '', { location: '/elsewhere' });
    expect((await example.send({ redirect: 'manual', expected: [308] })).status).toBe(308);
    expect(example.requests).toHaveLength(1);
  });

  test("is parsed by the vendor's own parser where it has one", async () => {
    await using example = await vendor(200, 'id=1', {}, { parseJson: (body) => ({ id: body.slice(3) }) });
    expect(await example.call()).toEqual({ id: '1' });
  });
});

test('the vendor module gets what to redact, and the time', async () => {
  const calls: unknown[] = [];
  const seen: VendorApi['failureIn'] = (_response, _body, call) => {
    calls.push(call);
    return null;
  };
  await using example = await vendor(200, '{"id":"1"}', {}, { failureIn: seen });
  await example.call({ accessToken, secrets: ['code-1'] });
  expect(calls).toEqual([{ now: expect.any(Date), secrets: ['code-1', accessToken] }]);
});

test.for([
  ['{"id":7}', 'The response is unreadable: missing or not as documented: id.'],
  ['<html>', 'The response is unreadable: not the documented JSON.'],
] as const)('an unreadable response is explained in plain words: %s', async ([body, reason]) => {
  await using example = await vendor(200, body);
  expect(await failureOf(example.call({ accessToken }))).toMatchObject({ kind: 'unavailable', reason });
});

test('an unreadable response does not show a secret', async () => {
  await using example = await vendor(200, `{"id":["${accessToken}"]}`);
  expectNoSecret(await failureOf(example.call({ accessToken })), [accessToken]);
});

test('text that is not JSON is null', () => {
  expect(['{"a":1}', '', '<html>'].map(parseJson)).toEqual([{ a: 1 }, null, null]);
});

describe('a rate limit', () => {
  const headers = new Headers({ date: 'Sat, 15 Nov 2031 01:33:30 GMT' });
  const at = (seconds: number) => new Date(Date.parse('2031-11-15T01:33:30Z') + seconds * 1000);

  test("resets by the vendor's own clock, after a second at least", () => {
    expect([at(90), at(0.5), at(-5)].map((reset) => secondsToReset(reset, headers))).toEqual([90, 1, 1]);
  });

  test('is unknown without both times', () => {
    expect(secondsToReset(null, headers)).toBeNull();
    expect(secondsToReset(at(90), new Headers())).toBeNull();
    expect(secondsToReset(new Date(Number.NaN), headers)).toBeNull();
  });

  test.for([
    ['90', 90],
    ['1.2', 2],
    ['0', null],
    ['-1', null],
    ['Sat, 15 Nov 2031 01:33:30 GMT', null],
    ['', null],
  ] as const)('given in seconds as %j is %s', ([value, seconds]) => {
    expect(secondsIn('retry-after', new Headers({ 'retry-after': value }))).toBe(seconds);
    expect(secondsIn('retry-after', new Headers())).toBeNull();
  });
});
