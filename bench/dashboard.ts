import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath, launchOptions } from '../dashboard/test/support/chromium.ts';
import { insertDuePosts } from './due-posts.ts';
import type { Benchmark, Row } from './harness/benchmark.ts';
import { figureRow } from './harness/compare.ts';
import { percentile } from './harness/percentile.ts';
import { openPublishingStage, type PublishingStage } from './publishing-stage.ts';

const pages = [
  '/signin',
  '/calendar',
  '/queue',
  '/compose',
  '/posts',
  '/channels',
  '/media',
  '/insights',
  '/developers/keys',
  '/developers/webhooks',
  '/developers/mcp',
  '/developers/requests',
  '/workspace',
  '/settings/profile',
  '/settings/security',
  '/settings/appearance',
  '/settings/usage',
];
const posts = 1_000;
const keystrokes = 60;
const eventsPerRound = 1_500;

/** The dashboard in a real browser: the cost of a first load, and the responsiveness with much data. */
export const dashboard: Benchmark<AsyncDisposable> = {
  name: 'dashboard',
  about: 'the dashboard in Chromium, against its budgets',
  forms: [],
  async measure() {
    if (!chromiumPath) return [{ what: 'dashboard', skipped: 'no Chromium was found; set CHROMIUM to its path' }];
    await using bench = await openPublishingStage(10);
    const browser = await chromium.launch(launchOptions);
    try {
      return [
        ...(await firstLoads(browser, bench)),
        ...(await composerStart(browser, bench)),
        ...(await typing(browser, bench)),
        ...(await month(browser, bench)),
        ...(await liveEvents(browser, bench)),
      ];
    } finally {
      await browser.close();
    }
  },
};

const budgeted = (what: string, unit: string, figure: number, budget: number): Row =>
  figureRow({ what, unit, figures: [figure], aim: { atMost: budget }, counted: '' });

/** A signed-in browser with an empty cache. */
async function newBrowser(browser: Browser, { criers }: PublishingStage): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: criers[0]!.ready.baseUrl,
    viewport: { width: 1440, height: 900 },
  });
  const data = { email: 'bench@example.com', password: 'correct horse' };
  const signedIn = await context.request.post('/api/v1/auth/signin', { data });
  if (!signedIn.ok()) throw new Error(await signedIn.text());
  return context;
}

async function firstLoads(browser: Browser, bench: PublishingStage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of pages) {
    await using context = await newBrowser(browser, bench);
    const page = await context.newPage();
    const sizes: Promise<{ kind: string; bytes: number }>[] = [];
    page.on('requestfinished', (request) => {
      const kind = request.resourceType();
      if (kind === 'script' || kind === 'stylesheet')
        sizes.push(request.sizes().then(({ responseBodySize: bytes }) => ({ kind, bytes })));
    });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Requests after the first paint belong to the first load too.
    await sleep(500);
    const loaded = await Promise.all(sizes);
    const kilobytes = (wanted: string) =>
      loaded.filter(({ kind }) => kind === wanted).reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
    rows.push(budgeted(`script of ${path}, compressed`, 'kB', kilobytes('script'), 250));
    rows.push(budgeted(`styles of ${path}, compressed`, 'kB', kilobytes('stylesheet'), 60));
  }
  return rows;
}

async function composerStart(browser: Browser, bench: PublishingStage): Promise<Row[]> {
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    await using context = await newBrowser(browser, bench);
    const page = await context.newPage();
    const began = performance.now();
    await page.goto('/compose');
    await page.getByLabel('Post text').press('a');
    seconds.push((performance.now() - began) / 1000);
  }
  const median = percentile(seconds.sort(ascending), 0.5);
  return [budgeted('composer takes the first letter, empty cache', 's', median, 1.5)];
}

async function typing(browser: Browser, bench: PublishingStage): Promise<Row[]> {
  await using context = await newBrowser(browser, bench);
  const page = await context.newPage();
  await page.addInitScript(noteSlowKeys);
  await page.goto('/compose');
  const channels = page.getByRole('group', { name: 'Post to' }).getByRole('button');
  await channels.first().waitFor();
  for (const channel of await channels.all()) await channel.click();
  const sentence = 'The harbour opens at six, and the boats leave one after the other. ';
  await page.getByLabel('Post text').fill(sentence.repeat(45).slice(0, 3_000));
  await page.getByText(/^Saved /).waitFor();
  await page.getByLabel('Post text').press('End');
  await page.evaluate('globalThis.slowKeys.length = 0');
  for (let key = 0; key < keystrokes; key += 1) await page.keyboard.type('abcdefg '[key % 8]!, { delay: 40 });
  await sleep(500);
  const durations: number[] = await page.evaluate('globalThis.slowKeys');
  // The browser only reports events that take at least 16 ms.
  const sorted = [...Array.from({ length: Math.max(0, keystrokes - durations.length) }, () => 16), ...durations].sort(
    ascending,
  );
  const what = 'key to picture, 3,000 characters, ten channels';
  return [
    budgeted(`${what}, p50`, 'ms', percentile(sorted, 0.5), 50),
    budgeted(`${what}, longest`, 'ms', sorted.at(-1) ?? 0, 50),
  ];
}

