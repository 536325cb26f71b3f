import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { connectSandboxAccount } from '../../src/features/connections/connect/sandbox.ts';
import { addDays, dateKeyOf, instantOf } from '../src/lib/time/time.ts';
import { aPost, middle, tile, zone } from './support/calendar.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { anOwner } from './support/workspace.ts';

const at = instantOf(middle, '09:30', zone).toISOString();
const panel = (page: Page, words: string) => page.getByRole('dialog', { name: words });
const isInAddress = (page: Page, id: string) => new URL(page.url()).searchParams.get('post') === id;

journeys('a post in the side panel', () => {
  test('opens from calendar, queue and list, and Back closes it', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const content = 'The harbour opens at six';
    const day = addDays(dateKeyOf(new Date(), zone), 3);
    const id = await aPost(user, { content, scheduledTime: instantOf(day, '09:30', zone).toISOString() });
    await page.goto(`/calendar?view=month&date=${day}`);
    await tile(page, content).click();
    await panel(page, content)
      .getByText('No activity yet.')
      .or(panel(page, content).getByRole('list'))
      .first()
      .waitFor();
    expect(isInAddress(page, id)).toBe(true);
    expect(await page.title()).toBe('Calendar · Crier');
    await panel(page, content).getByRole('link', { name: 'Edit' }).waitFor();
    await inspect(page, 'post-panel');
    await page.goBack();
    await panel(page, content).waitFor({ state: 'detached' });
    await expect.poll(() => tile(page, content).evaluate((node) => node.matches(':focus'))).toBe(true);
    expect(new URL(page.url()).searchParams.get('date')).toBe(day);

    // Closing it is one step back, too.
    await tile(page, content).press('Enter');
    await panel(page, content).getByRole('button', { name: 'Close' }).click();
    await panel(page, content).waitFor({ state: 'detached' });
    await page.goForward();
    await panel(page, content).waitFor();

    for (const path of ['/queue', '/posts', `/calendar?view=list&date=${day}`]) {
      await page.goto(path);
      const link = page.getByRole('link', { name: content });
      await link.click();
      await panel(page, content).getByRole('link', { name: 'Open full page' }).waitFor();
      expect([new URL(page.url()).pathname, isInAddress(page, id)]).toEqual([path.split('?')[0], true]);
    }
    await page.reload();
    await panel(page, content).getByRole('link', { name: 'Open full page' }).click();
    await page.getByRole('heading', { name: content, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/posts/${id}`);
    await page.goBack();
    await panel(page, content).getByRole('button', { name: 'Delete' }).click();
    await panel(page, content).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No posts this month' }).waitFor();
    expect(new URL(page.url()).searchParams.has('post')).toBe(false);
  });

  test('fills a phone, and a click with Ctrl opens the post’s own page', async ({ stage }) => {
    const { page, user } = await stage.signedIn({
      networks: ['mastodon'],
      width: 390,
      height: 844,
      colorScheme: 'dark',
    });
    const id = await aPost(user, { content: 'On the phone', scheduledTime: at });
    await page.goto(`/calendar?date=${middle}`);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      tile(page, 'On the phone').click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.waitForURL(`**/posts/${id}`);
    await tab.close();
    await tile(page, 'On the phone').click();
    await panel(page, 'On the phone').getByRole('link', { name: 'Edit' }).waitFor();
    await expect
      .poll(async () => (await panel(page, 'On the phone').boundingBox())!)
      .toMatchObject({ x: 0, width: 390, height: 844 });
    await inspect(page, 'post-panel-phone');
  });

  test('shows a brand’s post in the list of all brands, and leads to the brand’s pages', async ({ stage }) => {
    const { page, user } = await anOwner(stage);
    const brand = { username: `brand-${user.id}@example.com`, displayName: 'Bakery' };
    const { _id: userId } = (await user.call('POST', '/workspace/users', brand)).body.user;
    const { app, sandbox } = stage.service;
    const account = { platform: 'mastodon', handle: `bakery${user.id}` } as const;
    const { platformId } = await connectSandboxAccount(app, sandbox.url, userId, account);
    const content = 'Fresh rolls from six';
    const post = { content, platforms: [platformId], scheduledTime: at };
    const made = await user.call('POST', '/create-post', post, { 'x-service-user-id': userId });
    const id = made.body.postGroupId;
    await page.goto(`/calendar?view=month&date=${middle}&brand=all`);
    await tile(page, content).click();
    await panel(page, content).getByRole('link', { name: 'Edit' }).waitFor();
    // Also without the list, which knew whose post it is.
    await page.reload();
    const edit = panel(page, content).getByRole('link', { name: 'Edit' });
    expect(await edit.getAttribute('href')).toBe(`/compose/${id}?brand=${userId}`);
    await panel(page, content).getByRole('list').first().waitFor();
  });
});
