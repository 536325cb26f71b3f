import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { channels, makeAccount } from './support/channels.ts';
import { inspect, isCut, styleOf } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { enter } from './support/sign-in.ts';

journeys('channels', () => {
  test.for([
    ['Facebook', 'the Pages'],
    ['LinkedIn', 'the member and the organisation'],
  ] as const)('are chosen when one consent covers several: on %s, %s', async ([name], { stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await channels.choose(page, name);
    await channels.decide(page, 'Allow', `admin-${name.toLowerCase()}`);
    const dialog = page.getByRole('dialog', { name: `Choose accounts on ${name}` });
    const accounts = dialog.getByRole('checkbox');
    await accounts.first().waitFor();
    await inspect(page, `channels-choice-${name.toLowerCase()}`);
    expect(await accounts.count()).toBe(2);
    expect(await dialog.getByRole('button', { name: 'Connect' }).isDisabled()).toBe(true);
    for (const account of await accounts.all()) await account.check();
    await dialog.getByRole('button', { name: 'Connect 2 accounts' }).click();
    await page.getByText('2 channels', { exact: true }).waitFor();
    expect(await page.getByRole('listitem').getByText('Healthy').count()).toBe(2);
  });

  test('explain before disconnecting what happens to scheduled posts', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
    const [target] = user.channels;
    const post = await user.call('POST', '/create-post', { content: 'Later', platforms: [target], scheduledTime });
    expect(post.status).toBe(200);
    await page.goto('/channels');
    const channel = await channels.healthy(page, / on Mastodon/);
    await channel.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/1 post is scheduled for this channel. It won’t be published there/).waitFor();
    await inspect(page, 'channels-disconnect');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await channel.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await channel.waitFor({ state: 'detached' });
    await channels.healthy(page, / on Bluesky/);
  });

  test('whose access was revoked on the network show it and can be reconnected', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await channels.choose(page, 'X');
    await channels.decide(page, 'Allow', 'revoked');
    const channel = await channels.healthy(page, /revoked on X/);
    const revoked = { network: 'twitter', handle: 'revoked', revokeTokens: true };
    await sandboxControl(stage.service.sandbox.url)('PATCH', '/accounts', revoked);
    await channel.getByRole('button', { name: 'Check connection' }).click();
    await channel.getByText('Connection check failed').waitFor();
    const ended = channel.getByText('X has ended Crier’s access. Reconnect the channel.');
    await expect.poll(() => ended.count()).toBe(1);
    await inspect(page, 'channels-attention');
    await page.getByText('Needs attention (1)').click();
    await channel.getByRole('button', { name: 'Reconnect' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reconnect revoked on X' });
    await dialog.getByText(/^Approve access on X as revoked\./).waitFor();
    await inspect(page, 'channels-reconnect');
    await dialog.getByRole('button', { name: 'Continue to X' }).click();
    await page.getByRole('radio', { name: /revoked/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('status').getByText('Connected').waitFor();
    await channels.healthy(page, /revoked on X/);
    expect(await page.getByRole('listitem', { name: / on X$/ }).count()).toBe(1);
  });

  test('reconnected with another account say so, and offer what to do', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await channels.choose(page, 'X');
    await channels.decide(page, 'Allow', 'wanted');
    const wanted = await channels.healthy(page, /wanted on X/);
    await sandboxControl(stage.service.sandbox.url)('PATCH', '/accounts', {
      network: 'twitter',
      handle: 'wanted',
      revokeTokens: true,
    });
    await wanted.getByRole('button', { name: 'Check connection' }).click();
    await wanted.getByText('Connection check failed').waitFor();
    const reconnect = async () => page.getByRole('dialog').getByRole('button', { name: 'Continue to X' }).click();
    await wanted.getByRole('button', { name: 'Reconnect' }).click();
    await reconnect();
    await channels.decide(page, 'Allow', 'other_one');
    const warning = page.getByRole('alert').filter({ hasText: 'is not reconnected' });
    await warning.getByText(/You approved access as .*other_one.*, which is a separate channel/).waitFor();
    await inspect(page, 'channels-wrong-account');
    await warning.getByRole('button', { name: /^Disconnect / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('listitem', { name: /other_one on X/ }).waitFor({ state: 'detached' });
    await warning.getByRole('button', { name: /^Reconnect / }).click();
    await reconnect();
    await page.getByRole('radio', { name: /wanted/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('status').getByText('Connected').waitFor();
    await channels.healthy(page, /wanted on X/);
    expect(await warning.count()).toBe(0);
  });

  test('are added one after the other with one click each', async ({ stage }) => {
    const { page } = await stage.signedIn();
    const more = page.getByRole('group', { name: 'Add another channel' });
    await page.goto('/compose');
    await page.getByRole('link', { name: 'Add channel' }).click();
    await page.getByRole('dialog', { name: 'Add channel' }).getByRole('button', { name: 'Threads' }).click();
    const suggested = await page.getByLabel('User name of the new account').inputValue();
    await inspect(page, 'consent');
    await page.getByRole('button', { name: 'Allow' }).click();
    await channels.healthy(page, new RegExp(`${suggested} on Threads`));
    await more.getByRole('button', { name: 'X' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await channels.healthy(page, / on X$/);
    await inspect(page, 'channels-next');
    expect(await more.getByRole('button', { name: 'X' }).count()).toBe(0);
    await more.getByRole('button', { name: 'Mastodon' }).click();
    await page.getByRole('dialog', { name: 'Connect Mastodon' }).getByLabel('Server').waitFor();
  });

  test('have whole names on a tablet, also in the filter of the posts', async ({ stage }) => {
    const { page } = await stage.signedIn({ width: 768 });
    const handle = 'harbour.news.of.the.old.town';
    await page.goto('/channels');
    await channels.choose(page, 'Threads');
    await channels.decide(page, 'Allow', handle);
    const channel = await channels.healthy(page, new RegExp(`${handle} on Threads`));
    const name = channel.getByText(new RegExp(`^@?${handle}$`)).locator('..');
    expect(await isCut(name)).toBe(false);
    await page.goto('/posts');
    const filter = page.getByRole('combobox', { name: 'Channel' });
    await filter.click();
    await page.getByRole('option', { name: new RegExp(handle) }).click();
    await expect.poll(() => filter.inputValue()).toContain(handle);
    expect(await isCut(filter)).toBe(false);
  });

  test('without a picture have readable initials', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['telegram'] });
    await page.goto('/channels');
    const letters = page.getByRole('listitem', { name: / on Telegram$/ }).getByText('TE', { exact: true });
    expect(await styleOf(letters, 'color')).toBe(await styleOf(page.locator('body'), 'color'));
  });

  test('at the plan limit show a warning before connecting', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'telegram'], plan: 'starter' });
    await page.goto('/channels');
    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add channel' });
    await dialog.getByText('You’re using 3 of 3 channels in your plan').waitFor();
    await inspect(page, 'channels-limit');
    await dialog.getByRole('button', { name: 'Threads' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('alert').getByText('Channel limit reached').waitFor();
    await page.goto('/channels?add=networks');
    await dialog.getByRole('link', { name: 'view plan limits' }).click();
    await page.getByRole('heading', { name: 'Usage and plan', level: 1 }).waitFor();
  });

  test.for(['Bluesky', 'Telegram'])('on %s can use a sandbox account without credentials', async (name, { stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await channels.choose(page, name);
    const dialog = page.getByRole('dialog', { name: `Connect ${name}` });
    await dialog.getByText(`${name} is simulated`).waitFor();
    await dialog.getByRole('button', { name: 'Use a sandbox account' }).click();
    await page.getByRole('status').getByText('Connected').waitFor();
    await channels.healthy(page, new RegExp(` on ${name}$`));
  });

  test('let the user choose a name only for a new account', async ({ stage }) => {
    await makeAccount(stage, 'threads', 'not_mine');
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await channels.choose(page, 'Threads');
    const handle = page.getByLabel('User name of the new account');
    await page.getByRole('radio', { name: /not_mine/ }).check();
    await handle.waitFor({ state: 'hidden' });
    await page.getByLabel('A new account').check();
    await handle.fill('no spaces please');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('link', { name: 'Choose another user name' }).click();
    await handle.fill('tombakes');
    await page.getByRole('button', { name: 'Allow' }).click();
    await channels.healthy(page, /tombakes on Threads/);
  });

  test('denied on the consent page show the reason without layout shift', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await channels.choose(page, 'X');
    let answer = () => {};
    const isReading = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/dashboard/settings', async (route) => {
      await isReading;
      await route.continue();
    });
    await channels.decide(page, 'Deny', 'ada');
    await page.waitForURL(/connect=failed/);
    expect(await page.getByRole('heading', { name: 'Channels', level: 1 }).isVisible()).toBe(false);
    answer();
    await page.getByRole('alert').getByText('cancelled on the consent page').waitFor();
    expect(await page.getByRole('button', { name: 'Sandbox' }).isVisible()).toBe(true);
    await inspect(page, 'channels-refused');
    expect(new URL(page.url()).pathname).toBe('/channels');
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).not.toContain('crier.connect-problem');
  });

  test('connected on a page opened with an IP address redirect back to it', async ({ stage }) => {
    const user = await stage.aUser();
    const page = await stage.aPage();
    const opened = stage.url.replace('localhost', '127.0.0.1');
    await page.goto(`${opened}/channels`);
    await enter(page, user);
    await channels.choose(page, 'Threads');
    await channels.decide(page, 'Allow', 'by_number');
    await page.getByRole('status').getByText('Connected').waitFor();
    expect(page.url().startsWith(`${opened}/channels?`)).toBe(true);
    await channels.healthy(page, /by_number on Threads/);
  });
});
