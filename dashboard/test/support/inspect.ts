import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityProblems } from './stage.ts';

/** Where pictures go. Without it none are taken. */
const shots = process.env.SHOTS;
const widths = [360, 768, 1440];

/** Expects that everybody can use the page as it is now, in both themes. */
export async function inspect(page: Page, name: string) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityProblems(page), `${name} (${colorScheme})`).toEqual([]);
    if (shots) await shoot(page, `${shots}/${name}-${colorScheme}`);
  }
}

async function shoot(page: Page, path: string) {
  const size = page.viewportSize()!;
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${path}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize(size);
}

/** What a page has and Node has not. */
interface Focused {
  document: { activeElement: unknown };
}

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, element: ReturnType<Page['locator']>) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await element.evaluate((node) => node === (globalThis as unknown as Focused).document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element}.`);
}
