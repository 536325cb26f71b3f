import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../test/support/service.ts';

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
  test.each(['/nowhere', '/api/v1/nowhere'])('%s answers 404 with a body that is not JSON', async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toBe(`Cannot GET ${url}\n`);
  });

  test('an unreadable URL answers 400', async () => {
    const { statusCode, body } = await get('/api/v1/get-post/%ff');
    expect([statusCode, JSON.parse(body)]).toEqual([400, { error: 'Invalid request' }]);
  });

  test('2-4.1: the withdrawn feed routes answer the same, with or without a key', async () => {
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

  test('of another type than JSON answers 415', async () => {
    const { statusCode, body } = await post('<a/>', 'text/xml');
    expect([statusCode, JSON.parse(body)]).toEqual([415, { error: 'Send the body as application/json' }]);
  });

  test('over 1 MB answers 413', async () => {
    const { statusCode, body } = await post(`{"content":"${'x'.repeat(1_100_000)}"}`, 'application/json');
    expect([statusCode, JSON.parse(body)]).toEqual([413, { error: 'The body is larger than 1 MB' }]);
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
      expect([statusCode, JSON.parse(body)]).toEqual([
        400,
        { error: 'Text must be valid Unicode without null characters' },
      ]);
    }
  });

  test('a body nested a hundred thousand levels deep answers 400, not 500', async () => {
    const { apiKey } = await service.aUser();
    const { statusCode } = await service.server.inject({
      method: 'POST',
      url: '/api/v1/create-post',
      headers: { 'content-type': 'application/json', 'x-service-key': apiKey },
      payload: `{"content":"x","platforms":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    });
    expect(statusCode).toBe(400);
  });
});
