import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAccess } from '../src/features/accounts/operator/switches.ts';
import { postLimits } from '../src/foundation/errors/posts.ts';
import { platformIds } from '../src/platforms/index.ts';
import { maxBatch } from '../src/surfaces/mcp/routes.ts';
import { type DescribedService, describedService } from './support/documents/described-service.ts';
import { wrongLists } from './support/documents/wrong-lists.ts';
import { secretWatch } from './support/secrets/watch.ts';
import { outsideClient } from './support/service/outside-client.ts';
import type { TestUser } from './support/service/service.ts';

/**
 * CPU time of the thread: time when another process has the processor does not count. The longest requests take about
 * half of this. What this test is about takes seconds.
 */
const longestBlockMs = 100;

/** Blocking code blocks every time. Neighbours on the same cores add CPU time only now and then. */
async function unlessNoise<M extends { blockMs: number }>(first: M, measureAgain: () => Promise<M>): Promise<M> {
  let least = first;
  for (let tries = 1; tries < 5 && least.blockMs > longestBlockMs; tries += 1) {
    const next = await measureAgain();
    if (next.blockMs < least.blockMs) least = next;
  }
  return least.blockMs > longestBlockMs ? { ...least, blockMs: least.blockMs / slowness() } : least;
}

/** The reference's duration on the machine that the limit is for. */
const referenceMs = 10;
const reference = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => `k${i}`));

/** How much slower the processor is right now: a virtual machine can lose half of its speed to its neighbours. */
function slowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = cpuMs();
    JSON.parse(reference);
    return cpuMs() - before;
  });
  return Math.max(1, Math.min(...times) / referenceMs);
}

const marks = ['\u200d', '\u0301', '\u0315\u0300', 'e\u0301', '\u{1f1e6}', '👨‍👩‍👧', '漢'];
const markup = ['[a](', '((((', '@@@@', '####', '#a', 'https://', 'a', ' ', 'a\n---\n', '[1/2] '];
const nasty = [...marks, ...markup];
/** Enough where each request takes long. */
const nastiest = ['漢', '#a', 'https://', 'a\n---\n'];

let service: DescribedService;
let ada: TestUser;
let platforms: string[];
/** Ten accounts on each platform. */
let manyPlatforms: string[];
let linkedin: string;
let postGroupId: string;
let widePostId: string;
let session: string;
let base: string;
const client = outsideClient();

beforeAll(async () => {
  // It would work in the measured thread.
  secretWatch.stop();
  service = await describedService({});
  base = await service.server.listen({ port: 0, host: '127.0.0.1' });
  ada = await service.aUser();
  const names = [...Array.from({ length: 8 }, () => 'twitter' as const), 'threads', 'bluesky', 'telegram'] as const;
  await setAccess(service.app, ada.id, { workspace: true });
  const payload = { email: 'session@example.com', password: 'correct horse battery' };
  const signUp = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload });
  session = signUp.json().accessToken;
  platforms = await Promise.all([...names, 'mastodon' as const].map((name) => ada.aConnection(name)));
  manyPlatforms = await Promise.all(
    platformIds.flatMap((name) => Array.from({ length: 10 }, () => ada.aConnection(name))),
  );
  linkedin = await ada.aConnection('linkedin');
  postGroupId = (await ada.call('POST', '/create-post', { content: 'A draft', platforms })).body.postGroupId;
});
afterAll(async () => {
  await client.close();
  await service.close();
});

