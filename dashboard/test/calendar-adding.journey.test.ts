import { expect } from 'vitest';
import { addDays, dateKeyOf, instantOf, startOfWeek, wallTime, weekdayOf } from '../src/lib/time/time.ts';
import { aPost, dayName, middle, place, shortDay, tile, zone } from './support/calendar.ts';
import { inspect, isSeen, tabTo } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const next = addDays(middle, 1);
const weekday = (date: string) => weekdayOf(date) || 7;

journeys('adding a post in the calendar', () => {
  test('a click on a free posting slot writes for its time and channel', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const [mastodon, bluesky] = user.channels;
    await user.call('PUT', '/posting-slots', {
      timeZone: zone,
      slots: [
        { weekday: weekday(middle), time: '09:30' },
        { weekday: weekday(next), time: '14:15', platformId: bluesky },
      ],
    });
    await aPost(user, {
      content: 'In the slot',
      platforms: [mastodon],
      scheduledTime: instantOf(middle, '09:30', zone).toISOString(),
    });
    await page.goto(`/calendar?view=month&date=${middle}`);
    const own = page.getByRole('link', { name: `Free slot, ${shortDay(next)}, 14:15, Bluesky` });
    await own.waitFor();
    expect(
      await place(page, middle)
        .getByRole('link', { name: /^Free slot/ })
        .count(),
    ).toBe(0);
    await inspect(page, 'calendar-slots');
    for (const view of ['Week', 'Day', 'List']) {
      if (view === 'Day') await page.goto(`/calendar?view=day&date=${next}`);
      else await page.getByText(view, { exact: true }).click();
      await own.waitFor();
    }
    await own.click();
    await page.waitForURL(/\/compose\?/);
    expect(await page.getByLabel('Date').inputValue()).toBe(next);
    expect(await page.getByLabel('Time').inputValue()).toBe('14:15');
    const channels = page.getByRole('group', { name: 'Post to' });
    await channels.getByRole('button', { name: /Bluesky/, pressed: true }).waitFor();
    await channels.getByRole('button', { name: /Mastodon/, pressed: false }).waitFor();
  });

  test('“+” of a day or hour is shown on hover, and is one tab stop with arrow keys', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await place(page, middle).hover({ position: { x: 60, y: 90 } });
    await place(page, middle)
      .getByRole('link', { name: `New post on ${dayName(middle)}` })
      .click();
    await page.waitForURL(/\/compose\?/);
    expect(await page.getByLabel('Date').inputValue()).toBe(middle);
    await page.goBack();

    await page.getByText('Week', { exact: true }).click();
    const monday = startOfWeek(middle, 1);
    const add = (date: string, clock: string) =>
      page.getByRole('link', { name: `New post on ${dayName(date)}, ${clock}` });
    await page.getByRole('region', { name: 'Hours' }).focus();
    await tabTo(page, add(monday, '00:00'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => add(addDays(monday, 1), '01:00').evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/compose\?/);
    expect(await page.getByLabel('Time').inputValue()).toBe('01:00');
  });

  test('the current hour is visible with its line, below a toolbar that stays', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], height: 700 });
    const today = dateKeyOf(new Date(), zone);
    const at = instantOf(today, '15:20', zone);
    await page.clock.setFixedTime(at);
    await page.goto('/calendar?view=week');
    const line = page.locator('[data-now]');
    await line.waitFor();
    expect(await line.count()).toBe(1);
    const cell = page.getByRole('region', { name: `${dayName(today)}, ${wallTime(at, zone).hour}:00` });
    const [{ y }, box] = [(await line.boundingBox())!, (await cell.boundingBox())!];
    expect((y - box.y) / box.height).toBeCloseTo(1 / 3, 1);
    expect(
      await isSeen(
        cell
          .getByRole('link', { name: /^New post/ })
          .or(cell)
          .first(),
      ),
    ).toBe(true);

    for (let day = 1; day < 20; day += 1)
      await aPost(user, { content: `Day ${day}`, scheduledTime: instantOf(addDays(middle, -day % 14), '09:00', zone) });
    await page.goto(`/calendar?view=list&date=${middle}`);
    await tile(page, 'Day 1').first().waitFor();
    await page.mouse.wheel(0, 3000);
    await expect.poll(() => isSeen(page.getByRole('button', { name: 'Next' }))).toBe(true);
  });
});
