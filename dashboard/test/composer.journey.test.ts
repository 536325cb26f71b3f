import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPicture, composer } from './support/composer.ts';
import { accessibilityProblems, chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('the composer', { timeout: 90_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  const { textField, preview, channel, saved, postIn: idIn } = composer;

  test('publishes a picture with alt text to three networks', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'telegram'] });
    await page.goto('/compose');
    await expect.poll(() => page.title()).toBe('Composer · Crier');
    await channel(page, 'Mastodon').click();
    expect(await channel(page, 'Mastodon').getAttribute('aria-pressed')).toBe('true');
    await channel(page, 'Bluesky').click();
    await channel(page, 'Telegram').click();
    await textField(page).fill('Hello from the composer');
    await page.getByText('Mastodon: 477 characters left').waitFor();
    await preview(page).getByText('Hello from the composer').waitFor();
    await saved(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/compose\/[0-9a-f]{24}$/);

    await composer.addMedia(page, await aPicture('sea.png', '#36c'));
    await page.getByLabel('Alt text').fill('The sea');
    const described = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByLabel('Alt text').blur();
    expect((await described).postDataJSON()).toEqual({ altText: 'The sea' });
    await page.getByText('Ready for every chosen channel.').waitFor();

    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    const read = async () => (await user.call('GET', `/get-post/${idIn(page)}`)).body;
    await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('published');
    expect((await read()).media).toHaveLength(1);
  });

  test('shows a thread as the network will have it, and takes a text for one channel', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'twitter'] });
    await page.goto('/compose');
    await channel(page, 'Mastodon').click();
    await channel(page, 'X').click();
    await textField(page).fill('One\n---\nTwo\n---\nThree');
    await page.getByText('X: thread of 3 posts').waitFor();
    for (const label of ['2/3', '3/3']) await page.locator(`[data-label="${label}"]`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Preview on X/ }).click();
    for (const number of ['1/3', '2/3', '3/3']) await preview(page).getByText(number).waitFor();
    await page.getByRole('button', { name: 'Customise for X' }).click();
    await page.getByLabel('Text for X').fill('Short');
    await page.getByText('X: 275 characters left').waitFor();
    await saved(page);
    const texts = async () =>
      (await user.call('GET', `/get-post/${idIn(page)}`)).body.posts.map(({ content }: { content: string }) => content);
    await expect.poll(texts).toEqual(['One\n---\nTwo\n---\nThree', 'Short']);
    await page.getByRole('button', { name: 'Back to shared text' }).click();
    await expect.poll(texts).toEqual(['One\n---\nTwo\n---\nThree', 'One\n---\nTwo\n---\nThree']);
  });

  test('schedules with a phrase and explains a time that the clocks skip', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    await channel(page, 'Mastodon').click();
    await textField(page).fill('Later');
    await page.getByLabel('Date').fill('2000-01-01 9:00');
    await page.getByRole('alert').getByText('in the past').waitFor();
    expect(await page.getByRole('button', { name: 'Schedule' }).isDisabled()).toBe(true);
    await page.getByLabel('Date').fill('2030-03-31');
    await page.getByLabel('Time').fill('2:30');
    await page.getByText('skip 02:30').waitFor();
    await page.getByLabel('Time').fill('');
    await page.getByLabel('Date').fill('tomorrow 9');
    await page.getByLabel('Date').blur();
    await expect.poll(() => page.getByLabel('Time').inputValue()).toBe('09:00');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    const { body } = await user.call('GET', `/get-post/${idIn(page)}`);
    expect(body.status).toBe('scheduled');
    const hour = new Date(body.scheduledTime).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
    expect(hour).toBe('09:00:00');
  });

  test('keeps a draft over a reload, and asks when two tabs change it', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    await textField(page).fill('Only a thought');
    await page.getByText(/^(Saved|Kept in this browser)/).waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect.poll(() => textField(page).inputValue()).toBe('Only a thought');
    await channel(page, 'Mastodon').click();
    await saved(page);
    await page.reload();
    await expect.poll(() => textField(page).inputValue()).toBe('Only a thought');

    const other = await user.call('PUT', `/update-post/${idIn(page)}`, { content: 'From the other tab' });
    expect(other.status).toBe(200);
    await textField(page).fill('From this tab');
    const dialog = page.getByRole('dialog', { name: 'This post was changed elsewhere' });
    await dialog.getByText('From the other tab').waitFor();
    await dialog.getByText('From this tab').waitFor();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => textField(page).inputValue()).toBe('From the other tab');
    await textField(page).fill('Together');
    await expect
      .poll(async () => (await user.call('GET', `/get-post/${idIn(page)}`)).body.posts[0].content)
      .toBe('Together');
  });

  test('can be used with the keyboard alone, also from right to left', async () => {
    const { page, user } = await stage.signedIn({ networks: ['bluesky'] });
    await page.goto('/compose');
    await channel(page, 'Bluesky').focus();
    await page.keyboard.press('Space');
    await textField(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('مرحبا بالعالم');
    const direction = await page.evaluate("getComputedStyle(document.querySelector('textarea')).direction");
    expect(direction).toBe('rtl');
    const shown = preview(page).getByText('مرحبا بالعالم');
    await shown.waitFor();
    expect(await shown.evaluate((text) => text.matches(':dir(rtl) *, :dir(rtl)'))).toBe(true);
    await page.keyboard.press('Control+z');
    expect(await textField(page).inputValue()).toBe('');
    await page.keyboard.press('Control+y');
    expect(await textField(page).inputValue()).toBe('مرحبا بالعالم');
    await page.getByText('Ready for every chosen channel.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await expect
      .poll(async () => (await user.call('GET', `/get-post/${idIn(page)}`)).body.status, { timeout: 30_000 })
      .toBe('published');
  });

  test.each(['light', 'dark'] as const)('can be used by everybody (%s)', { timeout: 180_000 }, async (colorScheme) => {
    const networks = [
      'twitter',
      'linkedin',
      'instagram',
      'threads',
      'tiktok',
      'youtube',
      'facebook',
      'bluesky',
      'mastodon',
      'telegram',
    ] as const;
    const { page, user } = await stage.signedIn({ networks, colorScheme });
    await page.goto('/compose');
    await composer.channel(page, 'Telegram').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const channels = page.getByRole('group', { name: 'Post to' }).getByRole('button');
    for (let index = 0; index < networks.length; index += 1) await channels.nth(index).click();
    await composer.textField(page).fill('One https://example.com\n---\nTwo');
    await page.getByRole('button', { name: 'Customise for LinkedIn' }).click();
    for (const name of ['Options for TikTok', 'First comments', /\(and \d+ more\)/]) {
      await page.getByRole('button', { name }).click();
    }
    await page.getByLabel('Date').fill('tomorrow 9');
    await composer.saved(page);
    await composer.addMedia(page, await aPicture('sea.png', '#26c'));
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Crop sea.png' }).click();
    await page.getByRole('dialog', { name: 'Crop' }).getByRole('button', { name: 'Crop' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await user.call('PUT', `/update-post/${composer.postIn(page)}`, { content: 'From the other tab' });
    await composer.textField(page).fill('From this tab');
    const dialog = page.getByRole('dialog', { name: 'This post was changed elsewhere' });
    await dialog.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep yours' }).click();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('tab', { name: 'Preview' }).click();
    await composer.preview(page).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
