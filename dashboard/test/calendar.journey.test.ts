import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, clockOf, dateKeyOf, instantOf, moveDays, startOfMonth } from '../src/lib/time.ts';
import { accessibilityProblems, chromiumPath, openStage, type Stage, type StageUser } from './support/stage.ts';

const zone = 'Europe/Berlin';
/** In the middle of the month after the next, so that a day before and after is in the same month. */
const middle = addDays(startOfMonth(dateKeyOf(new Date(Date.now() + 62 * 86_400_000), zone)), 14);

describe.skipIf(!chromiumPath)('the calendar', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  async function aPost(user: StageUser, body: object): Promise<string> {
    const answer = await user.call('POST', '/create-post', { platforms: user.channels, ...body });
    expect(answer.body).toMatchObject({ success: true });
    return answer.body.postGroupId;
  }
  const timeOf = async (user: StageUser, id: string): Promise<string> =>
    (await user.call('GET', `/get-post/${id}`)).body.scheduledTime;
  const tile = (page: Page, words: string) => page.getByRole('link', { name: words });
  const dayName = (date: string) =>
    new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
      new Date(`${date}T00:00:00Z`),
    );
  const short = (date: string) =>
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: Number(date.slice(0, 4)) === new Date().getFullYear() ? undefined : 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${date}T00:00:00Z`));
  const told = (page: Page, words: string | RegExp) => page.getByRole('status').getByText(words).waitFor();
  const place = (page: Page, date: string) => page.getByRole('region', { name: dayName(date), exact: true });

  test('shows posts in every view, and moves them by mouse with Undo', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const [mastodon, bluesky] = user.channels;
    const at = instantOf(middle, '09:30', zone).toISOString();
    const id = await aPost(user, { content: 'Good morning', scheduledTime: at });
    for (const hour of ['10:00', '11:00', '12:00'])
      await aPost(user, {
        content: `At ${hour}`,
        platforms: [mastodon],
        scheduledTime: instantOf(middle, hour, zone).toISOString(),
      });
    await page.goto(`/calendar?date=${middle}`);
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(await page.title()).toBe('Calendar · Crier');
    await place(page, middle)
      .getByRole('link', { name: '09:30, Good morning, Mastodon, Bluesky, Scheduled' })
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    // By mouse to the next day, at the same time of day.
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

    // More than fit open the day.
    await place(page, middle).getByRole('link', { name: '+ 2 more' }).click();
    await page
      .getByRole('region', { name: `${dayName(middle)}, 12:00` })
      .getByRole('link', { name: /At 12:00/ })
      .waitFor();
    expect(new URL(page.url()).searchParams.get('view')).toBe('day');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByText('Week', { exact: true }).click();
    await drag(page, 'At 11:00', `${dayName(middle)}, 14:00`);
    await page
      .getByRole('region', { name: `${dayName(middle)}, 14:00` })
      .getByRole('link', { name: /14:00, At 11:00/ })
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByText('List', { exact: true }).click();
    await page.getByRole('link', { name: /At 12:00/ }).waitFor();
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: /Bluesky/ }).click();
    await page.getByRole('link', { name: /At 12:00/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /Good morning/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('channel')).toBe(bluesky);
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'Nothing in this month' }).waitFor();

    // An empty day opens the composer at that time.
    await page.goto(`/calendar?view=month&date=${middle}`);
    await place(page, addDays(middle, 2)).click({ position: { x: 60, y: 110 } });
    await page.waitForURL(/\/compose\?date=/);
    expect(await page.getByLabel('Date').inputValue()).toBe(addDays(middle, 2));
    expect(await page.getByLabel('Time').inputValue()).toBe('09:00');
  });

  test('moves posts by keyboard alone and says where they are', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const at = instantOf(middle, '09:30', zone).toISOString();
    const id = await aPost(user, { content: 'Lift me', scheduledTime: at });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Lift me').focus();
    await page.keyboard.press('Space');
    await told(page, /^Picked up Lift me, .*, 09:30\. Arrows move it by a day, with Alt by an hour\./);
    await page.keyboard.press('ArrowRight');
    await told(page, `${short(addDays(middle, 1))}, 09:30`);
    await page.keyboard.press('ArrowRight');
    await told(page, `${short(addDays(middle, 2))}, 09:30`);
    await page.keyboard.press('Alt+ArrowLeft');
    await told(page, `${short(addDays(middle, 2))}, 08:30`);
    await place(page, addDays(middle, 2))
      .getByRole('link', { name: /08:30, Lift me/ })
      .waitFor();
    // Nothing is stored before it is dropped, and Escape takes it back.
    expect(await timeOf(user, id)).toBe(at);
    await page.keyboard.press('Escape');
    await told(page, `Cancelled. It stays at ${short(middle)}, 09:30.`);
    await place(page, middle)
      .getByRole('link', { name: /09:30, Lift me/ })
      .waitFor();

    await tile(page, 'Lift me').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Space');
    await told(page, `Moved to ${short(addDays(middle, -1))}, 10:30.`);
    const moved = instantOf(addDays(middle, -1), '10:30', zone).toISOString();
    await expect.poll(() => timeOf(user, id)).toBe(moved);
    expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^10:30, Lift me/);
    // Undo is in reach of the keyboard, too.
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => timeOf(user, id)).toBe(at);
    await tile(page, 'Lift me').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Space');
    await expect.poll(() => timeOf(user, id)).toBe(moved);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lift me', level: 1 }).waitFor();

    // Beyond the month the view goes along.
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Lift me').focus();
    await page.keyboard.press('Space');
    for (let day = 0; day < 35; day += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await expect.poll(() => timeOf(user, id)).toBe(moveDays(moved, 35, zone).toISOString());
    expect(new URL(page.url()).searchParams.get('date')).not.toBe(middle);
  });

  test('shows a publication without a reload, and keeps what is published where it is', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], colorScheme: 'dark' });
    const today = dateKeyOf(new Date(), zone);
    const id = await aPost(user, {
      content: 'Any moment now',
      scheduledTime: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await page.goto('/calendar?view=list');
    await page.getByRole('link', { name: /Any moment now.*Scheduled/ }).waitFor();
    await page.goto('/calendar?view=day');
    await page.getByRole('link', { name: /Any moment now.*Scheduled/ }).waitFor();
    // Its time comes while the page is open.
    await user.call('PUT', `/update-post/${id}`, { scheduledTime: new Date(Date.now() + 4000).toISOString() });
    const published = page.getByRole('link', { name: /Any moment now.*Published/ });
    await published.waitFor();
    await published.focus();
    await page.keyboard.press('Space');
    await page.getByText('It is published. Published posts cannot be moved.').first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto('/calendar?view=month');
    await tile(page, 'Any moment now').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(dateKeyOf(await timeOf(user, id), zone)).toBe(today);
  });

  test.each([
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
  ])(
    'has $hours hours on $date in $timezoneId, and a move keeps the time of day',
    async ({ timezoneId, date, hours, from, to }) => {
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
    },
  );

  async function drag(page: Page, words: string, to: string) {
    const target = /^\d{4}-/.test(to) ? place(page, to) : page.getByRole('region', { name: to, exact: true });
    await tile(page, words).scrollIntoViewIfNeeded();
    const from = (await tile(page, words).boundingBox())!;
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + 20, { steps: 3 });
    const end = (await target.boundingBox())!;
    await page.mouse.move(end.x + end.width / 2, end.y + Math.min(end.height / 2, 40), { steps: 8 });
    await page.mouse.up();
  }
});
