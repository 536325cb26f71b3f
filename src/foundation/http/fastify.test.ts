import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { contractBody } from '../../../test/support/documents/contract-body.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { buildServer } from '../../surfaces/server.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ environment: { CORS_ORIGINS: 'https://app.example.com' } });
});
afterAll(() => service.close());

const get = (url: string, headers: Record<string, string> = {}) => service.server.inject({ url, headers });

describe('every answer', () => {
  test('has a request id and security headers', async () => {
    const { headers } = await get('/healthz');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });

  test('keeps the request id of the client', async () => {
    const id = '4bf92f35-77b3:1.2_x';
    const { headers, body } = await get('/api/v1/nowhere', { 'x-request-id': id });
    expect([headers['x-request-id'], JSON.parse(body).requestId]).toEqual([id, id]);
  });

  test.each(['', 'two words', 'x'.repeat(129), '{"level":60}', 'é'])('replaces the request id %j', async (id) => {
    const { headers } = await get('/healthz', { 'x-request-id': id });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  });

  test('allows origins on the list only', async () => {
    const allowed = await get('/healthz', { origin: 'https://app.example.com' });
    const other = await get('/healthz', { origin: 'https://evil.example' });
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('allows browsers of allowed origins to send the headers of the contract', async () => {
    const { headers } = await service.server.inject({
      method: 'OPTIONS',
      url: '/api/v1/create-post',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    for (const name of ['x-service-key', 'x-service-user-id', 'x-service-client', 'idempotency-key']) {
      expect(headers['access-control-allow-headers']).toContain(name);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect(headers['access-control-allow-methods']).toContain(method);
  });
});

describe('a request to an unknown route', () => {
  test('answers 404 with a code and where the routes are listed', async () => {
    const { statusCode, headers, body } = await get('/api/v1/nowhere?x=1');
    expect([statusCode, JSON.parse(body)]).toEqual([
      404,
      {
        error: 'Cannot GET /api/v1/nowhere',
        code: 'ROUTE_NOT_FOUND',
        hint: 'GET /docs and /docs/dashboard list all routes.',
        requestId: headers['x-request-id'],
      },
    ]);
  });

  test('answers a browser with a page, except in the API and for the dashboard’s own files', async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    await mkdir(join(folder.path, 'assets'));
    await writeFile(join(folder.path, 'index.html'), '<html></html>');
    const server = await buildServer(service.app, { dashboardFolder: folder.path });
    onTestFinished(() => server.close());
    const answer = async (url: string, accept: string, method: 'GET' | 'POST' = 'GET') => {
      const { statusCode, headers } = await server.inject({ method, url, headers: { accept } });
      return `${statusCode} ${headers['content-type']}`;
    };
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const html = '404 text/html; charset=utf-8';
    const json = '404 application/json; charset=utf-8';
    for (const path of [
      '/nothing-here?x=1',
      '/calendar/2030',
      '/apiary',
      '/api',
      '/api/',
      '/media/a/none',
      '/connect/x/y',
    ])
      expect(await answer(path, browser), path).toBe(html);
    for (const path of ['/api', '/media/a/none']) expect(await answer(path, '*/*'), path).toBe(json);
    expect(await answer('/connect/x/y', '*/*')).toBe('405 application/json; charset=utf-8');
    expect(await answer('/nothing-here', '*/*')).toBe(json);
    expect(await answer('/nothing-here', browser, 'POST')).toBe(json);
    for (const path of ['/api/v1', '/api/v1/nowhere', '/mcp/x', '/assets/old.js'])
      expect(await answer(path, browser), path).toBe(json);
    expect(await answer('/calendar', browser, 'POST')).toBe('405 application/json; charset=utf-8');
  });

  test.each([
    ['/api/v1/create_post', '/api/v1/create-post'],
    ['/create-post', '/api/v1/create-post'],
    ['/api/v1/list-post', '/api/v1/list-posts'],
  ])('%s: the hint names %s', async (path, meant) => {
    expect(JSON.parse((await get(path)).body).hint).toBe(
      `Did you mean ${meant}? GET /docs and /docs/dashboard list all routes.`,
    );
  });

  test.each([
    ['PATCH', '/api/v1/create-post', 'POST'],
    ['GET', '/api/v1/create-post/', 'POST'],
    ['POST', '/api/v1/get-post/0123456789abcdef01234567', 'GET, HEAD'],
    ['POST', '/api/v1/webhooks/0123456789abcdef01234567', 'DELETE, PATCH'],
    ['PUT', '/api/v1/webhooks', 'GET, HEAD, POST'],
    ['DELETE', '/healthz', 'GET, HEAD'],
  ] as const)('%s %s answers 405 with the methods of the route', async (method, url, allow) => {
    const { statusCode, headers, body } = await service.server.inject({ method, url });
    expect([statusCode, headers.allow, JSON.parse(body).code]).toEqual([405, allow, 'METHOD_NOT_ALLOWED']);
  });

  test('an unreadable URL answers 400', async () => {
    const { statusCode, headers, body } = await get('/api/v1/get-post/%ff');
    expect([statusCode, contractBody(JSON.parse(body))]).toEqual([400, { error: 'Invalid request' }]);
    expect(JSON.parse(body)).toMatchObject({ code: 'INVALID_REQUEST', requestId: headers['x-request-id'] });
  });

  test('a path that is too long answers 400', async () => {
    const { statusCode, body } = await get(`/api/v1/get-post/${'0'.repeat(501)}`);
    expect([statusCode, JSON.parse(body)]).toMatchObject([
      400,
      { code: 'INVALID_REQUEST', hint: 'A path segment is longer than 500 characters.' },
    ]);
  });

  test('OPTIONS without the headers of a preflight is no error', async () => {
    expect((await service.server.inject({ method: 'OPTIONS', url: '/api/v1/create-post' })).statusCode).toBe(204);
  });

  test('what is not HTTP answers 400 with a code and an id', async () => {
    const address = await service.server.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const [, id] = /^x-request-id: (\w{24})\r$/m.exec(answer) ?? [];
    const body = { error: 'The request is not valid HTTP', code: 'REQUEST_UNREADABLE', requestId: id };
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(body);
  });

  test('oversize headers answer 431, without a body to HEAD', async () => {
    const server = await buildServer(service.app);
    onTestFinished(() => server.close());
    const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
    const ask = async (method: string) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`${method} / HTTP/1.1\r\nhost: crier.test\r\nx-large: ${'x'.repeat(40_000)}\r\n\r\n`);
      const [head = '', body = ''] = Buffer.concat(await socket.toArray())
        .toString()
        .split('\r\n\r\n');
      return [head.split('\r\n')[0], body === '' ? '' : JSON.parse(body).code];
    };
    expect(await ask('GET')).toEqual(['HTTP/1.1 431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE']);
    expect(await ask('HEAD')).toEqual(['HTTP/1.1 431 Request Header Fields Too Large', '']);
  });

  test('[linkedin-feed.not-found] the withdrawn feed routes answer the same, with or without a key', async () => {
    for (const path of ['linkedin-posts', 'linkedin-post-comments', 'linkedin-post-reactions']) {
      const { statusCode, body } = await service.server.inject({ method: 'POST', url: `/api/v1/${path}`, payload: {} });
      expect([statusCode, body]).toEqual([404, `Cannot POST /api/v1/${path}\n`]);
    }
  });
});

describe('a body', () => {
  const post = async (payload: string, type: string) => {
    const { apiKey } = await service.aUser();
    return service.server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'content-type': type, 'x-service-key': apiKey },
      payload,
    });
  };

  test.each(['text/xml', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', ''])(
    'of type %j answers 415 with the header to send',
    async (type) => {
      const { statusCode, body } = await post('{"content":"Hello"}', type);
      expect([statusCode, contractBody(JSON.parse(body))]).toEqual([
        415,
        { error: 'Send the body as application/json' },
      ]);
      expect(JSON.parse(body).hint).toContain('Content-Type: application/json');
    },
  );

  test.each([
    ['/create-post', 'Content is required'],
    ['/get-upload-url', 'fileName, contentType, and postGroupId are required'],
    ['/profile-statistics', 'platform and platformId are required'],
  ])('that is an array is reported as an array by %s', async (path, error) => {
    const { apiKey } = await service.aUser();
    const { statusCode, body } = await service.server.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { 'x-service-key': apiKey },
      payload: [{ content: 'Hello' }],
    });
    expect([statusCode, JSON.parse(body)]).toMatchObject([
      400,
      { error, hint: 'The body is an array. Send one JSON object.' },
    ]);
  });

  test('[errors.shape] a field of the wrong kind is reported in plain words', async () => {
    const ada = await service.aUser();
    const refusal = async (method: 'POST' | 'GET', path: string, body?: object) => {
      const headers = { 'x-service-key': ada.apiKey };
      const url = `/api/v1${path}`;
      const answer = await service.server.inject({ method, url, headers, ...(body && { payload: body }) });
      return [answer.statusCode, answer.json().error, answer.json().code];
    };
    const invalid = 'INVALID_REQUEST';
    expect(await refusal('GET', '/events?format=xml')).toEqual([
      400,
      'format must be one of: changes, webhook',
      invalid,
    ]);
    expect(await refusal('GET', '/list-posts?platform=a&platform=b')).toEqual([
      400,
      'platform must be a string',
      invalid,
    ]);
  });

  test('with more than ten thousand fields or entries answers 413; quotes and commas in a text are none', async () => {
    const send = (payload: string) => post(payload, 'application/json');
    const fields = (count: number, end = '') =>
      `{${Array.from({ length: count }, (_, i) => `"k${i}${end}" : 1`).join()}}`;
    expect((await send(fields(10_000))).statusCode).toBe(400);
    for (const end of ['', String.raw`\\`, String.raw`\"`]) {
      const refused = await send(fields(11_000, end));
      const error = 'The body has more than 10,486 fields and list entries';
      expect([refused.statusCode, contractBody(refused.json())]).toEqual([413, { error }]);
    }
    expect((await send(`{"platforms":[${'1,'.repeat(11_000)}1]}`)).statusCode).toBe(413);
    expect((await send(JSON.stringify({ content: '",'.repeat(100_000) }))).statusCode).toBe(400);
  });

  test('over 1 MB answers 413', async () => {
    const { statusCode, body } = await post(`{"content":"${'x'.repeat(1_100_000)}"}`, 'application/json');
    expect([statusCode, contractBody(JSON.parse(body))]).toEqual([413, { error: 'The body is larger than 1 MB' }]);
  });
});

