import { expect } from 'vitest';
import { aPost } from './support/calendar.ts';
import { aPicture, composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const { textField, preview, channel, saved } = composer;

journeys('a post from the composer', () => {
  test('has an image with alt text, cropped in place, on three networks', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'instagram'] });
    await page.goto('/compose');
    await expect.poll(() => page.title()).toBe('New post · Crier');
    for (const network of ['Mastodon', 'Bluesky', 'Instagram']) await channel(page, network).click();
    expect(await channel(page, 'Mastodon').getAttribute('aria-pressed')).toBe('true');
    await textField(page).fill('Hello from the composer');
    await page.getByText('Mastodon: 477 characters left').waitFor();
    await preview(page).getByText('Hello from the composer').waitFor();
    await saved(page);

    await composer.addMedia(page, await aPicture('fire.png', '#c22'));
    await page.getByLabel('Alt text').fill('A fire');
    const described = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByLabel('Alt text').blur();
    expect((await described).request().postDataJSON()).toEqual({ altText: 'A fire' });
    await page.getByRole('button', { name: 'Crop fire.png' }).click();
    const dialog = page.getByRole('dialog', { name: 'Crop' });
    await dialog.getByText('4:5').click();
    await dialog.getByRole('slider', { name: 'Zoom' }).press('ArrowRight');
    await inspect(page, 'composer-crop');
    await dialog.getByRole('button', { name: 'Crop' }).click();
    await page.getByRole('button', { name: 'Remove fire-cropped.jpg' }).waitFor();
    await page.getByText('Ready for all selected channels.').waitFor();

    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByText('Published', { exact: true }).nth(2).waitFor();
    const { media } = await composer.read(user, page);
    expect(media).toMatchObject([{ sourceFileName: 'fire-cropped.jpg', altText: 'A fire' }]);
  });

  test('shows each network’s tick as it is published, with a motion only for what is news', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const id = await aPost(user, { content: 'Soon', scheduledTime: '2030-03-04T09:00:00.000Z' });
    await page.goto(`/posts/${id}`);
    await page.getByText('Scheduled', { exact: true }).nth(1).waitFor();
    await user.call('PUT', `/update-post/${id}`, { publishNow: true });
    const arrived = page.locator('[data-arrived]');
    await expect.poll(() => arrived.count()).toBe(2);
    await page.reload();
    await page.getByText('Published', { exact: true }).nth(1).waitFor();
    expect(await arrived.count()).toBe(0);
  });

  test('is a scheduled thread with a custom text, options and a comment', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['telegram', 'twitter'] });
    await page.goto('/compose');
    await channel(page, 'Telegram').click();
    await channel(page, 'X').click();
    await textField(page).fill('One\n---\nTwo\n---\nThree');
    await page.getByText('X: thread of 3 posts').waitFor();
    for (const label of ['2/3', '3/3']) await page.locator(`[data-label="${label}"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Preview on X/ }).click();
    for (const number of ['1/3', '2/3', '3/3']) await preview(page).getByText(number).waitFor();
    await page.getByRole('button', { name: 'Customise' }).click();
    await page.getByRole('menuitem', { name: 'Telegram', exact: true }).click();
    await page.getByLabel('Text for Telegram').fill('All in one');
    // Only relevant options are shown.
    await page.getByRole('button', { name: 'Options for Telegram' }).click();
    expect(await page.getByLabel('No link preview').count()).toBe(0);
    await page.getByRole('switch', { name: 'Silent' }).click();
    await page.getByRole('button', { name: 'First comments' }).click();
    await page.getByLabel('First comment', { exact: true }).fill('More on our site');
    await page.getByLabel('Minutes after the post').fill('5');
    await page.getByLabel('Date').fill('tomorrow 9');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    const post = await composer.read(user, page);
    expect(post).toMatchObject({
      status: 'scheduled',
      platformSettings: { telegram: { disableNotification: true } },
      firstComments: [{ text: 'More on our site', delaySeconds: 300 }],
    });
    expect(post.posts.map(({ content }: { content: string }) => content)).toEqual([
      'All in one',
      'One\n---\nTwo\n---\nThree',
    ]);
    const clock = new Date(post.scheduledTime).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
    expect(clock).toBe('09:00:00');
  });
});
