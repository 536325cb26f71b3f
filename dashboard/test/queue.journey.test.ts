import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { addDays, dateKeyOf, instantOf, weekdayOf } from '../src/lib/time/time.ts';
import { announced, aPost, dragByTouch, timeOf, zone } from './support/calendar.ts';
import { composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import type { StageUser } from './support/stage.ts';

/** Tomorrow and the day after, so that no slot passes during the test. */
const [first, second] = [1, 2].map((days) => addDays(dateKeyOf(new Date(), zone), days)) as [string, string];
const at = (day: string, clock: string) => instantOf(day, clock, zone).toISOString();
const weekday = (day: string) => weekdayOf(day) || 7;

const setSlots = (user: StageUser) =>
  user.call('PUT', '/posting-slots', {
    timeZone: zone,
    slots: [
      { weekday: weekday(first), time: '09:00' },
      { weekday: weekday(first), time: '17:00' },
      { weekday: weekday(second), time: '09:00' },
    ],
  });

const row = (page: Page, words: string) => page.getByRole('link', { name: words });
const free = (page: Page, clock: string) => page.getByRole('link', { name: new RegExp(`^${clock} Free slot`) });

async function drag(page: Page, words: string, to: ReturnType<typeof row>) {
  await row(page, words).hover();
  const from = (await row(page, words).boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 20, { steps: 3 });
  const end = (await to.boundingBox())!;
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

journeys('the queue', () => {
  test('shows posts in their slots, which move to other positions by mouse, touch and keyboard', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await setSlots(user);
    const early = await aPost(user, { content: 'Early bird', scheduledTime: at(first, '09:00') });
    const late = await aPost(user, { content: 'Night owl', scheduledTime: at(second, '09:00') });
    const between = await aPost(user, { content: 'In between', scheduledTime: at(first, '11:30') });
    await page.goto('/queue');
    await row(page, '11:30 In between, Not in a slot, Mastodon').waitFor();
    await inspect(page, 'queue');

    await drag(page, 'Early bird', row(page, 'Night owl'));
    await page.getByText(/“Early bird” moved to .* 09:00, and 2 other posts by one place\./).waitFor();
    const times = () => Promise.all([early, between, late].map((id) => timeOf(user, id)));
    const before = [at(first, '09:00'), at(first, '11:30'), at(second, '09:00')];
    expect(await times()).toEqual([before[2], before[0], before[1]]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(times).toEqual(before);

    // With a finger, a neighbour.
    await page.getByText(/moved to/).waitFor({ state: 'detached' });
    await dragByTouch(page, row(page, 'In between'), row(page, 'Early bird'));
    await page.getByText(/“In between” moved to .* 09:00, and “Early bird” to .* 11:30\./).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(times).toEqual(before);

    await row(page, 'Early bird').focus();
    await page.keyboard.press('Space');
    await announced(page, /^Picked up Early bird/);
    await page.keyboard.press('ArrowDown');
    await announced(page, /11:30, after “In between”\.$/);
    await page.keyboard.press('ArrowDown');
    await announced(page, /17:00, free slot\.$/);
    await inspect(page, 'queue-picked-up');
    await page.keyboard.press('Escape');
    await announced(page, /^Cancelled\. The post stays at/);
    await page.keyboard.press('Space');
    for (const _ of [1, 2]) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText(/“Early bird” moved to .* 17:00\./).waitFor();
    await expect.poll(() => timeOf(user, early)).toBe(at(first, '17:00'));

    // Another change wins over a move of what is no longer there.
    const from = encodeURIComponent(new Date().toISOString());
    const stale = (await user.call('GET', `/list-posts?fields=compact&status=scheduled&from=${from}`)).body;
    await page.route('**/list-posts?*', (route) => route.fulfill({ json: stale }));
    expect((await user.call('PUT', `/update-post/${late}`, { content: 'Night owl again' })).status).toBe(200);
    await drag(page, 'Early bird', row(page, 'Night owl'));
    await page.getByText('Couldn’t change the order', { exact: true }).waitFor();
    await page
      .getByText(/Both posts keep their times\.$/)
      .first()
      .waitFor();
    expect([await timeOf(user, early), await timeOf(user, late)]).toEqual([at(first, '17:00'), at(second, '09:00')]);
  });

  test('is filled from the composer, which offers slots if there are none', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await composer.begin(page, ['Mastodon'], 'Queued without slots');
    await page.getByRole('button', { name: 'Queue options' }).click();
    await inspect(page, 'queue-menu');
    await page.getByRole('menuitem', { name: 'Add to queue' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set posting slots?' });
    await dialog.getByText('Monday to Friday, 09:00').waitFor();
    await inspect(page, 'queue-set-slots');
    await dialog.getByRole('button', { name: 'Set slots and add to queue' }).click();
    await page.getByText(/^Scheduled for /).waitFor();
    const { slots } = (await user.call('GET', '/posting-slots')).body;
    expect(slots).toHaveLength(10);
    const { posts } = (await user.call('GET', '/list-posts?fields=compact&status=scheduled')).body;
    expect(posts).toMatchObject([{ content: 'Queued without slots', scheduledTime: expect.any(String) }]);
  });

  test('has its slots edited and suggested on a phone, and opens the composer at a free one', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], width: 390, height: 844 });
    await page.goto('/queue');
    await page.getByText('No posting slots yet').waitFor();
    await inspect(page, 'queue-empty');
    await page.getByRole('button', { name: 'Set slots' }).click();
    const editor = page.getByRole('dialog', { name: 'Posting slots' });
    await editor.getByRole('button', { name: 'Suggest times' }).click();
    await editor.getByText(/not from your statistics/).waitFor();
    await inspect(page, 'queue-slots');
    await editor.getByRole('button', { name: 'Add these slots' }).click();
    await editor.getByRole('button', { name: 'Remove Monday 17:00' }).waitFor();
    await page.keyboard.press('Escape');
    await free(page, '17:00').last().waitFor();
    await inspect(page, 'queue-free');
    await free(page, '17:00').last().click();
    await page.getByLabel('Post text').waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('17:00');
    expect((await user.call('GET', '/posting-slots')).body.slots).toHaveLength(10);
  });
});
