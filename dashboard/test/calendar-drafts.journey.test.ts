import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addDays, instantOf, weekdayOf } from '../src/lib/time/time.ts';
import {
  announced,
  aPost,
  dayName,
  dragByTouch,
  middle,
  place,
  shortDay,
  tile,
  timeOf,
  zone,
} from './support/calendar.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const next = addDays(middle, 1);
const statusOf = async (
  user: { call: (method: 'GET', path: string) => Promise<{ body: { status: string } }> },
  id: string,
) => (await user.call('GET', `/get-post/${id}`)).body.status;

async function dragTo(page: Page, from: Locator, to: Locator) {
  await from.hover();
  const start = (await from.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(start.x + 20, start.y + 20, { steps: 3 });
  await expect
    .poll(async () => {
      const { x, y, width, height } = (await to.boundingBox())!;
      await page.mouse.move(x + width / 2, y + Math.min(height / 2, 60), { steps: 6 });
      return to.getAttribute('data-over');
    })
    .toBe('true');
  await page.mouse.up();
}

journeys('dropping on the calendar', () => {
  test('schedules drafts of the tray by mouse and keyboard, or says why it can’t', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const [lion, tiger] = await Promise.all(
      ['Lion', 'Tiger'].map((content) => aPost(user, { content, status: 'draft' })),
    );
    const draft = { text: 'No channel', channels: [] };
    const saved = await page.request.put(`/api/v1/dashboard/drafts/${user.id}`, {
      data: { version: 0, draft },
      headers: { origin: stage.url },
    });
    expect(saved.status()).toBe(200);
    await page.goto(`/calendar?view=month&date=${middle}`);
    await page.getByRole('button', { name: 'Drafts' }).click();
    const tray = page.getByRole('region', { name: 'Drafts' });
    const item = (words: string) => tray.getByRole('link', { name: words });
    await item('Lion').waitFor();
    await inspect(page, 'calendar-drafts');

    await dragTo(page, item('Lion'), place(page, middle));
    await page
      .getByText(`“Lion” scheduled for ${shortDay(middle)}, 09:00.`)
      .first()
      .waitFor();
    await place(page, middle).getByRole('link', { name: '09:00, Lion, Mastodon, Scheduled' }).waitFor();
    expect(await timeOf(user, lion!)).toBe(instantOf(middle, '09:00', zone).toISOString());
    expect(await item('Lion').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await item('Lion').waitFor();
    expect(await statusOf(user, lion!)).toBe('draft');

    // By keyboard: cancelled, then scheduled.
    await item('Tiger').focus();
    await page.keyboard.press('Space');
    await announced(page, /^Picked up Tiger, .* Press Space to schedule it, Escape to cancel\.$/);
    await page.keyboard.press('Escape');
    await announced(page, 'Cancelled. The post stays a draft.');
    await expect.poll(() => item('Tiger').evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await announced(page, /^Scheduled for /);
    expect(await statusOf(user, tiger!)).toBe('scheduled');

    await item('No channel').getByText('No channel yet. Open it to choose one.').waitFor();
    await item('No channel').press('Space');
    await page.getByText('This draft can’t be scheduled yet').waitFor();
    // An hour of the week.
    await page.goto(`/calendar?view=week&date=${middle}`);
    await dragTo(page, item('Lion'), page.getByRole('region', { name: `${dayName(next)}, 14:00` }));
    await expect.poll(() => statusOf(user, lion!)).toBe('scheduled');
    await page.getByRole('button', { name: 'Drafts' }).click();
    await tray.waitFor({ state: 'detached' });
  });

  test('puts a post into a free posting slot, with a short movement', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.addInitScript(`
      globalThis.moved = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        globalThis.moved.push(options?.duration);
        return animate.call(this, frames, options);
      };`);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const slot = { weekday: weekdayOf(next) || 7, time: '14:15' };
    await user.call('PUT', '/posting-slots', { timeZone: zone, slots: [slot] });
    const id = await aPost(user, { content: 'Good morning', scheduledTime: instantOf(middle, '09:30', zone) });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await dragTo(page, tile(page, 'Good morning'), place(page, next).getByRole('link', { name: /^Free slot/ }));
    await expect.poll(() => timeOf(user, id)).toBe(instantOf(next, '14:15', zone).toISOString());
    await expect.poll(() => page.evaluate('globalThis.moved')).toContain(150);
    expect(
      await place(page, next)
        .getByRole('link', { name: /^Free slot/ })
        .count(),
    ).toBe(0);
  });

  test('moves a post with a finger, which otherwise scrolls', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], width: 768, height: 1024 });
    const at = instantOf(middle, '09:30', zone);
    const id = await aPost(user, { content: 'Good morning', scheduledTime: at });
    await page.goto(`/calendar?view=month&date=${middle}`);
    await tile(page, 'Good morning').waitFor();
    await dragByTouch(page, tile(page, 'Good morning'), place(page, next));
    await expect.poll(() => timeOf(user, id)).toBe(instantOf(next, '09:30', zone).toISOString());
  });
});
