import { expect } from 'vitest';
import { aVideo } from '../../test/support/files/media.ts';
import { aPicture, composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const { textField, preview, channel } = composer;

journeys('a post from the composer, for special cases', () => {
  test('uses a video frame as the cover on networks that support it', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['instagram', 'youtube'] });
    await composer.begin(page, ['Instagram', 'YouTube'], 'Four seconds');
    await composer.addMedia(page, { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from(aVideo().bytes) });
    await page.getByRole('button', { name: 'Choose cover for clip.mp4' }).click();
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

  test('is written right to left, by keyboard alone', async ({ stage }) => {
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
    await page.getByText('Ready for all selected channels.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).press('Enter');
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByRole('region', { name: 'Bluesky' }).getByText('Published', { exact: true }).waitFor();
    const heading = page.getByRole('heading', { level: 1, name: 'مرحبا بالعالم' });
    expect(await heading.locator('bdi').evaluate((text) => text.matches(':dir(rtl)'))).toBe(true);
  });

  test('goes out after the gap if the user’s clocks skip its time', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const headers = { origin: stage.url };
    await page.request.patch('/api/v1/auth/profile', { data: { timeZone: 'America/New_York' }, headers });
    await composer.begin(page, ['Mastodon'], 'In the night of the change');
    await page.getByText('Times are in America/New York.').waitFor();
    await page.getByLabel('Date').fill('2027-03-14');
    await page.getByLabel('Time').fill('2:30');
    await page.getByLabel('Time').blur();
    await page.getByText('Clocks go forward on this day and skip 02:30. The post goes out at 03:30.').waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('02:30');
    // Adding a file also changes the post, but doesn't conflict with the entered time.
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
