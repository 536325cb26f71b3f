import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { Crier } from '../../client/src/index.ts';
import { aPicture } from './support/composer.ts';
import { inspect, isCut } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

/** The names of buttons and links that `cover` overlaps. */
async function covered(page: Page, cover: Locator, names: readonly string[]): Promise<string[]> {
  const top = (await cover.boundingBox())!;
  const found: string[] = [];
  for (const name of names) {
    for (const control of await page.getByRole('button', { name }).or(page.getByRole('link', { name })).all()) {
      const box = (await control.isVisible()) && (await control.boundingBox());
      if (!box) continue;
      const isApart =
        box.x >= top.x + top.width ||
        top.x >= box.x + box.width ||
        box.y >= top.y + top.height ||
        top.y >= box.y + box.height;
      if (!isApart) found.push(name);
    }
  }
  return found;
}

journeys('the shell', () => {
  test('has a skip link, and every page in its menu on a phone', async ({ stage }) => {
    const { page } = await stage.signedIn({ width: 360 });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Main pages' }).getByRole('link');
    expect(await tabs.allInnerTexts()).toEqual(['Calendar', 'Queue', 'New post', 'Posts', 'Channels']);
    for (const tab of await tabs.all()) expect(await isCut(tab)).toBe(false);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('content');
    await page.getByRole('button', { name: 'Menu' }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'Crier' });
    await menu.getByRole('link', { name: 'Insights' }).waitFor();
    expect(await menu.getByRole('link').count()).toBe(12);
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

  test('searches with letters typed before the field is there, and Enter opens the first hit', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const scheduledTime = '2030-05-07T08:30:00.000Z';
    const content = 'Harbour in the fog';
    const { body } = await user.call('POST', '/create-post', { content, platforms: user.channels, scheduledTime });
    const picture = await aPicture('fog.png', '#678');
    const file = new Blob([new Uint8Array(picture.buffer)], { type: picture.mimeType });
    const crier = new Crier({ baseUrl: stage.url, apiKey: user.apiKey });
    await crier.uploadMedia(file, { postGroupId: body.postGroupId, fileName: picture.name });
    await page.goto('/compose');
    await page.getByLabel('Post text').focus();
    await page.route(/\/assets\/search-[^/]*\.js$/, async (route) => {
      await page.waitForTimeout(400);
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harbour');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    const hit = dialog.getByRole('button', { name: /Harbour in the fog/ });
    await hit.waitFor();
    expect(await page.getByLabel('Search everything').inputValue()).toBe('harbour');
    expect(await page.getByLabel('Post text').inputValue()).toBe('');
    // The status with the date, and the post's image.
    await hit.getByText(/^(Scheduled|Draft) · Tue 7 May 2030, 10:30$/).waitFor();
    await hit.locator('img').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: content, level: 1 }).waitFor();
  });

  test('opens the first hit for an Enter that comes before it, and stays open if nothing is found', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await user.call('POST', '/create-post', { content: 'Cardamom buns', platforms: user.channels });
    const open = async () => {
      await page.goto('/posts');
      await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
    };
    await open();
    const field = page.getByLabel('Search everything');
    await field.waitFor();
    const answer = page.waitForResponse(/\/list-posts\?.*q=nutmeg/);
    await page.keyboard.type('nutmeg');
    await page.keyboard.press('Enter');
    await answer;
    await page.getByText('No results').waitFor();
    await field.fill('');
    await page.keyboard.type('cardamom');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cardamom buns', level: 1 }).waitFor();
    expect(await field.count()).toBe(0);

    // Also before the dialog has loaded.
    await page.route(/\/assets\/search-[^/]*\.js$/, async (route) => {
      await page.waitForTimeout(400);
      await route.continue();
    });
    await open();
    await page.keyboard.type('cardamom');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Cardamom buns', level: 1 }).waitFor();
  });

  test('never offers hits of an earlier query', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    for (const content of ['Meet the team', 'Mediation works'])
      await user.call('POST', '/create-post', { content, platforms: user.channels });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await page.getByLabel('Search everything').fill('Me');
    await dialog.getByText('Meet the team').waitFor();
    // The answer for the longer word takes its time.
    await page.route(/\/list-posts\?.*q=Mediat/, () => {});
    await page.getByLabel('Search everything').fill('Mediat');
    await dialog.getByText('Meet the team').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Mediation works', level: 1 }).waitFor();
  });

  test('has a not found page for any unknown address', async ({ stage }) => {
    const { page } = await stage.signedIn();
    for (const path of [
      '/nothing-here',
      '/settings/nothing',
      '/calendar/2030',
      '/media/gone',
      '/connect/x/y',
      '/api',
    ]) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      expect(await page.title()).toBe('Page not found · Crier');
    }
    await inspect(page, 'not-found');
    await page.getByRole('link', { name: 'Go to calendar' }).click();
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
  });

  test('shows notifications where they cover no main action', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const main = [
      ...['Save draft', 'Publish now', 'Schedule', 'Save changes', 'Discard changes', 'Save'],
      ...['New post', 'Delete', 'Reschedule', 'Publish', 'More actions'],
    ];
    const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
    await user.call('POST', '/create-post', { content: 'Planned', platforms: user.channels, scheduledTime });
    for (const [width, height] of [
      [1440, 900],
      [768, 1024],
      [360, 780],
    ] as const) {
      await page.setViewportSize({ width, height });
      const [first] = ['Away with it', 'This one stays'].map((content) =>
        user.call('POST', '/create-post', { content, platforms: user.channels, status: 'draft' }),
      );
      const { body } = await first!;
      await page.goto(`/posts/${body.postGroupId}`);
      await page.getByRole('button', { name: 'Delete' }).click();
      const toast = page.locator('.mantine-Notification-root', { hasText: 'Deleted 1 post.' });
      // Resting on it keeps it open.
      await toast.hover();
      await page.getByRole('checkbox', { name: 'Select This one stays' }).first().press('Space');
      await page.getByRole('region', { name: 'Selected posts' }).waitFor();
      expect(await covered(page, toast, main), `posts at ${width} px`).toEqual([]);
      await page.getByRole('link', { name: 'New post' }).locator('visible=true').first().click();
      await toast.hover();
      await page.getByRole('button', { name: 'Save draft' }).waitFor();
      expect(await covered(page, toast, main), `composer at ${width} px`).toEqual([]);

      await page.goBack();
      await toast.hover();
      await page.getByRole('link', { name: 'Planned' }).click();
      await toast.hover();
      await page.getByRole('link', { name: 'Edit' }).click();
      await toast.hover();
      await page.getByLabel('Post text').fill('Planned, and changed');
      await toast.hover();
      await page.getByRole('button', { name: 'Save changes' }).waitFor();
      expect(await covered(page, toast, main), `scheduled post at ${width} px`).toEqual([]);
      await page.getByRole('button', { name: 'Discard changes' }).click();
      await toast.hover();
      await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Settings' }).click();
      await toast.hover();
      await page.getByRole('button', { name: 'Save', exact: true }).first().waitFor();
      expect(await covered(page, toast, main), `settings at ${width} px`).toEqual([]);
    }
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
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Post text').waitFor();
  });
});