/** Runs in the page: collects the time from each keystroke to its effect on the screen. */
const noteSlowKeys = `
  globalThis.slowKeys = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') globalThis.slowKeys.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

async function month(browser: Browser, bench: PublishingStage): Promise<Row[]> {
  const first = new Date();
  first.setUTCMonth(first.getUTCMonth() + 1, 1);
  first.setUTCHours(6, 0, 0, 0);
  // One of the eleven connections belongs to another account on this service.
  const targets = Math.ceil(posts * 1.1);
  await insertDuePosts(bench.pool, { targets, at: (index) => new Date(first.getTime() + index * 2_000_000) });
  const path = `/calendar?view=month&date=${first.toISOString().slice(0, 10)}`;
  const drawnMs: number[] = [];
  for (let run = 0; run < 4; run += 1) {
    await using context = await newBrowser(browser, bench);
    drawnMs.push(await openMonth(await context.newPage(), path));
  }
  await using context = await newBrowser(browser, bench);
  const page = await context.newPage();
  drawnMs.push(await openMonth(page, path));
  const median = percentile(drawnMs.sort(ascending), 0.5);
  return [
    budgeted(`month with ${posts.toLocaleString('en')} posts on the screen after its data`, 'ms', median, 300),
    // At sixty frames per second, a frame takes 17 ms.
    budgeted('frames while a post is dragged, p95', 'ms', await dragFrames(page), 34),
  ];
}

/** Milliseconds from the data of the month to its display. */
async function openMonth(page: Page, path: string): Promise<number> {
  await page.addInitScript(noteFirstTiles);
  await page.goto(path);
  // A lookup by role would scan the whole page meanwhile.
  while (await page.evaluate('globalThis.tilesAt === undefined')) await sleep(100);
  return page.evaluate(`globalThis.tilesAt - Math.max(...performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.includes('/list-posts') && responseEnd < globalThis.tilesAt)
    .map(({ responseEnd }) => responseEnd))`);
}

/** Runs in the page: notes when the first posts are on the screen. */
const noteFirstTiles = `
  const look = () => {
    if (document.querySelectorAll('main a[href^="/posts/"]').length < 20) return requestAnimationFrame(look);
    requestAnimationFrame(() => { globalThis.tilesAt = performance.now(); });
  };
  requestAnimationFrame(look);`;

async function dragFrames(page: Page): Promise<number> {
  const tile = (await page.locator('main a[href^="/posts/"]').first().boundingBox())!;
  await page.mouse.move(tile.x + 20, tile.y + 10);
  await page.mouse.down();
  await page.evaluate(`
    globalThis.frames = [];
    const note = (at) => { globalThis.frames.push(at); globalThis.frameLoop = requestAnimationFrame(note); };
    requestAnimationFrame(note);`);
  await page.mouse.move(tile.x + 500, tile.y + 250, { steps: 60 });
  await page.evaluate('cancelAnimationFrame(globalThis.frameLoop)');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  const at: number[] = await page.evaluate('globalThis.frames');
  return percentile(
    at
      .slice(1)
      .map((time, index) => time - at[index]!)
      .sort(ascending),
    0.95,
  );
}

async function liveEvents(browser: Browser, { pool, ...bench }: PublishingStage): Promise<Row[]> {
  await using context = await newBrowser(browser, { pool, ...bench });
  const page = await context.newPage();
  await page.goto('/calendar?view=list');
  // Must not match an account name that starts with the same letters.
  await page.getByText(/^Live\b/).waitFor();
  await emitChanges(pool, eventsPerRound / 3);
  const before = await heapMegabytes(page);
  await emitChanges(pool, eventsPerRound);
  const middle = await heapMegabytes(page);
  await emitChanges(pool, eventsPerRound);
  const after = await heapMegabytes(page);
  const events = `${eventsPerRound.toLocaleString('en')} live events`;
  const memoryRow = (what: string, figure: number) => figureRow({ what, unit: 'MB', figures: [figure], counted: '' });
  return [
    memoryRow('memory of the page before live events', before),
    memoryRow(`memory after ${events}`, middle),
    budgeted(`growth over the next ${events}`, 'MB', after - middle, 2),
  ];
}

/** Emits events as if posts of the account changed, ten at a time. */
async function emitChanges(pool: pg.Pool, count: number) {
  for (let done = 0; done < count; done += 10) {
    await pool.query(
      `insert into changes (user_id, kind, data)
       select user_id, 'post', jsonb_build_object('postGroupId', id) from post_groups
       where user_id = (select id from users where email = 'bench@example.com') order by id limit 10`,
    );
    await sleep(30);
  }
  await sleep(2_000);
}

async function heapMegabytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize / 2 ** 20;
}

const ascending = (a: number, b: number) => a - b;
