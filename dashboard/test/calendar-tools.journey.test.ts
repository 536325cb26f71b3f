import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addDays, dateKeyOf, instantOf, startOfMonth } from '../src/lib/time/time.ts';
import { aPost, middle, place, tile, zone } from './support/calendar.ts';
import { inspect, isCut, styleOf } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const at = (clock: string, day = middle) => instantOf(day, clock, zone).toISOString();
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

journeys('the tools of the calendar', () => {
  test('filter by several channels and a label, in a row with the heading, and are saved as views', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'threads'] });
    const [mastodon, bluesky, threads] = user.channels;
    await aPost(user, { content: 'Elephant', platforms: [mastodon], labels: ['2027'], scheduledTime: at('09:00') });
    await aPost(user, { content: 'Butterfly', platforms: [bluesky], scheduledTime: at('10:00') });
    await aPost(user, { content: 'Needle', platforms: [threads], labels: ['2027'], scheduledTime: at('11:00') });
    await page.goto(`/calendar?view=week&date=${middle}`);
    await tile(page, 'Needle').waitFor();
    const [heading, filter, views] = await Promise.all(
      [
        page.getByRole('heading', { name: 'Calendar', level: 1 }),
        page.getByRole('combobox', { name: 'Channel' }),
        page.getByRole('button', { name: 'View options' }),
      ].map(async (element) => (await element.boundingBox())!),
    );
    for (const { y, height } of [filter!, views!])
      expect(y + height / 2).toBeCloseTo(heading!.y + heading!.height / 2, -1);

    await page.getByRole('combobox', { name: 'Channel' }).click();
    await option(page, /Mastodon/).click();
    await option(page, /Bluesky/).click();
    await inspect(page, 'calendar-channels');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Channel' }).getByText('2 channels').waitFor();
    await tile(page, 'Needle').waitFor({ state: 'detached' });
    await tile(page, 'Butterfly').waitFor();
    expect(searchOf(page).channel).toBe(`${mastodon},${bluesky}`);

    await page.getByRole('combobox', { name: 'Label' }).click();
    await option(page, '2027').click();
    await tile(page, 'Butterfly').waitFor({ state: 'detached' });
    await tile(page, 'Elephant').waitFor();
    await page.reload();
    await tile(page, 'Elephant').waitFor();

    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Spring');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Spring', exact: true }).waitFor();
    await inspect(page, 'calendar-view-options');
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Butterfly').waitFor();
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('button', { name: 'Spring', exact: true }).click();
    await tile(page, 'Butterfly').waitFor({ state: 'detached' });
    expect(searchOf(page)).toEqual({
      view: 'week',
      date: middle,
      channel: `${mastodon},${bluesky}`,
      label: '"2027"',
    });
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('button', { name: 'Delete view Spring' }).click();
    await page.getByText('Save the current view with its filters').waitFor();
  });

  test('offer more than six channels by network, with a search', async ({ stage }) => {
    const networks = ['mastodon', 'mastodon', 'bluesky', 'threads', 'telegram', 'twitter', 'linkedin'] as const;
    const { page, user } = await stage.signedIn({ networks, width: 390, height: 844, colorScheme: 'dark' });
    await page.goto(`/calendar?date=${middle}`);
    await page.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('group', { name: 'Mastodon' }).getByRole('option').nth(1).waitFor();
    await inspect(page, 'calendar-many-channels');
    await page.getByRole('textbox', { name: 'Find a channel' }).fill('linked');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => searchOf(page).channel).toBe(user.channels[6]);
  });

  test('show the chosen channel and “All labels” uncut at each width', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const handle = 'wittypanda6061@mastodon.social';
    const { pool } = stage.service.database;
    await pool.query(`update connections set handle = $2 where user_id = $1 and platform = 'mastodon'`, [
      user.id,
      handle,
    ]);
    await aPost(user, { content: 'Elephant', labels: ['2027'], scheduledTime: at('09:00') });
    await page.goto(`/calendar?view=week&date=${middle}&channel=${user.channels[0]}`);
    const filter = page.getByRole('combobox', { name: 'Channel' });
    const chosen = filter.getByText('wittypanda6061', { exact: true });
    const label = page.getByRole('combobox', { name: 'Label' });
    for (const width of [1440, 1280, 768, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await chosen.waitFor();
      await label.waitFor();
      // On a phone, the filters share one line.
      if (width > 390) expect(await isCut(chosen), `channel at ${width} px`).toBe(false);
      expect(await isCut(label), `label at ${width} px`).toBe(false);
    }
    expect(await filter.getAttribute('title')).toBe(`${handle} · Mastodon`);
    expect(await label.inputValue()).toBe('All labels');
  });

  test('colour tiles by network, on this device', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await aPost(user, { content: 'Elephant', scheduledTime: at('09:00') });
    await page.goto(`/calendar?view=month&date=${middle}`);
    const face = tile(page, 'Elephant').locator('[data-status]');
    await face.waitFor();
    expect(await face.getAttribute('data-coloured')).toBeNull();
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByText('Network', { exact: true }).click();
    await expect.poll(() => face.getAttribute('style')).toContain('--edge: #6364ff');
    await page.reload();
    await expect.poll(() => face.getAttribute('style')).toContain('--edge: #6364ff');
  });

  test('print every post in black on white, without what surrounds the page', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], colorScheme: 'dark' });
    for (const hour of [10, 11, 12, 13, 14])
      await aPost(user, { content: `At ${hour}`, scheduledTime: at(`${hour}:00`) });
    for (const view of ['month', 'week', 'list']) {
      await page.goto(`/calendar?view=${view}&date=${middle}`);
      await tile(page, 'At 10').waitFor();
      if (view === 'week') await page.getByRole('button', { name: 'Drafts' }).click();
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('region', { name: 'Drafts' }).filter({ visible: true }).count()).toBe(0);
      for (const hour of [10, 11, 12, 13, 14]) await tile(page, `At ${hour}`).waitFor();
      expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
      expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
      await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
      expect(await styleOf(page.locator('body'), 'color')).toBe('rgb(0, 0, 0)');
      expect(await styleOf(page.locator('body'), 'background-color')).toBe('rgb(255, 255, 255)');
      if (view === 'month') await inspect(page, 'calendar-print');
      await page.emulateMedia({ media: 'screen' });
    }
    await page.goto(`/calendar?view=month&date=${middle}`);
    await place(page, middle).getByRole('link', { name: /more/ }).waitFor();
  });

  test('preview a post on hover and on focus, and are never in the way of a drag', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const content = `Fresh rolls from six.\n\n${'Come early, they are gone by eight. '.repeat(4)}And on Sundays by nine.`;
    const id = await aPost(user, { content, scheduledTime: at('09:00') });
    await page.goto(`/calendar?view=month&date=${middle}`);
    const card = page.getByRole('region', { name: /^Preview of “Fresh rolls/ });
    await tile(page, 'Fresh rolls').hover();
    await card.getByText(/And on Sundays by nine\.$/).waitFor();
    await card.getByText('mastodon').first().waitFor();
    await inspect(page, 'calendar-preview');
    // The pointer can reach it, and Escape closes it.
    await card.hover();
    await card.getByRole('link', { name: 'Edit' }).hover();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });

    await page.mouse.move(0, 0);
    await tile(page, 'Fresh rolls').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await card.getByRole('button', { name: 'Reschedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reschedule 1 post' });
    const move = dialog.getByRole('button', { name: /^Move \d post/ });
    expect(await move.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Date' }).fill(`${addDays(middle, 1)} 10:15`);
    await dialog.getByText(/^The post moves from .*9:00.* to .*10:15/).waitFor();
    await inspect(page, 'calendar-reschedule');
    await move.click();
    await expect
      .poll(async () => (await user.call('GET', `/get-post/${id}`)).body.scheduledTime)
      .toBe(at('10:15', addDays(middle, 1)));

    await tile(page, 'Fresh rolls').hover();
    await page.mouse.down();
    await page.mouse.move(10, 500, { steps: 5 });
    await page.waitForTimeout(700);
    expect(await card.count()).toBe(0);
    await page.mouse.up();

    await tile(page, 'Fresh rolls').hover();
    await card.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}/);
    expect(page.url()).not.toContain(id);
  });

  test('open a month at the current week', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'], height: 560 });
    const last = addDays(startOfMonth(dateKeyOf(new Date(), zone)), 26);
    await page.clock.setFixedTime(instantOf(last, '12:00', zone));
    await page.goto('/calendar?view=month');
    await place(page, last).waitFor();
    const box = (await place(page, last).boundingBox())!;
    expect(box.y).toBeGreaterThan(52);
    expect(box.y + box.height).toBeLessThanOrEqual(560);
    expect(await page.evaluate('window.scrollY')).toBeGreaterThan(0);
  });

  test('show the number of networks that do not fit on a tile', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'linkedin', 'threads'] });
    await aPost(user, { content: 'Everywhere', scheduledTime: instantOf(middle, '10:30', zone).toISOString() });
    const others = page.locator('[data-post] [data-count]');
    for (const [view, width] of [
      ['week', 1440],
      ['month', 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/calendar?view=${view}&date=${middle}`);
      await others.waitFor();
      expect(await others.getAttribute('data-count')).toBe('+2');
      const [box, frame] = [(await others.boundingBox())!, (await others.locator('..').boundingBox())!];
      expect(box.x + box.width, `${view} at ${width} px`).toBeLessThanOrEqual(frame.x + frame.width + 0.5);
      expect(box.y, `${view} at ${width} px`).toBeLessThan(frame.y + frame.height);
      await inspect(page, `tile-networks-${view}-${width}`);
    }
  });
});
