import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { addDays, clockOf, dateKeyOf, formatDateKey, instantOf, moveDays, startOfWeek } from '../src/lib/time/time.ts';
import { aPost, dayName, middle, place, tile, timeOf, zone } from './support/calendar.ts';
import { inspect, isSeen } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('the calendar', () => {
  test('shows posts in every view, filtered, and opens the composer at a day', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const [mastodon, bluesky] = user.channels;
    const at = (clock: string) => instantOf(middle, clock, zone).toISOString();
    await aPost(user, { content: 'Good morning', scheduledTime: at('09:30') });
    for (const clock of ['10:00', '11:00', '12:00'])
      await aPost(user, { content: `At ${clock}`, platforms: [mastodon], scheduledTime: at(clock) });
    await page.goto(`/calendar?date=${middle}`);
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();

    // "+ n more" opens the day.
    await place(page, middle).getByRole('link', { name: '+ 2 more' }).click();
    await page
      .getByRole('region', { name: `${dayName(middle)}, 12:00` })
      .getByRole('link', { name: /At 12:00/ })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('day');
    await inspect(page, 'calendar-day');

    await page.getByText('List', { exact: true }).click();
    await page.getByRole('link', { name: /At 12:00/ }).waitFor();
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: /Bluesky/ }).click();
    await page.getByRole('link', { name: /At 12:00/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /Good morning/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('channel')).toBe(bluesky);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'No matching posts this month' }).waitFor();

    // An empty day opens the composer at that time.
    await page.goto(`/calendar?view=month&date=${middle}`);
    await place(page, addDays(middle, 2)).click({ position: { x: 60, y: 110 } });
    await page.waitForURL(/\/compose\?date=/);
    expect(await page.getByLabel('Date').inputValue()).toBe(addDays(middle, 2));
    expect(await page.getByLabel('Time').inputValue()).toBe('09:00');
  });

  test('opens a week in the morning, not at midnight', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await aPost(user, { content: 'Breakfast', scheduledTime: instantOf(middle, '07:30', zone).toISOString() });
    await page.goto(`/calendar?view=week&date=${middle}`);
    await tile(page, 'Breakfast').waitFor();
    const hours = page.getByRole('region', { name: 'Hours' });
    await expect.poll(() => hours.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    const top = async (hour: number) => (await hours.locator(`[data-hour="${hour}"]`).boundingBox())!.y;
    const frame = (await hours.boundingBox())!.y;
    expect(await top(6)).toBeLessThan(frame);
    expect(await top(7)).toBeGreaterThan(frame);
    expect(await top(7)).toBeLessThan(frame + 80);
  });

  test('opens a week on a phone at today', async ({ stage }) => {
    const { page } = await stage.signedIn({ width: 360, height: 780 });
    const saturday = addDays(startOfWeek(dateKeyOf(new Date(), zone), 1), 5);
    await page.clock.setFixedTime(instantOf(saturday, '12:00', zone));
    await page.goto('/calendar?view=week');
    const today = page.getByRole('link', {
      name: formatDateKey(saturday, 'en-GB', { weekday: 'short', day: 'numeric' }),
      exact: true,
    });
    await today.waitFor();
    const { x, width } = (await today.boundingBox())!;
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(360);
  });

  test('shows every network on a tablet, and the whole text in the day view', async ({ stage }) => {
    const { page, user } = await stage.signedIn({
      networks: ['mastodon', 'bluesky', 'threads', 'telegram'],
      width: 768,
    });
    const content =
      'The harbour opens at six in the morning, and the cafés open with the first of the boats that leave it';
    await aPost(user, { content, scheduledTime: instantOf(middle, '09:30', zone).toISOString() });
    for (const view of ['month', 'week']) {
      await page.goto(`/calendar?view=${view}&date=${middle}`);
      const post = tile(page, 'The harbour opens');
      await post.waitFor();
      const frame = (await post.boundingBox())!;
      // The first icon is the status.
      const icons = await post.locator('svg').all();
      expect(icons).toHaveLength(5);
      for (const icon of icons) {
        const { x, width } = (await icon.boundingBox())!;
        expect({ isSeen: await isSeen(icon), isInside: x + width <= frame.x + frame.width }, view).toEqual({
          isSeen: true,
          isInside: true,
        });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/calendar?view=day&date=${middle}`);
    await tile(page, 'The harbour opens').getByText(content).waitFor();
  });

  test('follows a post that is moved by keyboard beyond the month', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const at = instantOf(middle, '09:30', zone).toISOString();
    const id = await aPost(user, { content: 'Far away', scheduledTime: at });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Far away').focus();
    await page.keyboard.press('Space');
    for (let day = 0; day < 35; day += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await expect.poll(() => timeOf(user, id)).toBe(moveDays(at, 35, zone).toISOString());
    expect(new URL(page.url()).searchParams.get('date')).not.toBe(middle);
  });

  for (const { timezoneId, date, hours, from, to } of [
    {
      timezoneId: 'America/New_York',
      date: '2027-11-07',
      hours: 25,
      from: '2027-11-06T13:00:00.000Z',
      to: '2027-11-07T14:00:00.000Z',
    },
    {
      timezoneId: 'Europe/Berlin',
      date: '2027-03-28',
      hours: 23,
      from: '2027-03-27T08:00:00.000Z',
      to: '2027-03-28T07:00:00.000Z',
    },
  ]) {
    test(`has ${hours} hours on ${date} in ${timezoneId}, and a move keeps the time of day`, async ({ stage }) => {
      const { page, user } = await stage.signedIn({ networks: ['mastodon'], timezoneId, plan: 'pro' });
      await page.clock.install({ time: new Date(Date.parse(from) - 3 * 86_400_000) });
      const id = await aPost(user, { content: 'Over the change', scheduledTime: from });
      await page.goto(`/calendar?view=day&date=${date}`);
      await page.getByRole('region', { name: 'Hours' }).waitFor();
      await expect.poll(() => page.locator('[data-hour]').count()).toBe(hours);
      await page.goto(`/calendar?view=week&date=${addDays(date, -1)}`);
      await tile(page, 'Over the change').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await expect.poll(() => timeOf(user, id)).toBe(to);
      expect(clockOf(to, timezoneId)).toBe(clockOf(from, timezoneId));
    });
  }

  test('cuts off nothing in a month with 12-hour times on a phone', async ({ stage }) => {
    const networks = ['mastodon', 'bluesky', 'twitter', 'linkedin'] as const;
    const { page, user } = await stage.signedIn({ networks, locale: 'en-US' });
    await aPost(user, { content: 'Late in the day', scheduledTime: instantOf(middle, '22:45', zone).toISOString() });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Late in the day').waitFor();
    for (const width of [1440, 1280, 768, 390, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const shown = tile(page, 'Late in the day');
      for (const part of [...(await shown.locator('svg').all()), shown.getByText(/10:45/)])
        expect(await isWhole(part, shown), `at ${width} px`).toBe(true);
    }
    expect(await page.getByRole('link', { name: 'New post', exact: true }).filter({ visible: true }).count()).toBe(1);
  });
});

/** Whether a part of a tile is fully visible, or hidden completely because it doesn't fit. */
async function isWhole(part: Locator, tile: Locator): Promise<boolean> {
  const [box, line, edge] = [
    await part.boundingBox(),
    await part.locator('..').boundingBox(),
    await tile.boundingBox(),
  ];
  if (!box || !line || !edge || box.y >= line.y + line.height) return true;
  const right = Math.min(line.x + line.width, edge.x + edge.width);
  return box.x + box.width <= right + 1;
}
