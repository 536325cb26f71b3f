import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestService, testService } from '../../../../test/support/service.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import { withOwnExamples } from './browser/own-examples.js';
import { samplesOf } from './browser/samples.js';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const get = (url: string, headers: Record<string, string> = {}) => service.server.inject({ url, headers });

const Described = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ summary: z.string(), operationId: z.string() }))),
  components: z.object({
    schemas: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()).optional() })),
  }),
});

const pages = [
  ['/docs', 'api'],
  ['/docs/dashboard', 'dashboard'],
] as const;

describe('the reference', () => {
  test.each(pages)('%s loads scripts, styles and data from this service only', async (path) => {
    const { body, headers } = await get(path);
    const sources = String(headers['content-security-policy']).match(/(?:https?:|\*)\S*/g);
    expect(sources).toBeNull();
    const addresses = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !/^(\/(?!\/)|#|data:,$)/.test(address ?? ''))).toEqual([]);
  });

  test.each(pages)('%s has all of %s before any script has run', async (path, name) => {
    const { body } = await get(path);
    const { paths, components } = Described.parse(await service.server.openapi(name));
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(40);
    for (const { summary, operationId } of operations) {
      expect(body).toContain(`<article id="${operationId}"><h3>${escapeHtml(summary)}</h3>`);
    }
    for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
      const [, article = ''] = body.split(`<article id="schema-${name}">`);
      for (const field of Object.keys(properties)) expect(article).toContain(`<dt><code>${escapeHtml(field)}</code>`);
    }
  });

  test('begins with posts, lists errors, and links to both documents and to its other page', async () => {
    const { body } = await get('/docs');
    expect(body.indexOf('<h2>Posts</h2>')).toBeLessThan(body.indexOf('<h2>Webhooks</h2>'));
    expect(body).toContain('<code>SCHEDULED_TIME_IN_PAST</code>');
    for (const link of ['/api/v1/openapi.json', '/api/v1/openapi-dashboard.json', '/docs/dashboard'])
      expect(body).toContain(`<a href="${link}">`);
    expect((await get('/docs/dashboard')).body).toContain('<a href="/docs">');
  });

  test.each(pages)('%s has no link that leads nowhere within the page', async (path) => {
    const { body } = await get(path);
    const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('contains no key, also not that of a signed-in reader', async () => {
    const { apiKey } = await service.aUser();
    const { body } = await get('/docs', { 'x-service-key': apiKey, cookie: 'crier.session_token=x' });
    expect(body).not.toContain(apiKey);
    expect(body).toBe((await get('/docs')).body);
  });

  test('has scripts that a browser may keep', async () => {
    const { body } = await get('/docs');
    const scripts = [...body.matchAll(/(?:src|data-scalar)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(scripts).toHaveLength(2);
    for (const url of scripts) expect((await get(url)).headers['cache-control']).toMatch(/^public.*immutable$/);
  });

  test('has its scripts compressed, in the encoding that the browser takes', async () => {
    const [, url = ''] = /data-scalar="([^"]+)"/.exec((await get('/docs')).body) ?? [];
    const plain = await get(url);
    const br = await get(url, { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get(url, { 'accept-encoding': 'gzip, br;q=0' });
    expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    for (const { headers } of [plain, br, gzip]) expect(headers.vary).toMatch(/accept-encoding/);
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

const Operation = z.object({ operationId: z.string(), 'x-codeSamples': z.array(z.object({ source: z.string() })) });
const Paths = z.record(z.string(), z.record(z.string(), Operation));

describe('examples', () => {
  const own = { key: 'sk_mine.key', connections: ['mastodon-1', 'linkedin-2'], postGroupId: 'a'.repeat(24) };
  const now = new Date('2031-02-03T04:05:06Z');
  const sampleOf = async (operation: string, mine: typeof own) => {
    const filled = withOwnExamples(await service.server.openapi('all'), 'https://crier.example', { ...mine, now });
    const operations = Object.values(Paths.parse(filled.paths)).flatMap((methods) => Object.values(methods));
    const found = operations.find(({ operationId }) => operationId === operation);
    return (found?.['x-codeSamples'] ?? []).map(({ source }) => source);
  };

  test('have the key of the reader, their connections and a time that is to come, in five languages', async () => {
    const sources = await sampleOf('createPost', own);
    expect(sources).toHaveLength(5);
    for (const source of sources) {
      expect(source).toContain('https://crier.example/api/v1/create-post');
      for (const text of ['sk_mine.key', 'mastodon-1', '2031-02-04T09:00:00.000Z']) expect(source).toContain(text);
    }
    expect((await sampleOf('getPost', own))[0]).toContain(`/get-post/${own.postGroupId}`);
    expect((await sampleOf('createLinkedinComment', own))[0]).toContain('linkedin-2');
  });

  test('try a post without a connection', async () => {
    const [curl] = await sampleOf('createPost', { ...own, key: '', connections: [] });
    expect(curl).toContain('"service-playground"');
    expect(curl).toContain('x-service-key: YOUR_API_KEY');
  });

  test('quote what each language would read as its own', () => {
    const text = `it's "so" \`true\` \\ $x`;
    const samples = samplesOf({ method: 'POST', url: 'http://x', headers: {}, json: { text, yes: true, none: null } });
    const sourceOf = (name: string) => samples.find(({ label }) => label === name)?.source ?? '';
    expect(sourceOf('curl')).toContain(`it'\\''s`);
    expect(sourceOf('Python')).toMatch(/"yes": True,\s+"none": None/);
    expect(sourceOf('Go')).toContain('strings.NewReader("{');
    expect(sourceOf('PHP')).toContain(`it\\'s \\\\"so\\\\"`);
  });
});
