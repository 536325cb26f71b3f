import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addDays, dateKeyOf, startOfMonth } from '../../src/lib/time/time.ts';
import type { StageUser } from './stage.ts';

/** The parts of the calendar that journeys use, by their accessible names. */

export const zone = 'Europe/Berlin';
/** Mid-month, two months from now, so that adjacent days are in the same month. */
export const middle = addDays(startOfMonth(dateKeyOf(new Date(Date.now() + 62 * 86_400_000), zone)), 14);

/** Creates a post to all channels of the user. Returns its ID. */
export async function aPost(user: StageUser, body: object): Promise<string> {
  const answer = await user.call('POST', '/create-post', { platforms: user.channels, ...body });
  expect(answer.body).toMatchObject({ success: true });
  return answer.body.postGroupId;
}

export const timeOf = async (user: StageUser, id: string): Promise<string> =>
  (await user.call('GET', `/get-post/${id}`)).body.scheduledTime;

export const tile = (page: Page, words: string) => page.getByRole('link', { name: words });

/** Waits for a screen reader announcement. */
export const announced = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words).waitFor();

export const place = (page: Page, date: string) => page.getByRole('region', { name: dayName(date), exact: true });

export const dayName = (date: string) => formatted(date, { weekday: 'long', day: 'numeric', month: 'long' });

export function shortDay(date: string): string {
  const isThisYear = Number(date.slice(0, 4)) === new Date().getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return formatted(date, { weekday: 'short', day: 'numeric', month: 'short', ...year }).replace(/^(\w+),/, '$1');
}

const formatted = (date: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** Drags a post to a day, or to an hour by name. */
export async function drag(page: Page, words: string, to: string) {
  const target = /^\d{4}-/.test(to) ? place(page, to) : page.getByRole('region', { name: to, exact: true });
  // A newly selected view replaces the previous one and scrolls.
  await target.waitFor();
  await tile(page, words).hover({ position: { x: 20, y: 10 } });
  const from = (await tile(page, words).boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y + 20, { steps: 3 });
  // The view scrolls while dragging near its edge. Drop once the target is highlighted.
  await expect
    .poll(async () => {
      const end = (await target.boundingBox())!;
      await page.mouse.move(end.x + end.width / 2, end.y + Math.min(end.height / 2, 40), { steps: 8 });
      return target.getAttribute('data-over');
    })
    .toBe('true');
  await page.mouse.up();
}

/** Drags with a finger, which has to rest a moment first, so that a swipe still scrolls. */
export async function dragByTouch(page: Page, from: Locator, to: Locator) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
  const centreOf = async (element: Locator) => {
    const { x, y, width, height } = (await element.boundingBox())!;
    return { x: x + Math.min(width / 2, 60), y: y + Math.min(height / 2, 40) };
  };
  await from.scrollIntoViewIfNeeded();
  const start = await centreOf(from);
  await touch('touchStart', start);
  // Longer than the delay of the drag.
  await page.waitForTimeout(400);
  const end = await centreOf(to);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1])
    await touch('touchMove', { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
  await expect.poll(() => page.locator('[data-over]').count()).toBe(1);
  await touch('touchEnd');
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await session.detach();
}
