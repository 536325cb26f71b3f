import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { aPicture, composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('the composer', { timeout: 90_000 }, () => {
  const { textField, channel, saved, postIn: idIn } = composer;

  test('schedules with a phrase and explains a time that the clocks skip', async ({ stage }) => {
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

  test('keeps a draft over a reload, and asks when two tabs change it', async ({ stage }) => {
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

  test('helps with a post that failed: a copy is edited and published', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const control = sandboxControl(stage.service.sandbox.url);
    await control('POST', '/faults', {
      network: 'mastodon',
      operation: 'publish',
      kind: 'status',
      status: 422,
      times: 1,
    });
    await composer.begin(page, ['Mastodon'], 'Refused as it is');
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByRole('region', { name: 'Mastodon' }).getByText('Failed', { exact: true }).waitFor();
    const failed = composer.postIn(page);
    await page.goto(`/compose/${failed}`);
    await page.getByText('This post can no longer be edited').waitFor();
    await page.getByRole('link', { name: 'See the post' }).click();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await composer.textField(page).fill('Accepted after a change');
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/posts/') && !url.pathname.endsWith(failed));
    await page.getByRole('region', { name: 'Mastodon' }).getByText('Published', { exact: true }).waitFor();
    expect((await composer.read(user, page)).posts[0].content).toBe('Accepted after a change');
  });

  test('can be used by everybody', { timeout: 180_000 }, async ({ stage }) => {
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
    const { page, user } = await stage.signedIn({ networks });
    await page.goto('/compose');
    await composer.channel(page, 'Telegram').waitFor();
    await inspect(page, 'composer-empty');
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
    await inspect(page, 'composer-full');

    await page.getByRole('button', { name: 'Crop sea.png' }).click();
    await page.getByRole('dialog', { name: 'Crop' }).getByRole('button', { name: 'Crop' }).waitFor();
    await inspect(page, 'composer-crop');
    await page.keyboard.press('Escape');

    await user.call('PUT', `/update-post/${composer.postIn(page)}`, { content: 'From the other tab' });
    await composer.textField(page).fill('From this tab');
    const dialog = page.getByRole('dialog', { name: 'This post was changed elsewhere' });
    await dialog.waitFor();
    await inspect(page, 'composer-conflict');
    await dialog.getByRole('button', { name: 'Keep yours' }).click();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('tab', { name: 'Preview' }).click();
    await composer.preview(page).waitFor();
    await inspect(page, 'composer-phone');
  });
});
