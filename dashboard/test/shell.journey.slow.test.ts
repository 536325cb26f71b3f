import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('the shell', () => {
  test('has a skip link, and every page in its menu on a phone', async ({ stage }) => {
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
    await inspect(page, 'phone-menu');
    await menu.getByRole('link', { name: 'Webhooks' }).press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await menu.waitFor({ state: 'detached' });
  });

  test('shows a placeholder while the first page loads', async ({ stage }) => {
    const { page } = await stage.signedIn();
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/auth/session', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto('/posts', { waitUntil: 'commit' });
    await page.locator('#starting').getByText('Crier').waitFor();
    expect(await page.getByRole('heading').count()).toBe(0);
    answer();
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    expect(await page.locator('#starting').count()).toBe(0);
  });

  test('has the selected theme before its script runs', async ({ stage }) => {
    const { page } = await stage.signedIn({ colorScheme: 'light' });
    await page.goto('/settings/appearance');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.route(/\/assets\/index-[^/]*\.js$/, () => {});
    await page.goto('/posts', { waitUntil: 'commit' });
    await page.locator('#starting').getByText('Crier').waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(36, 36, 36)');
  });

  test('searches posts, channels and pages, and shows shortcuts', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await user.call('POST', '/create-post', { content: 'The harbour opens', platforms: user.channels });
    await page.goto('/channels');
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New post').waitFor();
    await inspect(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const search = page.getByLabel('Search everything');
    await search.fill('harbour');
    await page.getByRole('dialog').getByText('The harbour opens').waitFor();
    await inspect(page, 'search');
    await search.fill('webh');
    await page.getByRole('dialog').getByText('Webhooks').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Post text').waitFor();
  });
});
