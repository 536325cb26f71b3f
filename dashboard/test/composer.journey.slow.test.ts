import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { addDays, addMonths, dateKeyOf, instantOf } from '../src/lib/time/time.ts';
import { aPicture, composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('the composer', { timeout: 90_000 }, () => {
  const { textField, channel, saved, postIn: idIn } = composer;

  test('schedules with a phrase and explains a time that clocks skip', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    await channel(page, 'Mastodon').click();
    await textField(page).fill('Later');
    await page.getByLabel('Date').fill('2000-01-01 9:00');
    await page.getByRole('alert').getByText('in the past').waitFor();
    expect(await page.getByText('Ready for all selected channels.').count()).toBe(0);
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

  test('keeps a draft across a reload, and asks when two tabs change it', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    await textField(page).fill('Only a thought');
    await page.getByText(/^(Saved|Changes kept in this browser)/).waitFor();
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
    await dialog.getByRole('button', { name: 'Use theirs' }).click();
    await expect.poll(() => textField(page).inputValue()).toBe('From the other tab');
    await textField(page).fill('Together');
    await expect
      .poll(async () => (await user.call('GET', `/get-post/${idIn(page)}`)).body.posts[0].content)
      .toBe('Together');
  });

  test('duplicates a failed post, which is then edited and published', async ({ stage }) => {
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
    await page.getByRole('link', { name: 'View post' }).click();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await composer.textField(page).fill('Accepted after a change');
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/posts/') && !url.pathname.endsWith(failed));
    await page.getByRole('region', { name: 'Mastodon' }).getByText('Published', { exact: true }).waitFor();
    expect((await composer.read(user, page)).posts[0].content).toBe('Accepted after a change');
  });

  test('schedules for a day from the calendar, and the main button follows the date', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'twitter'] });
    await page.goto('/compose');
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Deselect all' }).waitFor();
    await composer.textField(page).fill('One more word. '.repeat(20));
    await page.getByText('X: thread of 2 posts').waitFor();
    await page.getByText('Ready for all selected channels.').waitFor();
    expect(await page.getByText(/character limit/).count()).toBe(0);

    const [schedule, publish] = ['Schedule', 'Publish now'].map((name) => page.getByRole('button', { name }));
    const variants = async () => Promise.all([schedule!, publish!].map((one) => one.getAttribute('data-variant')));
    expect(await variants()).toEqual(['default', 'filled']);
    expect(await schedule!.isDisabled()).toBe(true);
    const reason = page.locator(`#${await schedule!.getAttribute('aria-describedby')}`);
    expect(await reason.textContent()).toBe('To schedule, set a date.');
    await page.getByRole('button', { name: 'set a date' }).click();
    expect(await page.getByLabel('Date').evaluate((field) => field.matches(':focus'))).toBe(true);

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const picker = page.getByRole('dialog', { name: 'Pick a day' });
    const today = picker.locator('[aria-current="date"]');
    await expect.poll(() => today.evaluate((day) => day.matches(':focus'))).toBe(true);
    await inspect(page, 'composer-day');
    const focused = () => picker.evaluate((node) => node.querySelector(':focus')?.getAttribute('aria-label') ?? '');
    for (const key of ['PageDown', 'ArrowDown']) {
      const before = await focused();
      await page.keyboard.press(key);
      await expect.poll(focused).not.toBe(before);
    }
    await page.keyboard.press('Enter');
    await picker.waitFor({ state: 'detached' });
    const day = addDays(addMonths(dateKeyOf(new Date(), 'Europe/Berlin'), 1), 7);
    expect(await page.getByLabel('Date').inputValue()).toBe(day);
    expect(await page.getByLabel('Time').inputValue()).toBe('09:00');
    expect(await variants()).toEqual(['filled', 'default']);
    await schedule!.click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    const { scheduledTime } = await composer.read(user, page);
    expect(scheduledTime).toBe(instantOf(day, '09:00', 'Europe/Berlin').toISOString());

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('This post is scheduled.').waitFor();
    // The last input wins.
    await page.getByLabel('Date').fill('tomorrow 14:30');
    await page.getByLabel('Date').blur();
    await expect.poll(() => page.getByLabel('Time').inputValue()).toBe('14:30');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect((await composer.read(user, page)).scheduledTime).toMatch(/T13:30:00/);

    // Someone else adds a file, which turns it into a draft, with a notice.
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('This post is scheduled.').waitFor();
    const file = { postGroupId: idIn(page), fileName: 'sea.png', contentType: 'image/png' };
    const { mediaId } = (await user.call('POST', '/get-upload-url', file)).body;
    await user.call('DELETE', `/media/${mediaId}`);
    await page.getByText('because its files changed').waitFor();
    await page.getByText('This post is scheduled.').waitFor({ state: 'detached' });
    expect((await composer.read(user, page)).status).toBe('draft');
    const message = page.getByText('Schedule it to publish it');
    expect(await message.count()).toBe(1);
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await message.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Edit' }).waitFor();
  });

  test('keeps channels in place and shows a new image on a phone', async ({ stage }) => {
    const networks = ['facebook', 'threads', 'mastodon', 'twitter'] as const;
    const { page } = await stage.signedIn({ networks, width: 360, height: 780 });
    await page.goto('/compose');
    const channels = page.getByRole('group', { name: 'Post to' }).getByRole('button');
    await channels.first().waitFor();
    const places = () => Promise.all([0, 1, 2, 3].map((index) => channels.nth(index).boundingBox()));
    const before = await places();
    for (const place of before) await page.mouse.click(place!.x + 40, place!.y + 10);
    expect(await places()).toEqual(before);
    for (let index = 0; index < 4; index += 1) {
      expect(await channels.nth(index).getAttribute('aria-pressed')).toBe('true');
      expect(await channels.nth(index).innerText()).toMatch(/Facebook|Threads|Mastodon|X$/);
    }

    await composer.textField(page).fill('With a picture');
    await composer.saved(page);
    await composer.addMedia(page, await aPicture('bread.png', '#c96'));
    const bar = (await page.getByRole('button', { name: 'Publish now' }).boundingBox())!;
    const picture = (await page.getByRole('list', { name: 'Media' }).locator('img').boundingBox())!;
    expect(picture.y).toBeGreaterThan(0);
    expect(picture.y + picture.height / 2).toBeLessThan(bar.y);
  });

  test('doesn’t save a draft with only a channel', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/compose');
    await composer.channel(page, 'Mastodon').click();
    expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Posts' }).click();
    await page.getByRole('tab', { name: 'Drafts' }).click();
    await page.getByRole('heading', { name: 'No drafts' }).waitFor();
  });

  test('shows the text on a phone without scrolling, even with many channels', async ({ stage }) => {
    const networks = Array.from({ length: 14 }, () => 'mastodon' as const);
    const { page } = await stage.signedIn({ networks, width: 360, height: 780 });
    await page.goto('/compose');
    const group = page.getByRole('group', { name: 'Post to' });
    const buttons = group.getByRole('button');
    await buttons.first().waitFor();
    expect(await buttons.count()).toBe(14);
    const text = (await composer.textField(page).boundingBox())!;
    const bar = (await page.getByRole('button', { name: 'Save draft' }).boundingBox())!;
    expect(text.y + 60).toBeLessThan(bar.y);
    for (const { width, height } of await Promise.all(
      (await buttons.all()).map(async (one) => (await one.boundingBox())!),
    ))
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await buttons.first().click();
    expect(await buttons.first().getAttribute('aria-pressed')).toBe('true');
    await inspect(page, 'composer-many-channels');

    await page.getByRole('button', { name: 'All 14 channels' }).click();
    expect(await buttons.count()).toBe(14);
    const last = buttons.last();
    const name = (await last.innerText()).split('\n')[0]!;
    await page.getByLabel('Find a channel').fill(name);
    // Selected channels stay visible.
    await expect.poll(() => buttons.count()).toBe(2);
    await buttons.first().click();
    await inspect(page, 'composer-many-channels-open');
    await page.getByRole('button', { name: 'Show less' }).click();
    await page.getByText(/^2 selected: /).waitFor();
    // All of them selected leave the text where it is.
    await page.getByRole('button', { name: 'Select all' }).click();
    expect((await composer.textField(page).boundingBox())!.y).toBe(text.y);
  });

  test('is accessible', { timeout: 180_000 }, async ({ stage }) => {
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
    // Its answer moves what is below the text.
    await page
      .getByText(/^Thread on/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Customise' }).click();
    await page.getByRole('menuitem', { name: 'LinkedIn', exact: true }).click();
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
