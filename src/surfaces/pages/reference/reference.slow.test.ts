import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium, type Page } from '../../../../test/support/browser/chromium.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';

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
  expect(await background()).toBe('rgb(15, 15, 15)');
  await prefer('light');
  await openDocs();
  expect(await background()).toBe('rgb(255, 255, 255)');
  await page.evaluate(`document.querySelector('[aria-label*="dark mode" i]').click()`);
  await page.until(`getComputedStyle(document.body).backgroundColor === 'rgb(15, 15, 15)'`);
  await openDocs();
  expect(await background()).toBe('rgb(15, 15, 15)');
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
