import { expect } from 'vitest';
import { addDays, dateKeyOf, instantOf, moveDays, startOfWeek } from '../src/lib/time/time.ts';
import { announced, aPost, dayName, drag, middle, place, shortDay, tile, timeOf, zone } from './support/calendar.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('a post in the calendar', () => {
  test('is moved by mouse, with Undo, in the month and in the week', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const at = instantOf(middle, '09:30', zone).toISOString();
    const id = await aPost(user, { content: 'Good morning', scheduledTime: at });
    await page.goto(`/calendar?date=${middle}`);
    await place(page, middle)
      .getByRole('link', { name: '09:30, Good morning, Mastodon, Bluesky, Scheduled' })
      .waitFor();
    expect(await page.title()).toBe('Calendar · Crier');
    await inspect(page, 'calendar-month');

    // To the next day, at the same time of day.
    const next = addDays(middle, 1);
    await drag(page, 'Good morning', next);
    await place(page, next)
      .getByRole('link', { name: /Good morning/ })
      .waitFor();
    await expect.poll(() => timeOf(user, id)).toBe(moveDays(at, 1, zone).toISOString());
    await page.getByRole('button', { name: 'Undo' }).click();
    await place(page, middle)
      .getByRole('link', { name: /Good morning/ })
      .waitFor();
    await expect.poll(() => timeOf(user, id)).toBe(at);

    await page.getByText('Week', { exact: true }).click();
    await drag(page, 'Good morning', `${dayName(middle)}, 14:00`);
    await page
      .getByRole('region', { name: `${dayName(middle)}, 14:00` })
      .getByRole('link', { name: /14:30, Good morning/ })
      .waitFor();
    await inspect(page, 'calendar-week');
  });

  test('is moved by keyboard alone, with announcements', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const at = instantOf(middle, '09:30', zone).toISOString();
    const id = await aPost(user, { content: 'Lift me', scheduledTime: at });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Lift me').focus();
    await page.keyboard.press('Space');
    await announced(
      page,
      /^Picked up Lift me, .*, 09:30\. Left and right arrows move it by a day, up and down by a week/,
    );
    await page.keyboard.press('ArrowDown');
    await announced(page, `${shortDay(addDays(middle, 7))}, 09:30`);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await announced(page, `${shortDay(addDays(middle, 1))}, 09:30`);
    await page.keyboard.press('Alt+ArrowLeft');
    await announced(page, `${shortDay(addDays(middle, 1))}, 08:30`);
    // Nothing is stored before the drop, and Escape cancels.
    expect(await timeOf(user, id)).toBe(at);
    await page.keyboard.press('Escape');
    await announced(page, `Cancelled. The post stays at ${shortDay(middle)}, 09:30.`);

    await tile(page, 'Lift me').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Space');
    await announced(page, `Moved to ${shortDay(addDays(middle, -1))}, 10:30.`);
    const moved = instantOf(addDays(middle, -1), '10:30', zone).toISOString();
    await expect.poll(() => timeOf(user, id)).toBe(moved);
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^10:30, Lift me/);
    // Undo is reachable by keyboard, too.
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => timeOf(user, id)).toBe(at);
    await page.getByText('Week', { exact: true }).click();
    await page
      .getByRole('region', { name: `${dayName(middle)}, 09:00` })
      .getByRole('link', { name: 'Lift me' })
      .focus();
    await page.keyboard.press('Space');
    await announced(page, /up and down by 15 minutes, with Alt by an hour/);
    await page.keyboard.press('ArrowUp');
    await announced(page, `${shortDay(middle)}, 09:15`);
    await page.keyboard.press('ArrowRight');
    await announced(page, `${shortDay(addDays(middle, 1))}, 09:15`);
    await page.keyboard.press('Escape');
    await tile(page, 'Lift me').press('Enter');
    await page.getByRole('dialog', { name: 'Lift me' }).waitFor();
  });

  test('is shown as published without a reload, and then can’t be moved', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], colorScheme: 'dark' });
    // Late in the evening, a time further away would be on the next day.
    const soon = new Date(Date.now() + 120_000).toISOString();
    const id = await aPost(user, { content: 'Any moment now', scheduledTime: soon });
    await page.goto(`/calendar?view=day&date=${dateKeyOf(soon, zone)}`);
    await page.getByRole('link', { name: /Any moment now.*Scheduled/ }).waitFor();
    // Its time comes while the page is open.
    await user.call('PUT', `/update-post/${id}`, { scheduledTime: new Date(Date.now() + 1000).toISOString() });
    const published = page.getByRole('link', { name: /Any moment now.*Published/ });
    await published.waitFor();
    await published.focus();
    await page.keyboard.press('Space');
    await page.getByText('Published posts can’t be moved.').first().waitFor();
    await inspect(page, 'calendar-published');
  });

  test('of the next week is visible, also late in the evening', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const monday = addDays(startOfWeek(dateKeyOf(new Date(), zone), 1), 7);
    const time = instantOf(addDays(monday, 8), '08:30', zone).toISOString();
    await aPost(user, { content: 'Breakfast', scheduledTime: time });
    await page.clock.setFixedTime(instantOf(addDays(monday, 1), '23:10', zone));
    await page.goto('/calendar?view=week');
    const hours = page.getByRole('region', { name: 'Hours' });
    const topOf = (hour: number) => hours.locator(`[data-hour="${hour}"]`).boundingBox();
    await expect.poll(async () => (await topOf(7))!.y < (await hours.boundingBox())!.y).toBe(true);
    await page.getByRole('button', { name: 'Next' }).click();
    await tile(page, 'Breakfast').waitFor();
    await expect.poll(async () => (await topOf(7))!.y > (await hours.boundingBox())!.y).toBe(true);
    // Also after the person has scrolled.
    await page.getByRole('button', { name: 'Next' }).click();
    await hours.evaluate((frame) => (frame as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, 9999));
    await page.getByRole('button', { name: 'Previous' }).click();
    await tile(page, 'Breakfast').waitFor();
    await expect.poll(async () => (await topOf(7))!.y > (await hours.boundingBox())!.y).toBe(true);
  });
});
