import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { aPost } from './support/calendar.ts';
import { composer, eventually } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const { textField, preview, saved } = composer;

journeys('nothing is lost', () => {
  test('when a network rejects a post: the page shows why, and offers a retry where useful', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['telegram', 'mastodon'] });
    const control = sandboxControl(stage.service.sandbox.url);
    const fault = { operation: 'publish', times: 1 };
    const hours = { kind: 'rate_limit', retryAfterSeconds: 7 * 3600 };
    await control('POST', '/faults', { ...fault, network: 'telegram', ...hours });
    await control('POST', '/faults', { ...fault, network: 'mastodon', kind: 'status', status: 422 });
    const id = await aPost(user, { content: 'Try me twice', publishNow: true });
    await page.goto('/posts?status=failed');
    await page.getByRole('row').filter({ hasText: 'Try me twice' }).getByRole('link').click();
    const telegram = page.getByRole('region', { name: 'Telegram' });
    await telegram.getByText('Failed', { exact: true }).waitFor();
    const mastodon = page.getByRole('region', { name: 'Mastodon' });
    await mastodon.getByText(/The same post would fail again/).waitFor();
    expect(await mastodon.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await inspect(page, 'post-failed');

    await telegram.getByRole('button', { name: 'Try again' }).click();
    await telegram.getByText('Published', { exact: true }).waitFor();
    await telegram.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
    const { body } = await user.call('GET', `/get-post/${id}`);
    expect(body).toMatchObject({ status: 'partially_published' });
    await page.getByRole('region', { name: 'History' }).getByText('Retry on Telegram requested').waitFor();
  });

  test('when some networks reject a post: a copy goes only to them, with a duplicate warning', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'twitter', 'linkedin'] });
    const [, ...refusing] = user.channels;
    const content = 'The bakery opens on Saturday';
    const first = await aPost(user, { content, publishNow: true });
    await page.goto(`/posts/${first}`);
    await page.getByText('Published', { exact: true }).nth(3).waitFor();
    const again = await aPost(user, { content, publishNow: true });
    await page.goto('/posts?status=failed');
    const row = page.getByRole('row').filter({ hasText: content });
    await row.getByText('X does not publish the same text twice. Change the text. LinkedIn does not').waitFor();
    await row.getByRole('link').click();
    await page.getByRole('region', { name: 'Mastodon' }).getByText('Published', { exact: true }).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Publishing requested').waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);

    const x = page.getByRole('region', { name: 'X', exact: true });
    await x.getByRole('button', { name: 'Make a copy for X and LinkedIn' }).click();
    await page.waitForURL(/\/compose\/[0-9a-f]{24}$/);
    await page
      .getByText(/^The same text is already published or scheduled on X and LinkedIn/)
      .first()
      .waitFor();
    expect(await page.getByText(/^Ready/).count()).toBe(0);
    expect((await composer.read(user, page)).platforms).toEqual(refusing);
    const isChosen = (name: string) => composer.channel(page, name).getAttribute('aria-pressed');
    expect([await isChosen('on Mastodon'), await isChosen('on X')]).toEqual(['false', 'true']);
    await inspect(page, 'copy-of-refused');
    await textField(page).fill('The bakery opens on Saturday, as we said');
    await page.getByText('Ready for all selected channels.').waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/posts/') && !url.pathname.endsWith(again));
    await page.getByText('Published', { exact: true }).nth(2).waitFor();
  });

  test('when a post is edited in two tabs: the second save shows both texts', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    await composer.begin(page, ['Mastodon'], 'The first version');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await textField(other).fill('From the other tab');
    await saved(other);
    await textField(page).fill('From this tab');
    const dialog = page.getByRole('dialog', { name: 'This post was changed elsewhere' });
    await dialog.getByRole('region', { name: 'Yours' }).getByText('From this tab').waitFor();
    await dialog.getByRole('region', { name: 'Theirs' }).getByText('From the other tab').waitFor();
    await dialog.getByRole('button', { name: 'Keep yours' }).click();
    await eventually(async () => (await composer.read(user, page)).posts[0].content, 'From this tab');
  });

  test('when the connection drops: writing continues, and is saved once it is back', async ({ stage }) => {
    const expectedErrors = /ERR_INTERNET_DISCONNECTED/;
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], expectedErrors });
    await composer.begin(page, ['Mastodon'], 'Before the tunnel');
    await page.context().setOffline(true);
    await page.getByRole('alert').getByText('You’re offline').waitFor();
    await textField(page).fill('In the tunnel');
    await preview(page).getByText('In the tunnel').waitFor();
    await page.getByText('Changes kept in this browser').waitFor();
    await inspect(page, 'offline');
    await page.context().setOffline(false);
    await page.getByText('You’re offline').waitFor({ state: 'detached' });
    await saved(page);
    await eventually(async () => (await composer.read(user, page)).posts[0].content, 'In the tunnel');
    await page.getByRole('status').getByText('Live updates on').waitFor();
  });
});
