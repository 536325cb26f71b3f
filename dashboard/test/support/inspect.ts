import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { isStill } from './stage.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether journeys check accessibility on every page, which takes most of their time. */
    isThorough: boolean;
  }
}

/** The folder for screenshots. Unset: none are taken. */
const shots = process.env.SHOTS;
const widths = [360, 768, 1440];

/** Expects the current page to be accessible in both themes. Only in `npm run test:journeys`, not in `npm test`. */
export async function inspect(page: Page, name: string) {
  if (!inject('isThorough')) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await accessibilityProblems(page), `${name} (${colorScheme})`).toEqual([]);
    if (shots) await shoot(page, `${shots}/${name}-${colorScheme}`);
  }
}

/** Accessibility violations that axe finds on the current page. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await isStill(page);
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ html, any }) => `${html.slice(0, 120)} ${any[0]?.message ?? ''}`).join(' | ')}`,
  );
}

async function shoot(page: Page, path: string) {
  const size = page.viewportSize()!;
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${path}-${width}.png`, fullPage: true });
  }
  await page.setViewportSize(size);
}

/** Browser globals missing in Node. */
interface Focused {
  document: { activeElement: unknown };
}
interface Styled {
  getComputedStyle(node: unknown): Record<string, string>;
}
interface Box {
  scrollWidth: number;
  clientWidth: number;
  scrollHeight: number;
  clientHeight: number;
  getBoundingClientRect(): { x: number; y: number; width: number; height: number };
  contains(other: unknown): boolean;
}
interface Hit {
  document: { elementFromPoint(x: number, y: number): unknown };
}

/** The value of a CSS property, as the browser computes it. */
export const styleOf = (element: Locator, property: string): Promise<string | undefined> =>
  element.evaluate((node, name) => (globalThis as unknown as Styled).getComputedStyle(node)[name], property);

/** Whether the element's text does not fit into it. */
export const isCut = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = node as unknown as Box;
    return scrollWidth > clientWidth || scrollHeight > clientHeight;
  });

/** Whether people see the middle of the element, which a parent may cut off. */
export const isSeen = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const shown = node as unknown as Box;
    const { x, y, width, height } = shown.getBoundingClientRect();
    const hit = (globalThis as unknown as Hit).document.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== null && shown.contains(hit);
  });

/** Presses Tab until the element has focus. */
export async function tabTo(page: Page, element: ReturnType<Page['locator']>) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await element.evaluate((node) => node === (globalThis as unknown as Focused).document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab doesn't reach ${element}.`);
}
