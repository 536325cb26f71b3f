import { chromium } from 'playwright-core';
import { describe, test as plain } from 'vitest';
import { chromiumPath, launchOptions } from './chromium.ts';
import { openStage } from './stage.ts';

/** A group of journeys. Without Chromium they are skipped. */
export const journeys = describe.skipIf(!chromiumPath);

/** A test with one browser, and one service with its sandbox, for all files of a worker. */
export const test = plain
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern that it needs no other fixture.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await chromium.launch(launchOptions);
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('stage', { scope: 'worker' }, async ({ browser }, { onCleanup }) => {
    const stage = await openStage(browser);
    onCleanup(() => stage.close());
    return stage;
  });