type Method = 'POST' | 'PUT' | 'PATCH';
const comments = (text: string) => [text, text, text].map((one) => ({ text: one.slice(0, 25_000) }));
const routes: [route: string, method: Method, path: () => string, body: (text: string) => object][] = [
  ['validate-post', 'POST', () => '/validate-post', (content) => ({ content, platforms })],
  ['create-post', 'POST', () => '/create-post', (content) => ({ content, platforms: platforms.slice(0, 9) })],
  ['update-post', 'PUT', () => `/update-post/${postGroupId}`, (content) => ({ content })],
  ['create-post to 100 accounts', 'POST', () => '/create-post', (content) => ({ content, platforms: manyPlatforms })],
  [
    'validate-post for 100 accounts',
    'POST',
    () => '/validate-post',
    (content) => ({ content, platforms: manyPlatforms }),
  ],
  [
    'update-post to 100 accounts',
    'PUT',
    () => `/update-post/${postGroupId}`,
    (content) => ({ content, platforms: manyPlatforms }),
  ],
  [
    'import of long posts',
    'POST',
    () => '/import',
    (content) => ({ posts: imported(Math.floor(4_000_000 / sizeOf(content)), content) }),
  ],
  ['import of 500 posts', 'POST', () => '/import', (text) => ({ posts: imported(500, text.slice(0, 1000)) })],
  [
    'trial import of 500 posts',
    'POST',
    () => '/import',
    (text) => ({ posts: imported(500, text.slice(0, 1000)), dryRun: true }),
  ],
  [
    'first comments',
    'POST',
    () => '/validate-post',
    (text) => ({ content: 'x', platforms, firstComments: comments(text) }),
  ],
  [
    'settings',
    'POST',
    () => '/validate-post',
    (text) => ({ content: 'x', platforms: [linkedin], platformSettings: { linkedin: { [text]: text } } }),
  ],
  [
    'LinkedIn comments',
    'POST',
    () => '/linkedin-comments',
    (message) => ({ platformId: linkedin, postedId: 'urn:li:share:1', message }),
  ],
  [
    'LinkedIn reshares',
    'POST',
    () => '/linkedin-reshare',
    (commentary) => ({ platformId: linkedin, parent: 'urn:li:share:1', commentary }),
  ],
  [
    'webhooks',
    'POST',
    () => '/webhooks',
    (text) => ({ name: text, url: `https://example.com/${text}`, events: [text] }),
  ],
  ['keys', 'POST', () => '/auth/api-keys', (name) => ({ name })],
  ['workspace', 'POST', () => '/workspace/users', (text) => ({ username: `${text}@example.com` })],
];

let keys = 0;
const imported = (count: number, content: string) =>
  Array.from({ length: count }, () => {
    keys += 1;
    return { idempotencyKey: `key ${keys}`, content, platforms: platforms.slice(0, 3) };
  });
const sizeOf = (text: string) => Buffer.byteLength(JSON.stringify(text)) + 500;

/** The longest text of a post, and of one on many accounts; elsewhere, a length that fits into a body more than once. */
const lengthOn = (route: string) =>
  /100/.test(route) ? longestOnMany() : /-post|long posts/.test(route) ? 300_000 : 90_000;
const longestOnMany = () => postLimits.targetTextsLength / manyPlatforms.length;

interface Measured {
  status: number;
  /** The longest CPU time for which the event loop was blocked. */
  blockMs: number;
}

/**
 * Sends a request from another thread, and measures in this one, like the metric `crier_event_loop_block_cpu_seconds`.
 */
async function measure(
  method: Method | 'GET',
  path: string,
  body?: string,
  contentType = 'application/json',
): Promise<Measured> {
  let blockMs = 0;
  let [last, lastCpuMs] = [performance.now(), cpuMs()];
  const timer = setInterval(() => {
    const [now, cpu] = [performance.now(), cpuMs()];
    blockMs = Math.max(blockMs, Math.min(now - last, cpu - lastCpuMs) - tickMs);
    [last, lastCpuMs] = [now, cpu];
  }, tickMs);
  // Creating keys and dashboard actions need a session. Everything else uses a key.
  const credentials: Record<string, string> = /^\/(auth|dashboard|connect|post)\//.test(path)
    ? { authorization: `Bearer ${session}` }
    : { 'x-service-key': ada.apiKey };
  const headers = { ...credentials, ...(body !== undefined && { 'content-type': contentType }) };
  const url = isPage(path) ? base + path : `${base}/api/v1${path}`;
  const status = await client.send({ url, method, headers, ...(body !== undefined && { body }) });
  // The tick after the end measures the last block.
  await new Promise((resolve) => setTimeout(resolve, 3 * tickMs));
  clearInterval(timer);
  return { status, blockMs: Math.round(blockMs) };
}

/** Pages, and endpoints for other programs, are outside of the API. */
const isPage = (path: string) =>
  /^\/(mcp|token|register|authorize|reset-password|connect\/x|networks)\b|^\/$/.test(path);

