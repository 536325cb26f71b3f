import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { scalarPath } from './scalar.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const get = (url: string, headers: Record<string, string> = {}) => service.server.inject({ url, headers });

const pages = [
  ['/docs', '/api/v1/openapi.json'],
  ['/docs/dashboard', '/api/v1/openapi-dashboard.json'],
] as const;

describe('the reference', () => {
  test.each(pages)('%s loads scripts, styles and data from this service only', async (path) => {
    const { statusCode, body, headers } = await get(path);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const sources = String(headers['content-security-policy']).match(/(?:https?:|\*)\S*/g);
    expect(sources).toBeNull();
    const addresses = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !/^(\/(?!\/)|data:image\/svg)/.test(address ?? ''))).toEqual([]);
    for (const address of addresses.filter((each) => each?.startsWith('/')))
      expect((await get(String(address))).statusCode).toBe(200);
  });

  test.each(pages)('%s shows %s, links to the other page and says what works without JavaScript', async (path, url) => {
    const { body } = await get(path);
    expect(body).toContain(`&quot;url&quot;:&quot;${url}&quot;`);
    expect(body).toContain(`<a href="${path}" aria-current="page">`);
    for (const [link] of pages) expect(body).toContain(`<a href="${link}"`);
    for (const link of [url, '/llms-full.txt']) expect(body).toContain(`<a href="${link}">`);
  });

  test('contains no key, also not that of a signed-in reader', async () => {
    const { apiKey } = await service.aUser();
    const { body } = await get('/docs', { 'x-service-key': apiKey, cookie: 'crier.session_token=x' });
    expect(body).not.toContain(apiKey);
    expect(body).toBe((await get('/docs')).body);
  });

  test('has a script that a browser may keep, in the encoding that it takes', async () => {
    const plain = await get(scalarPath);
    const br = await get(scalarPath, { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get(scalarPath, { 'accept-encoding': 'gzip, br;q=0' });
    expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    for (const { headers } of [plain, br, gzip]) {
      expect(headers.vary).toMatch(/accept-encoding/);
      expect(headers['cache-control']).toMatch(/^public.*immutable$/);
    }
    expect(plain.body).toContain('createApiReference');
    // Scalar's own placeholder for a key looks like a key.
    expect(plain.body).not.toContain('QUxMIFlPVVIg');
  });
});

test('the OpenAPI document is compressed, and not sent again while a browser has the same', async () => {
  const first = await get('/api/v1/openapi.json', { 'accept-encoding': 'br' });
  expect(JSON.parse(brotliDecompressSync(first.rawPayload).toString()).openapi).toBe('3.1.0');
  const etag = String(first.headers.etag);
  const again = await get('/api/v1/openapi.json', { 'accept-encoding': 'br', 'if-none-match': etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const other = await get('/api/v1/openapi.json', { 'if-none-match': etag });
  expect(other.statusCode).toBe(200);
});

test('llms-full.txt has every operation, every schema and every guide', async () => {
  const { body } = await get('/llms-full.txt');
  const openapi = await service.server.openapi('all');
  for (const [path, methods] of Object.entries(openapi.paths ?? {})) {
    for (const method of Object.keys(methods)) expect(body).toContain(`### ${method.toUpperCase()} ${path}\n`);
  }
  for (const title of ['# Webhooks', '# Quick start', '# Going live']) expect(body).toContain(`\n${title}\n`);
  expect(body).not.toContain('<!--');
});
