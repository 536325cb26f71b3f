import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('the shell', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  const textField = (page: Page) => page.getByLabel('Post text');
  const isSaved = (page: Page) => page.getByText(/^Saved \d/).waitFor();

  test('lets one go on writing offline, and saves when the connection is back', async () => {
    const { page, user } = await stage.signedIn({
      networks: ['mastodon'],
      expectedErrors: /ERR_INTERNET_DISCONNECTED/,
    });
    await page.goto('/compose');
    await page.getByRole('group', { name: 'Post to' }).getByRole('button').click();
    await textField(page).fill('Before the tunnel');
    await isSaved(page);
    await page.context().setOffline(true);
    await page.getByRole('alert').getByText('You are offline').waitFor();
    await textField(page).fill('In the tunnel');
    await page.getByText('Kept in this browser').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await isSaved(page);
    const id = new URL(page.url()).pathname.split('/')[2]!;
    const text = async () => (await user.call('GET', `/get-post/${id}`)).body.posts[0].content;
    await expect.poll(text).toBe('In the tunnel');
    await page.getByRole('status').getByText('Live').waitFor();
  });

  test('leads over the bars by keyboard, and has every page in its menu on a phone', async () => {
    const { page } = await stage.signedIn({ width: 360 });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('content');
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'Crier' });
    await menu.getByRole('link', { name: 'Insights' }).waitFor();
    expect(await menu.getByRole('link').count()).toBe(11);
    expect(await accessibilityProblems(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Webhooks' }).press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await menu.waitFor({ state: 'detached' });
  });

  test('finds posts, channels and pages, and shows its shortcuts', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await user.call('POST', '/create-post', { content: 'The harbour opens', platforms: user.channels });
    await page.goto('/channels');
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New post').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const search = page.getByLabel('Search everything');
    await search.fill('harbour');
    await page.getByRole('dialog').getByText('The harbour opens').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await search.fill('webh');
    await page.getByRole('dialog').getByText('Webhooks').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Post text').waitFor();
  });
});
