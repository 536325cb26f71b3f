import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium, type Page } from '../../../../test/support/browser/chromium.ts';
import { signedIn } from '../../../../test/support/service/media-service.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { testPassword } from '../../../../test/support/service/user.ts';

/** The reference as a reader sees it, in Chromium. */

let service: TestService;
let page: Page;
let origin: string;
beforeAll(async () => {
  service = await testService();
  origin = await service.server.listen({ port: 0, host: '127.0.0.1' });
  page = await openChromium();
  await page.send('Page.enable');
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `globalThis.violations = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));`,
  });
});
afterAll(async () => {
  await page?.[Symbol.asyncDispose]();
  await service?.close();
});

const openDocs = async (path = '/docs') => {
  await page.open('about:blank');
  await page.open(`${origin}${path}`);
  await page.until('document.querySelector("main h1") !== null');
};
const shows = (text: string) => page.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
/** Clicks the first visible button whose text contains these words, once there is one. */
const press = (words: string, within = 'body') =>
  page.until(`(() => {
    const buttons = [...document.querySelectorAll('${within} button')].filter((each) => each.checkVisibility());
    const found = buttons.find((each) => each.innerText.includes(${JSON.stringify(words)}));
    found?.click();
    return found !== undefined;
  })()`);
/** The id of the section at the top of the viewport. */
const sectionOnTop = 'document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest("section[id]")?.id ?? ""';
/** The calls with this user's key, from the first. */
async function requestsOf(user: TestUser): Promise<string[]> {
  const headers = await signedIn(service, user);
  const answer = await service.server.inject({ url: '/api/v1/dashboard/requests', headers });
  const { requests } = answer.json() as { requests: { method: string; path: string }[] };
  return requests.map(({ method, path }) => `${method} ${path}`).reverse();
}
const typeInto = async (selector: string, text: string) => {
  await page.until(`document.querySelector('${selector}') !== null`);
  await page.evaluate(`document.querySelector('${selector}').focus()`);
  await page.send('Input.insertText', { text });
};

test.each([
  ['/docs', 'Create, schedule or publish a post', '/docs/dashboard'],
  ['/docs/dashboard', 'Reorder the files of a post', '/docs'],
])(
  '%s shows its operations with what this service serves alone, and links to the other page',
  async (path, operation, other) => {
    await openDocs(path);
    await shows(operation);
    const origins = await page.evaluate(
      `[...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin))]`,
    );
    expect(origins).toEqual([origin]);
    expect(await page.evaluate('violations')).toEqual([]);
    await page.evaluate(`document.querySelector('header a[href="${other}"]').click()`);
    await page.until(`location.pathname === '${other}' && document.querySelector('main h1') !== null`);
  },
);

test('the key of the reader is in the code, and in requests that the page sends', async () => {
  const { apiKey } = await service.aUser();
  await openDocs();
  await typeInto('input[placeholder="Your key or token"]', apiKey);
  await page.evaluate(`location.hash = 'tag/posts/GET/list-posts'`);
  await page.until(`document.querySelector('[id$="/list-posts"] pre')?.innerText.includes(${JSON.stringify(apiKey)})`);
  await press('Test Request', '[id$="/list-posts"]');
  await press('Send get request', '[role=dialog]');
  await shows('200 OK');
  expect(await page.evaluate('violations')).toEqual([]);
});

test('a call that changes something is sent only after a warning, and one that reads is sent immediately', async () => {
  const user = await service.aUser();
  await openDocs();
  await typeInto('input[placeholder="Your key or token"]', user.apiKey);
  const testRequest = async (id: string, address: string, method: string) => {
    await page.evaluate(`location.hash = '${address}'`);
    await press('Test Request', `[id$="/${id}"]`);
    await press(`Send ${method} request`, '[role=dialog]');
  };
  await testRequest('create-post', 'tag/posts/POST/create-post', 'post');
  await shows('This posts to the simulated networks, not to real accounts.');
  expect(await page.evaluate('document.querySelector("dialog h2").textContent')).toBe(
    'Create, schedule or publish a post',
  );
  await press('Cancel', 'dialog[open]');
  await shows('You cancelled the request.');
  expect(await requestsOf(user)).toEqual([]);
  await press('Send post request', '[role=dialog]');
  await press('Send request', 'dialog[open]');
  await expect.poll(() => requestsOf(user)).toEqual(['POST /create-post']);
  await openDocs();
  await typeInto('input[placeholder="Your key or token"]', user.apiKey);
  await testRequest('validate-post', 'tag/posts/POST/validate-post', 'post');
  await expect.poll(() => requestsOf(user)).toEqual(['POST /create-post', 'POST /validate-post']);
  expect(await page.evaluate('violations')).toEqual([]);
});