const tickMs = 5;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

describe('no text blocks the event loop', () => {
  test.each(routes)('%s', async (route, method, path, body) => {
    const slow: object[] = [];
    for (const repeated of /100|import/.test(route) ? nastiest : nasty) {
      const sent = JSON.stringify(body(repeated.repeat(Math.floor(lengthOn(route) / repeated.length))));
      // Another process may occupy the processor, so only a request that is slow twice counts.
      const first = await measure(method, path(), sent);
      const again = await unlessNoise(first, () => measure(method, path(), sent));
      // With any other status, the text would not have been read.
      expect([200, 201, 400]).toContain(first.status);
      if (again.blockMs > longestBlockMs) slow.push({ repeated, ...again });
    }
    expect(slow).toEqual([]);
  });
});

describe('no form blocks the event loop', () => {
  const b = '--b\r\n';
  const field = `${b}content-disposition: form-data; name="a"\r\n`;
  const many = (part: string) => part.repeat(2_000_000 / part.length);
  const forms: [what: string, form: string][] = [
    ['fields', many(`${field}\r\nx\r\n`)],
    ['files', many(`${field.replace('\r\n', '; filename=a\r\n')}\r\nx\r\n`)],
    ['the shortest parts', many('\r\n--b')],
    ['parts without a name', many(`${b}\r\n\r\n`)],
    ['headers', many(`${b}${'a:\r\n'.repeat(20_000)}\r\n\r\n`)],
    ['parameters', many(`${b}content-disposition: form-data${';a="\\'.repeat(15_000)}\r\n\r\nx\r\n`)],
    ['almost ends of parts', `${field}\r\n${many('\r\n--b\r\r\n--')}`],
    ['text', `${field}\r\n${many('x')}`],
  ];

  test.each(forms)('2 MB of %s', async (_, form) => {
    const send = () => measure('POST', '/process-video', `\r\n${form}--b--\r\n`, 'multipart/form-data; boundary=b');
    const first = await send();
    const again = await unlessNoise(first, () => send());
    expect(first.status).toBe(400);
    expect(again.blockMs).toBeLessThanOrEqual(longestBlockMs);
  });
});

