import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { composer, eventually } from './support/composer.ts';
import { chromiumPath, openStage, type Stage } from './support/stage.ts';

describe.skipIf(!chromiumPath)('a post from the composer', { timeout: 120_000 }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  test('takes comments and options, is scheduled, then published now, and the page shows it live', async () => {
    const { page, user } = await stage.signedIn({ networks: ['linkedin', 'telegram'] });
    await composer.begin(page, ['LinkedIn', 'Telegram'], 'With options');

    // Only what matters for this post is offered.
    await page.getByRole('button', { name: 'Options for LinkedIn' }).click();
    const repost = page.getByRole('switch', { name: 'Repost' });
    await repost.waitFor();
    expect(await page.getByLabel('Post to repost').count()).toBe(0);
    await repost.click();
    await page.getByLabel('Post to repost').waitFor();
    await repost.click();
    await page.getByLabel('Post to repost').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Options for Telegram' }).click();
    expect(await page.getByLabel('No link preview').count()).toBe(0);
    await page.getByRole('switch', { name: 'Silent' }).click();
    await page.getByRole('button', { name: 'First comments' }).click();
    await page.getByLabel('First comment', { exact: true }).fill('More on our site');
    await page.getByLabel('Minutes after the post').fill('5');
    await page.getByLabel('Date').fill('tomorrow 9');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect(await composer.read(user, page)).toMatchObject({
      status: 'scheduled',
      platformSettings: { telegram: { disableNotification: true }, linkedin: { repostEnabled: false } },
      firstComments: [{ text: 'More on our site', delaySeconds: 300 }],
    });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    for (const network of ['LinkedIn', 'Telegram']) {
      const target = page.getByRole('region', { name: network });
      await target.getByText('Published', { exact: true }).waitFor({ timeout: 60_000 });
    }
  });

  test('that failed is recovered by editing a copy', async () => {
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

  test('is edited in two tabs: the second to save sees both texts', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await composer.begin(page, ['Mastodon'], 'The first version');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await composer.textField(other).fill('From the other tab');
    await composer.saved(other);
    await composer.textField(page).fill('From this tab');
    const dialog = page.getByRole('dialog', { name: 'This post was changed elsewhere' });
    await dialog.getByRole('region', { name: 'Yours' }).getByText('From this tab').waitFor();
    await dialog.getByRole('region', { name: 'Theirs' }).getByText('From the other tab').waitFor();
    await dialog.getByRole('button', { name: 'Keep yours' }).click();
    await eventually(async () => (await composer.read(user, page)).posts[0].content, 'From this tab');
  });

  test('is written on while the connection is lost, and saved when it is back', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await composer.begin(page, ['Mastodon'], 'In the train');
    await page.context().setOffline(true);
    await composer.textField(page).fill('In the tunnel');
    await page.getByText(/^Kept in this browser/).waitFor();
    await composer.textField(page).fill('In the long tunnel');
    await composer.preview(page).getByText('In the long tunnel').waitFor();
    await page.context().setOffline(false);
    await composer.saved(page);
    await eventually(async () => (await composer.read(user, page)).posts[0].content, 'In the long tunnel');
  });

  test('goes out after the gap if the clocks of the person skip its time', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const set = await page.request.patch('/api/v1/auth/profile', {
      data: { timeZone: 'America/New_York' },
      headers: { origin: stage.url },
    });
    expect(set.status()).toBe(200);
    await composer.begin(page, ['Mastodon'], 'In the night of the change');
    await page.getByText('Times are in America/New_York.').waitFor();
    await page.getByLabel('Date').fill('2027-03-14');
    await page.getByLabel('Time').fill('2:30');
    await page.getByLabel('Time').blur();
    const note = 'On this day the clocks go forward and skip 02:30. The post goes out at 03:30.';
    await page.getByText(note).waitFor();
    expect(await page.getByLabel('Time').inputValue()).toBe('02:30');
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    expect((await composer.read(user, page)).scheduledTime).toBe('2027-03-14T07:30:00.000Z');
  });
});
