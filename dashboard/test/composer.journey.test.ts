import { expect } from 'vitest';
import { aVideo } from '../../test/support/media-files.ts';
import { aPicture, composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const { textField, preview, channel, saved } = composer;

journeys('a post from the composer', () => {
  test('has a picture with an alt text, which is cropped in its place, on three networks', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'instagram'] });
    await page.goto('/compose');
    await expect.poll(() => page.title()).toBe('Composer · Crier');
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
    await page.getByText('Ready for every chosen channel.').waitFor();

    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByText('Published', { exact: true }).nth(2).waitFor();
    const { media } = await composer.read(user, page);
    expect(media).toMatchObject([{ sourceFileName: 'fire-cropped.jpg', altText: 'A fire' }]);
  });

  test('has a frame of its video as the cover where a network takes one', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['instagram', 'youtube'] });
    await composer.begin(page, ['Instagram', 'YouTube'], 'Four seconds');
    await composer.addMedia(page, { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from(aVideo().bytes) });
    await page.getByRole('button', { name: 'Cover of clip.mp4' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cover' });
    await dialog.getByText('Instagram and YouTube will show this frame').waitFor();
    await dialog.getByText('0:00.0 of 0:04.0').waitFor();
    for (let step = 0; step < 5; step += 1) await dialog.getByRole('slider', { name: 'Frame' }).press('ArrowRight');
    await dialog.getByText('0:00.5 of 0:04.0').waitFor();
    await inspect(page, 'composer-cover');
    await dialog.getByRole('button', { name: 'Use this frame' }).click();
    await dialog.waitFor({ state: 'detached' });
    await preview(page).locator('video[poster]').waitFor();
    const settings = async () => (await composer.read(user, page)).platformSettings;
    await expect.poll(settings).toMatchObject({
      instagram: { coverUrl: expect.stringMatching(/\/media\/.*cover.*\.jpg$/) },
      youtube: { thumbnail: { mediaId: expect.any(String), url: expect.any(String) } },
    });
  });

  test('is a thread with a text for one channel, options and a comment, and is scheduled', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['telegram', 'twitter'] });
    await page.goto('/compose');
    await channel(page, 'Telegram').click();
    await channel(page, 'X').click();
    await textField(page).fill('One\n---\nTwo\n---\nThree');
    await page.getByText('X: thread of 3 posts').waitFor();
    for (const label of ['2/3', '3/3']) await page.locator(`[data-label="${label}"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Preview on X/ }).click();
    for (const number of ['1/3', '2/3', '3/3']) await preview(page).getByText(number).waitFor();
    await page.getByRole('button', { name: 'Customise for Telegram' }).click();
    await page.getByLabel('Text for Telegram').fill('All in one');
    // Only what matters for this post is offered.
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

  test('is written from right to left, with the keyboard alone', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['bluesky'] });
    await page.goto('/compose');
    await channel(page, 'Bluesky').press('Space');
    await textField(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('مرحبا بالعالم');
    expect(await textField(page).evaluate((field) => field.matches(':dir(rtl)'))).toBe(true);
    const shown = preview(page).getByText('مرحبا بالعالم');
    await shown.waitFor();
    expect(await shown.evaluate((text) => text.matches(':dir(rtl) *, :dir(rtl)'))).toBe(true);
    await page.keyboard.press('Control+z');
    expect(await textField(page).inputValue()).toBe('');
    await page.keyboard.press('Control+y');
    expect(await textField(page).inputValue()).toBe('مرحبا بالعالم');
    await page.getByText('Ready for every chosen channel.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).press('Enter');
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByRole('region', { name: 'Bluesky' }).getByText('Published', { exact: true }).waitFor();
    const heading = page.getByRole('heading', { level: 1, name: 'مرحبا بالعالم' });
    expect(await heading.locator('bdi').evaluate((text) => text.matches(':dir(rtl)'))).toBe(true);
  });

  test('goes out after the gap if the clocks of the person skip its time', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const headers = { origin: stage.url };
    await page.request.patch('/api/v1/auth/profile', { data: { timeZone: 'America/New_York' }, headers });
    await composer.begin(page, ['Mastodon'], 'In the night of the change');
    await page.getByText('Times are in America/New York.').waitFor();
    await page.getByLabel('Date').fill('2027-03-14');
    await page.getByLabel('Time').fill('2:30');
    await page.getByLabel('Time').blur();
    await page.getByText('On this day the clocks go forward and skip 02:30. The post goes out at 03:30.').waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('02:30');
    // A file changes the post as well, which is no conflict with the time as it is written.
    const stored = async () => (await composer.read(user, page)).scheduledTime;
    await eventually(stored, '2027-03-14T07:30:00.000Z');
    await composer.addMedia(page, await aPicture('night.png', '#114'));
    await textField(page).fill('In the night of the change, with a picture');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect(await composer.read(user, page)).toMatchObject({
      status: 'scheduled',
      scheduledTime: '2027-03-14T07:30:00.000Z',
    });
  });
});
