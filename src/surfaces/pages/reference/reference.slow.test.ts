import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium, type Page } from '../../../../test/support/chromium.ts';
import { type TestService, testService } from '../../../../test/support/service.ts';

/** The reference as a reader sees it, in Chromium. */

let service: TestService;
let page: Page;
let url: string;
beforeAll(async () => {
  service = await testService();
  url = `${await service.server.listen({ port: 0, host: '127.0.0.1' })}/docs`;
  page = await openChromium();
});
afterAll(async () => {
  await page?.[Symbol.asyncDispose]();
  await service?.close();
});

const openDocs = async (hash = '') => {
  await page.open('about:blank');
  await page.open(`${url}${hash}`);
  await page.until('document.querySelector(".sample pre") !== null');
};
const shownIn = (selector: string) =>
  page.evaluate(`[...document.querySelectorAll('${selector}')].filter((each) => each.checkVisibility()).length`);
const type = async (text: string) =>
  page.evaluate(
    `(() => { const field = document.querySelector('#search'); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event('input')); })()`,
  );

test('opens with little to load and to do: less than 200 kB, and no Scalar', async () => {
  await page.send('Performance.enable');
  await openDocs();
  const loaded: { name: string; size: number }[] = await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map(({ name, transferSize: size }) => ({ name, size }))`,
  );
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter(({ name }) => name.includes('scalar-'))).toEqual([]);
  expect(loaded.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(200_000);
  const { metrics } = (await page.send('Performance.getMetrics')) as { metrics: { name: string; value: number }[] };
  const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN;
  const ready = await page.evaluate(`Math.round(performance.getEntriesByName('ready')[0].startTime)`);
  console.info(`The reference was ready after ${ready} ms, ${Math.round(seconds * 1000)} ms of them in its scripts.`);
});

test('the search finds by name, address and field, and shows everything again', async () => {
  await openDocs();
  const all = await shownIn('main article');
  await type('list posts');
  expect(await page.evaluate(`document.querySelector('#menu li:not([hidden])').textContent`)).toContain('List posts');
  expect(await shownIn('main article')).toBeLessThan(10);
  await type('/import');
  expect(await shownIn('#importPosts')).toBe(1);
  await type('delaySeconds');
  expect(await shownIn('#menu li')).toBeGreaterThan(0);
  await type('xylophone');
  expect(await shownIn('#nothing')).toBe(1);
  await page.evaluate(`location.hash = 'createPost'`);
  await page.until(`document.querySelector('#search').value === ''`);
  expect(await shownIn('main article')).toBe(all);
});

test('the key of the reader is in the code, in the language they chose', async () => {
  const ada = await service.aUser();
  const mastodon = await ada.aConnection();
  await openDocs('#createPost');
  await page.evaluate(`(() => {
    document.querySelector('#key').value = ${JSON.stringify(ada.apiKey)};
    document.querySelector('#key-form').requestSubmit();
  })()`);
  await page.until(
    `document.querySelector('#createPost .sample pre')?.textContent.includes(${JSON.stringify(mastodon)})`,
  );
  await page.evaluate(`(() => {
    const select = document.querySelector('#createPost .sample select');
    select.value = 'Go';
    select.dispatchEvent(new Event('change'));
  })()`);
  const code = await page.evaluate(`document.querySelector('#createPost .sample pre').textContent`);
  expect(code).toContain('package main');
  expect(code).toContain(ada.apiKey);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
});

test('is dark where the system is, or where the reader wants it', async () => {
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const prefer = (value: string) =>
    page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
  await prefer('light');
  await openDocs();
  expect(await background()).toBe('rgb(255, 255, 255)');
  await prefer('dark');
  await page.until(`getComputedStyle(document.body).backgroundColor === 'rgb(15, 15, 15)'`);
  await page.evaluate(`document.querySelector('#theme').click()`);
  expect(await background()).toBe('rgb(255, 255, 255)');
  await openDocs();
  expect(await background()).toBe('rgb(255, 255, 255)');
  await page.evaluate('localStorage.clear()');
  await prefer('light');
});

test('on a phone nothing is wider than the screen, and the menu is behind a button', async () => {
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: 375,
    height: 700,
    deviceScaleFactor: 2,
    mobile: true,
  });
  await openDocs();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  expect(await shownIn('#menu')).toBe(0);
  await page.evaluate(`document.querySelector('#menu-button').click()`);
  expect(await shownIn('#menu')).toBe(1);
  await page.evaluate(`document.querySelector('#menu a[href="#getPost"]').click()`);
  await page.until(`location.hash === '#getPost' && !document.querySelector('#menu').checkVisibility()`);
  expect(
    await page.evaluate(`Math.round(document.querySelector('#getPost').getBoundingClientRect().top)`),
  ).toBeLessThan(100);
  await page.send('Emulation.clearDeviceMetricsOverride');
});

test('the address of a group, as other pages link to it, leads there', async () => {
  await openDocs('#tag/connections');
  expect(await page.evaluate(`document.querySelector('#menu [aria-current]')?.textContent`)).toBe('Connections');
});

test('"Try it" loads Scalar at that operation, with the key, and leads back', async () => {
  await openDocs('#getPost');
  await page.until(`document.querySelector('#getPost .sample button') !== null`);
  await page.evaluate(`[...document.querySelectorAll('#getPost .sample button')].at(-1).click()`);
  await page.until(`document.querySelector('#reference')?.textContent.includes('Test Request')`);
  await page.until(`location.hash.includes('/GET/get-post/')`);
  expect(await shownIn('#pages')).toBe(0);
  await page.evaluate(`document.querySelector('#back').click()`);
  await page.until(`document.querySelector('#pages').checkVisibility()`);
  expect(await page.evaluate('location.hash')).toBe('#getPost');
});
