import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journeys, test } from './support/journey.ts';

const paths = ['/calendar', '/compose', '/queue', '/posts', '/channels', '/media', '/insights', '/settings/profile'];
/** As in `bench/dashboard.ts`, where the styles have a budget, too. */
const budgetKb = 250;

/** The compressed script of a page in a browser with an empty cache. */
async function scriptKb(page: Page, path: string): Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Requests after the first paint belong to the first load too.
  await page.waitForTimeout(500);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}

journeys('the first load', { timeout: 90_000 }, () => {
  test(`of every page takes at most ${budgetKb} kB of compressed script`, async ({ stage }) => {
    const user = await stage.aUser({ networks: ['mastodon'] });
    const measured: Record<string, number> = {};
    for (const path of paths) measured[path] = await scriptKb(await stage.pageOf(user), path);
    expect(Object.entries(measured).filter(([, size]) => size > budgetKb)).toEqual([]);
  });
});