describe('text that PostgreSQL cannot store', () => {
  test.each([
    ['a null character', 'a\\u0000b'],
    ['half of a surrogate pair', 'a\\ud83d'],
  ])('%s answers 400, anywhere in the body', async (_name, text) => {
    const { apiKey } = await service.aUser();
    for (const payload of [`{"content":"${text}"}`, `{"content":"x","extra":{"deep":["${text}"]}}`, `{"${text}":1}`]) {
      const { statusCode, body } = await service.server.inject({
        method: 'POST',
        url: '/api/v1/create-post',
        headers: { 'content-type': 'application/json', 'x-service-key': apiKey },
        payload,
      });
      expect([statusCode, contractBody(JSON.parse(body))]).toEqual([
        400,
        { error: 'Text must be valid Unicode without null characters' },
      ]);
    }
  });

  test('a body nested a hundred thousand levels deep answers 413, not 500', async () => {
    const { apiKey } = await service.aUser();
    const { statusCode } = await service.server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'content-type': 'application/json', 'x-service-key': apiKey },
      payload: `{"content":"x","platforms":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    });
    expect(statusCode).toBe(413);
  });
});

describe('a request without a body, but with Content-Type: application/json', () => {
  const id = '0123456789abcdef01234567';
  test.each([
    ['DELETE', `/delete-post/${id}`],
    ['DELETE', `/media/${id}`],
    ['DELETE', `/webhooks/${id}`],
    ['DELETE', '/linkedin-reactions'],
    ['POST', '/test-connection/mastodon-1'],
    ['POST', `/complete-media/${id}`],
    ['POST', `/webhooks/${id}/regenerate-secret`],
    ['POST', `/webhooks/${id}/test`],
    ['POST', '/webhooks'],
    ['POST', '/create-post'],
    ['PUT', `/update-post/${id}`],
    ['GET', '/platform-connections'],
  ] as const)('%s %s is answered as if the header were not there', async (method, path) => {
    const { apiKey } = await service.aUser();
    const send = async (headers: Record<string, string>) => {
      const url = `/api/v1${path}`;
      const { statusCode, body } = await service.server.inject({
        method,
        url,
        headers: { 'x-service-key': apiKey, ...headers },
      });
      return [statusCode, contractBody(JSON.parse(body))];
    };
    const without = await send({});
    expect(await send({ 'content-type': 'application/json' })).toEqual(without);
    expect(await send({ 'content-type': 'application/json; charset=utf-8', 'content-length': '0' })).toEqual(without);
  });
});
