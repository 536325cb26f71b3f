import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

journeys('media', { timeout: 90_000 }, () => {
  test('a file gets alt text and a thumbnail, and is filtered by type', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/media');
    await page.getByRole('heading', { name: 'No files yet' }).waitFor();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload' }).click();
    await (await choosing).setFiles({ name: 'sunset.png', mimeType: 'image/png', buffer: png });
    await page.getByText('1 × 1').waitFor();
    await page.getByLabel('Alt text').fill('A sunset over the sea');
    await page.getByLabel('Alt text').blur();
    await page.getByRole('img', { name: 'A sunset over the sea' }).waitFor();
    const card = page.getByRole('listitem').filter({ hasText: 'sunset.png' });
    expect(await card.getByRole('img').getAttribute('src')).toMatch(/^\/media\/.*\?thumbnail$/);
    expect(await card.getByRole('img').getAttribute('loading')).toBe('lazy');
    await card.getByText('Not used in any post').waitFor();
    await inspect(page, 'media');
    await page.getByText('Videos', { exact: true }).click();
    await page.getByRole('heading', { name: 'No files found' }).waitFor();
    expect(new URL(page.url()).search).toBe('?type=video');
    await page.getByText('All', { exact: true }).click();
    await card.waitFor();
  });
});
