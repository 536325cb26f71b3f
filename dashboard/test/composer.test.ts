import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('the composer', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  const saved = (page: Page) => page.getByText(/^Saved \d/).waitFor();

  test('publishes to three networks and leads to the post', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'telegram'] });
    await page.goto('/compose');
    const postTo = page.getByRole('group', { name: 'Post to' });
    for (const network of ['Mastodon', 'Bluesky', 'Telegram']) {
      await postTo.getByRole('button', { name: network }).click();
    }
    await page.getByLabel('Post text').fill('Hello from the composer');
    await page.getByText('Mastodon: 477 characters left').waitFor();
    await page.getByRole('region', { name: 'Preview' }).getByText('Hello from the composer').waitFor();
    await saved(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/compose\/[0-9a-f]{24}$/);
    await page.getByText('Ready for every chosen channel.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    const id = page.url().slice(-24);
    await expect
      .poll(async () => (await user.call('GET', `/get-post/${id}`)).body.status, { timeout: 20_000 })
      .toBe('published');
  });
});