describe('no body of many small things blocks the event loop', () => {
  const numbered = (length: number, make: (i: number) => string) => Array.from({ length }, (_, i) => make(i));
  const bodies: [what: string, body: string, type: string][] = [
    ['empty fields of a form', 'a&'.repeat(500_000), 'application/x-www-form-urlencoded'],
    ['fields of a form', numbered(140_000, (i) => `k${i}`).join('&'), 'application/x-www-form-urlencoded'],
    ['spaces in a form', '+'.repeat(1_000_000), 'application/x-www-form-urlencoded'],
    ['unknown fields', `{${numbered(80_000, (i) => `"k${i}":1`).join()}}`, 'application/json'],
    ['as many unknown fields as allowed', `{${numbered(10_000, (i) => `"k${i}":1`).join()}}`, 'application/json'],
    ['elements', `{"content":[${'1,'.repeat(500_000)}1],"platforms":[${'"",'.repeat(10_000)}""]}`, 'application/json'],
    ['ids', `{"content":"x","platforms":[${'"a",'.repeat(250_000)}"a"]}`, 'application/json'],
    ['one text instead of fields', `"${'#'.repeat(300_000)}"`, 'application/json'],
    ['levels', '['.repeat(500_000) + ']'.repeat(500_000), 'application/json'],
    ['levels of objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`, 'application/json'],
    ['nested objects', `{"platformSettings":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`, 'application/json'],
  ];
  const paths = [
    ...['/token', '/authorize', '/register', '/reset-password', '/connect/x/telegram'],
    ...['/networks/facebook/deauthorized', '/auth/signin'],
  ];

  test.each(bodies)('%s', async (_, body, type) => {
    const slow: object[] = [];
    for (const path of [...paths, '/mcp', '/validate-post', '/create-post', '/webhooks']) {
      const first = await measure('POST', path, body, type);
      const again = await unlessNoise(first, () => measure('POST', path, body, type));
      expect(first.status).toBeLessThan(500);
      if (again.blockMs > longestBlockMs) slow.push({ path, ...again });
    }
    expect(slow).toEqual([]);
  });
});

describe('no list of wrong entries blocks the event loop', () => {
  // The maximum number of entries, and as many as fit into a body.
  test.each([10_000, 150_000])('with %i of them', async (entries) => {
    const slow: object[] = [];
    const attacks = wrongLists(service, { ids: { postGroupId }, platforms: platforms.slice(0, 1) });
    for (const { name, method, url, body } of attacks) {
      const sent = JSON.stringify(body(entries));
      const path = url.replace('/api/v1', '');
      const first = await measure(method, path, sent);
      const again = await unlessNoise(first, () => measure(method, path, sent));
      expect([name, first.status]).toEqual([name, expect.toSatisfy((status) => [200, 400, 413].includes(status))]);
      if (again.blockMs > longestBlockMs) slow.push({ name, ...again });
    }
    expect(slow).toEqual([]);
  });
});

describe('no name blocks the event loop', () => {
  const nested = '<'.repeat(300_000) + 'b>'.repeat(300_000);
  const names: [method: Method, path: string, body: object][] = [
    ['POST', '/register', { client_name: nested, redirect_uris: ['http://localhost/callback'] }],
    ['PATCH', '/auth/profile', { name: nested }],
    ['POST', '/auth/api-keys', { name: nested }],
    ['POST', '/auth/signup', { email: 'nested@example.com', password: 'correct horse battery', name: nested }],
  ];
  test.each(names)('%s %s', async (method, path, body) => {
    const send = () => measure(method, path, JSON.stringify(body));
    const first = await send();
    const again = await unlessNoise(first, () => send());
    expect(first.status).toBe(path === '/register' ? 201 : 400);
    expect(again.blockMs).toBeLessThanOrEqual(longestBlockMs);
  });
});

describe('no batch of MCP messages blocks the event loop', () => {
  // The tools can be listed once in a batch.
  test.each(['prompts/list', 'resources/list', 'ping', 'nonsense'])('of %s', async (name) => {
    const messages = Array.from({ length: maxBatch }, (_, id) => ({ jsonrpc: '2.0', id, method: name, params: {} }));
    const send = () => measure('POST', '/mcp', JSON.stringify(messages));
    const first = await send();
    const again = await unlessNoise(first, () => send());
    expect(first.status).toBe(200);
    expect(again.blockMs).toBeLessThanOrEqual(longestBlockMs);
  });
});

describe('no answer blocks the event loop', () => {
  const reads: [what: string, path: () => string][] = [
    ['a post that becomes a long thread', () => `/get-post/${postGroupId}`],
    ['a page of long posts', () => '/list-posts?limit=100'],
    ['a post on 100 accounts', () => `/get-post/${widePostId}`],
    ['the same with a warning', () => '/list-posts?limit=100&unknown=1'],
    ['its log', () => `/post-logs/${postGroupId}`],
  ];

  test.each(reads)('%s', async (_, path) => {
    const slow: object[] = [];
    for (const repeated of ['a ', '漢', '"\\\n']) {
      await fill(repeated.repeat(300_000 / repeated.length));
      const first = await measure('GET', path());
      const again = await unlessNoise(first, () => measure('GET', path()));
      expect(first.status).toBe(200);
      if (again.blockMs > longestBlockMs) slow.push({ repeated, ...again });
    }
    expect(slow).toEqual([]);
  });

  /** Stores a post with this text on all platforms, and a page of copies. */
  async function fill(content: string) {
    const made = await ada.call('POST', '/create-post', { content, platforms });
    postGroupId = made.body.postGroupId;
    const onMany = { content: content.slice(0, longestOnMany()), platforms: manyPlatforms };
    const wide = await ada.call('POST', '/create-post', onMany);
    widePostId = wide.body.postGroupId;
    await sql`
      insert into post_groups
      select (jsonb_populate_record(one, jsonb_build_object('id', substr(md5(random()::text || n), 1, 24)))).*
      from post_groups one, generate_series(1, 100) n where one.id = ${postGroupId}`.execute(service.app.db);
  }
});