test('a signed-in reader gets a limited key on request, which replaces the previous one', async () => {
  const user = await service.aUser();
  const channel = await user.aConnection('mastodon');
  const keys = async () => {
    const answer = await service.server.inject({
      url: '/api/v1/auth/api-keys',
      headers: await signedIn(service, user),
    });
    const { apiKeys } = answer.json() as {
      apiKeys: { _id: string; name: string; scopes: string[]; expiresAt: string }[];
    };
    return apiKeys.filter(({ name }) => name === 'API reference (sandbox)');
  };
  await openDocs();
  await press('Use a key of my account', 'header');
  await shows('Sign in to the dashboard first');
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const credentials = JSON.stringify({ email, password: testPassword });
  const body = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(credentials)} }`;
  await page.evaluate(`fetch('/api/v1/auth/signin', ${body}).then(({ ok }) => { globalThis.isSignedIn = ok; })`);
  await page.until('globalThis.isSignedIn');
  await press('Use a key of my account', 'header');
  await shows('Crier creates the API key “API reference (sandbox)”');
  await press('Cancel', 'dialog[open]');
  expect(await keys()).toEqual([]);
  const use = async () => {
    await press('Use a key of my account', 'header');
    await press('Create key', 'dialog[open]');
    await shows('Key filled in.');
    return keys();
  };
  const [first] = await use();
  expect(first?.scopes).toEqual(['read', 'write', 'media']);
  expect(Date.parse(String(first?.expiresAt)) - Date.now()).toBeLessThanOrEqual(3_600_000);
  await page.evaluate(`location.hash = 'tag/posts/GET/list-posts'`);
  await page.until(`/sk_\\w+\\.\\w{52}/.test(document.querySelector('[id$="/list-posts"] pre')?.innerText ?? '')`);
  // The example posts to the reader's own channel, so that the first try succeeds.
  await page.evaluate(`location.hash = 'tag/posts/POST/create-post'`);
  await page.until(
    `document.querySelector('[id$="/create-post"] pre')?.innerText.includes(${JSON.stringify(channel)})`,
  );
  await press('Test Request', '[id$="/create-post"]');
  await press('Send post request', '[role=dialog]');
  await press('Send request', 'dialog[open]');
  await shows('200 OK');
  await openDocs();
  const second = await use();
  expect(second).toHaveLength(1);
  expect(second[0]?._id).not.toBe(first?._id);
  // Nothing of it stays in the browser.
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('sk_');
  expect(await page.evaluate('violations')).toEqual([]);
  await page.send('Network.clearBrowserCookies');
});

test('the search finds an operation by its name', async () => {
  await openDocs();
  await press('Open Search');
  await typeInto('[role=dialog] input', 'list posts');
  await page.until(`document.querySelector('[role=dialog]').innerText.includes('/list-posts')`);
});

test('is dark where the system is, or where the reader wants it', async () => {
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const prefer = (value: string) =>
    page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  await prefer('dark');
  await openDocs();
  expect(await background()).toBe('rgb(21, 26, 42)');
  await prefer('light');
  await openDocs();
  expect(await background()).toBe('rgb(255, 255, 255)');
  // Scalar has dark parts on the light page.
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('normal');
  await page.evaluate(`document.querySelector('[aria-label*="dark mode" i]').click()`);
  await page.until(`getComputedStyle(document.body).backgroundColor === 'rgb(21, 26, 42)'`);
  // The scroll bar of the page as well.
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  await openDocs();
  expect(await background()).toBe('rgb(21, 26, 42)');
  await page.evaluate('localStorage.clear()');
});

test('on a phone nothing is wider than the screen, and the menu is behind a button', async () => {
  const metrics = { width: 375, height: 700, deviceScaleFactor: 2, mobile: true };
  await page.send('Emulation.setDeviceMetricsOverride', metrics);
  await openDocs();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  const menuShown = `[...document.querySelectorAll('aside')].some((each) => each.checkVisibility())`;
  expect(await page.evaluate(menuShown)).toBe(false);
  await press('Open Menu');
  await page.until(menuShown);
  await page.send('Emulation.clearDeviceMetricsOverride');
});

test('the address of a group, as other pages link to it, leads there', async () => {
  await openDocs('/docs#tag/connections');
  await page.until(`(${sectionOnTop}).endsWith('tag/connections')`);
});
