import { globSync } from 'node:fs';
import type { ConsoleMessage, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addresses } from './support/addresses.ts';
import { accessibilityProblems } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { type SampleWorkspace, sampleWorkspace } from './support/sample-workspace.ts';
import { isLoaded, type Stage, setLook } from './support/stage.ts';

/** They redirect, or are layouts. `welcome.tsx` has its own journey. */
const withoutPage = ['index.tsx', 'compose.tsx', 'welcome.tsx'];

/** Where the page is titled differently from its link. */
const titles: Record<string, string> = { Settings: 'Profile', Keys: 'API keys', 'Agents (MCP)': 'MCP' };

journeys('every page', { timeout: 300_000 }, () => {
  let stage: Stage;
  let sample: SampleWorkspace;
  test.beforeAll(async ({ stage: shared }) => {
    stage = shared;
    sample = await sampleWorkspace(stage, `${stage.receiver.url}/hook`);
  }, 120_000);

  test('is in this list', () => {
    const routes = globSync('**/*.tsx', { cwd: new URL('../src/routes/_app/', import.meta.url) });
    expect([...Object.keys(addresses), ...withoutPage].sort()).toEqual(routes.sort());
  });

  test('has a title, one heading and no console output, fits a phone, and is accessible', async () => {
    const page = await stage.pageOf(sample.user);
    const logged: string[] = [];
    page.on('console', (message: ConsoleMessage) => logged.push(message.text()));
    for (const [file, address] of Object.entries(addresses)) {
      const { path, name } = address(sample);
      await setLook(page, { width: 1440, colorScheme: 'light' });
      await page.goto(path);
      const heading = page.getByRole('heading', { level: 1, name });
      await heading.waitFor();
      await isLoaded(page);
      await expect.poll(() => page.title(), { message: file }).toMatch(/^.+ · Crier$/);
      expect.soft(await page.title(), file).toMatch(typeof name === 'string' ? `${name} · Crier` : name);
      expect.soft(await page.getByRole('heading', { level: 1 }).count(), `${file}: headings of the page`).toBe(1);
      expect.soft(await accessibilityProblems(page), `${file}, light`).toEqual([]);
      await setLook(page, { width: 360, colorScheme: 'dark' });
      expect.soft(await widerThanScreen(page), `${file}: wider than a phone`).toEqual([]);
      expect.soft(await accessibilityProblems(page), `${file}, dark, on a phone`).toEqual([]);
      expect.soft(logged.splice(0), `${file}: console`).toEqual([]);
    }
  });

  test('in the side bar is reachable by keyboard alone, and every control on it has a visible focus', async () => {
    const page = await stage.pageOf(sample.user);
    await page.goto('/calendar');
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    // Without the number of things that need attention.
    for (const name of (await links.allInnerTexts()).map((text) => text.split('\n')[0]!)) {
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await tabTo(page, name);
      await page.keyboard.press('Enter');
      const title = titles[name] ?? name;
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await isLoaded(page);
      await tabTo(page, 'Skip to content', { backwards: true });
      await page.keyboard.press('Enter');
      expect.soft(await unmarkedFocus(page, 12), `${name}: controls without a visible focus`).toEqual([]);
    }
  });
});

/** Elements beyond the right edge, if the page scrolls horizontally. */
const widerThanScreen = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('main *, header *, footer *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 120));
  })()`);

/** Presses Tab until the element with this text has focus. */
async function tabTo(page: Page, name: string, { backwards = false } = {}) {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press(backwards ? 'Shift+Tab' : 'Tab');
    if ((await page.evaluate('document.activeElement?.innerText?.trim().split("\\n")[0]')) === name) return;
  }
  throw new Error(`The keyboard does not reach "${name}".`);
}

/** Returns those of the next controls that look the same with and without focus. */
async function unmarkedFocus(page: Page, count: number): Promise<string[]> {
  const unmarked: string[] = [];
  for (let control = 0; control < count; control += 1) {
    await page.keyboard.press('Tab');
    const problem: string | null = await page.evaluate(`(async () => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const look = () => {
        const around = [];
        for (let node = element; node && around.length < 4; node = node.parentElement) {
          const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(node);
          around.push([outlineStyle, outlineStyle === 'none' ? '' : outlineWidth, boxShadow, borderColor, backgroundColor].join());
        }
        // A row shows the focus of its button around all of it.
        const { outlineStyle, outlineWidth } = getComputedStyle(element, '::after');
        around.push(outlineStyle === 'none' ? '' : outlineStyle + outlineWidth);
        // A switch shows focus on the track next to its invisible input.
        const beside = element.nextElementSibling;
        if (beside) around.push(getComputedStyle(beside).outlineStyle + getComputedStyle(beside).boxShadow);
        return around.join('|');
      };
      // Colour changes take effect in the next frame.
      const nextFrames = async () => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      };
      await nextFrames();
      const focused = look();
      element.blur();
      await nextFrames();
      const plain = look();
      element.focus({ focusVisible: true });
      return focused === plain ? element.outerHTML.slice(0, 140) : null;
    })()`);
    if (problem) unmarked.push(problem);
  }
  return unmarked;
}
