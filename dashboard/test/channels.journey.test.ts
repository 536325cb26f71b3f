import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { inspect, tabTo } from './support/inspect.ts';
import { chromiumPath, openStage, type Stage } from './support/stage.ts';

/** The networks whose consent page is all that they ask for. */
const byConsent = ['X', 'Instagram', 'Threads', 'TikTok', 'LinkedIn', 'YouTube', 'Facebook', 'Pinterest'];

describe.skipIf(!chromiumPath)('channels', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  const control = <T>(method: string, body: object) =>
    sandboxControl(stage.service.sandbox.url)<T>(method, '/accounts', body);
  const makeAccount = (network: string, handle: string) =>
    control<{ credentials: Record<string, string> }>('POST', { network, handle });

  const consent = async (page: Page, decision: 'Allow' | 'Deny', handle: string) => {
    await page.getByLabel('A new account').check();
    await page.getByLabel('Handle of the new account').fill(handle);
    await page.getByRole('button', { name: decision }).click();
  };

  const chooseNetwork = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  };

  const healthy = async (page: Page, name: RegExp) => {
    const channel = page.getByRole('listitem', { name });
    await channel.getByText('Healthy').waitFor();
    return channel;
  };

  test('are connected by the consent page of each network', { timeout: 240_000 }, async () => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await page.getByText('No channel yet').waitFor();
    await inspect(page, 'channels-empty');
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mastodon' }).waitFor();
    await inspect(page, 'channels-networks');
    await page.keyboard.press('Escape');
    for (const name of byConsent) {
      const handle = `ada${name.toLowerCase()}`;
      await chooseNetwork(page, name);
      await consent(page, 'Allow', handle);
      await page.getByRole('status').getByText('Connected').waitFor();
      expect(new URL(page.url()).pathname).toBe('/channels');
      await healthy(page, new RegExp(` on ${name}$`));
    }
    await chooseNetwork(page, 'Mastodon');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Server').inputValue()).toBe('mastodon.social');
    await dialog.getByRole('button', { name: 'Continue to Mastodon' }).click();
    await consent(page, 'Allow', 'ada');
    await healthy(page, /ada.* on Mastodon/);
    await inspect(page, 'channels-many');

    await page.getByLabel('Search channels').fill('youtube');
    await page.getByText('1 of 9 channels').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('youtube');
  });

  test.each([
    ['Facebook', 'the Pages'],
    ['LinkedIn', 'the member and the organisation'],
  ])('are chosen where one consent covers several: on %s, %s', async (name) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await chooseNetwork(page, name);
    await consent(page, 'Allow', `admin-${name.toLowerCase()}`);
    const dialog = page.getByRole('dialog', { name: `Choose the accounts on ${name}` });
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

  test('are connected by a form and by a bot, with the keyboard alone', async () => {
    const { page } = await stage.signedIn();
    const press = (key: string) => page.keyboard.press(key);
    const dialog = page.getByRole('dialog');
    await page.goto('/channels');
    await page.getByRole('button', { name: 'Add channel' }).waitFor();

    const { credentials: bluesky } = await makeAccount('bluesky', 'ada');
    await tabTo(page, page.getByRole('button', { name: 'Add channel' }));
    await press('Enter');
    await dialog.getByRole('button', { name: 'Bluesky' }).waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Bluesky' }));
    await press('Enter');
    await dialog.getByLabel('App password', { exact: true }).waitFor();
    await inspect(page, 'channels-bluesky');
    await tabTo(page, dialog.getByLabel('Handle'));
    await page.keyboard.type('ada.bsky.social');
    await tabTo(page, dialog.getByLabel('App password', { exact: true }));
    await page.keyboard.type('wrong-pass-word-here');
    await press('Enter');
    await dialog.getByRole('alert').waitFor();
    await press('ControlOrMeta+A');
    await page.keyboard.type(bluesky.appPassword!);
    await press('Enter');
    await healthy(page, /ada.bsky.social on Bluesky/);

    const { credentials: telegram } = await makeAccount('telegram', 'adanews');
    await tabTo(page, page.getByRole('button', { name: 'Add channel' }));
    await press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Telegram' }));
    await press('Enter');
    await dialog.getByText(/@BotFather and send/).waitFor();
    await inspect(page, 'channels-telegram');
    await tabTo(page, dialog.getByLabel('Bot token'));
    await page.keyboard.type('no token');
    await tabTo(page, dialog.getByLabel('Channel'));
    await page.keyboard.type('@adanews');
    await press('Enter');
    await dialog.getByText(/Enter the token that @BotFather gave you/).waitFor();
    await tabTo(page, dialog.getByLabel('Bot token'));
    await press('ControlOrMeta+A');
    await page.keyboard.type(telegram.botToken!);
    await press('Enter');
    const bot = await healthy(page, /adanews on Telegram/);
    await tabTo(page, bot.getByRole('button', { name: 'Test' }));
    await press('Space');
    await bot.getByText('The test went well').waitFor();
    await inspect(page, 'channels-tested');
  });

  test('say before they are disconnected what becomes of scheduled posts', async () => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky'] });
    const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
    const [target] = user.channels;
    const post = await user.call('POST', '/create-post', { content: 'Later', platforms: [target], scheduledTime });
    expect(post.status).toBe(200);
    await page.goto('/channels');
    const channel = await healthy(page, / on Mastodon/);
    await channel.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/1 scheduled post goes to this account. It becomes a draft/).waitFor();
    await inspect(page, 'channels-disconnect');
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await channel.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await channel.waitFor({ state: 'detached' });
    await healthy(page, / on Bluesky/);
  });

  test('whose access was taken back on the network say so, and are mended', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await chooseNetwork(page, 'X');
    await consent(page, 'Allow', 'revoked');
    const channel = await healthy(page, /revoked on X/);
    await control('PATCH', { network: 'twitter', handle: 'revoked', revokeTokens: true });
    await channel.getByRole('button', { name: 'Test' }).click();
    await channel.getByText('The test failed').waitFor();
    await channel.getByText('no longer accepts the access').waitFor();
    await inspect(page, 'channels-attention');
    await page.getByText('Need attention (1)').click();
    await channel.getByRole('button', { name: 'Reconnect' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue to X' }).click();
    await page.getByRole('radio', { name: /revoked/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('status').getByText('Connected').waitFor();
    await healthy(page, /revoked on X/);
    expect(await page.getByRole('listitem', { name: / on X$/ }).count()).toBe(1);
  });

  test('that were refused on the consent page say why', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await chooseNetwork(page, 'X');
    await consent(page, 'Deny', 'ada');
    await page.getByRole('alert').getByText('cancelled on the consent page').waitFor();
    await inspect(page, 'channels-refused');
    expect(new URL(page.url()).pathname).toBe('/channels');
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).not.toContain('crier.connect-problem');
  });
});
