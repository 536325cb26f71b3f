import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enableWorkspace } from '../src/accounts/accounts.ts';
import { type TestService, type TestUser, testService } from './support/service.ts';

/**
 * The aim is 50 ms. Other processes share the processor during tests, so the bound is wider; work whose time grows with the
 * square of the text takes seconds at these lengths.
 */
const longestBlockMs = 1000;

const marks = ['\u200d', '\u0301', '\u0315\u0300', 'e\u0301', '\u{1f1e6}', '👨‍👩‍👧', '漢'];
const markup = ['[a](', '((((', '@@@@', '####', '#a', 'https://', 'a', ' ', 'a\n---\n', '[1/2] '];
const nasty = [...marks, ...markup];

let service: TestService;
let ada: TestUser;
let platforms: string[];
let linkedin: string;
let postGroupId: string;
let session: string;

beforeAll(async () => {
  service = await testService();
  ada = await service.aUser();
  const names = [...Array.from({ length: 8 }, () => 'twitter' as const), 'threads', 'bluesky', 'telegram'] as const;
  await enableWorkspace(service.app, { user: ada.id });
  const payload = { email: 'session@example.com', password: 'correct horse battery' };
  const signUp = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload });
  session = signUp.json().accessToken;
  platforms = await Promise.all([...names, 'mastodon' as const].map((name) => ada.aConnection(name)));
  linkedin = await ada.aConnection('linkedin');
  postGroupId = (await ada.call('POST', '/create-post', { content: 'A draft', platforms })).body.postGroupId;
});
afterAll(() => service.close());

type Method = 'POST' | 'PUT' | 'PATCH';
const comments = (text: string) => [text, text, text].map((one) => ({ text: one.slice(0, 25_000) }));
const routes: [route: string, method: Method, path: () => string, body: (text: string) => object][] = [
  ['validate-post', 'POST', () => '/validate-post', (content) => ({ content, platforms })],
  ['create-post', 'POST', () => '/create-post', (content) => ({ content, platforms: platforms.slice(0, 9) })],
  ['update-post', 'PUT', () => `/update-post/${postGroupId}`, (content) => ({ content })],
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

/** The longest text of a post; elsewhere what fits into a body more than once. */
const lengthOn = (route: string) => (route.endsWith('-post') ? 300_000 : 90_000);

/** Sends a request and returns its status and the longest time for which the event loop stood still meanwhile. */
async function measure(method: Method, path: string, body: string): Promise<{ status: number; blockMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  // The first tick begins the measurement.
  await new Promise((resolve) => setTimeout(resolve, 15));
  delay.reset();
  // Keys are made in a session, everything else with a key.
  const headers = path.startsWith('/auth/') ? { 'x-service-key': '', authorization: `Bearer ${session}` } : {};
  const { status } = await ada.call(method, path, body, headers);
  await new Promise((resolve) => setTimeout(resolve, 15));
  delay.disable();
  return { status, blockMs: delay.max / 1e6 };
}

describe('no text blocks the event loop', () => {
  test.each(routes)('%s', { timeout: 120_000 }, async (route, method, path, body) => {
    const slow: object[] = [];
    for (const repeated of nasty) {
      const sent = JSON.stringify(body(repeated.repeat(Math.floor(lengthOn(route) / repeated.length))));
      // Another process may hold the processor just now, so only what is slow twice is slow.
      const first = await measure(method, path(), sent);
      const again = first.blockMs > longestBlockMs ? await measure(method, path(), sent) : first;
      // Otherwise the text would not have been read.
      expect([200, 201, 400]).toContain(first.status);
      if (again.blockMs > longestBlockMs) slow.push({ repeated, ...again });
    }
    expect(slow).toEqual([]);
  });
});
