import { expect } from 'vitest';
import { channels, makeAccount } from './support/channels.ts';
import { inspect, tabTo } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

/** Networks that only need their consent page. */
const byConsent = ['X', 'Instagram', 'Threads', 'TikTok', 'LinkedIn', 'YouTube', 'Facebook', 'Pinterest'];

journeys('connecting every network', () => {
  test('works with its consent page, which redirects to the channels', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/channels');
    await page.getByText('No channels yet').waitFor();
    await inspect(page, 'channels-empty');
    for (const name of byConsent) {
      await channels.choose(page, name);
      await channels.decide(page, 'Allow', `ada${name.toLowerCase()}`);
      await page.getByRole('status').getByText('Connected').waitFor();
      expect(new URL(page.url()).pathname).toBe('/channels');
      await channels.healthy(page, new RegExp(` on ${name}$`));
    }
    await channels.choose(page, 'Mastodon');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Server').inputValue()).toBe('mastodon.social');
    await dialog.getByRole('button', { name: 'Continue to Mastodon' }).click();
    await channels.decide(page, 'Allow', 'ada');
    await channels.healthy(page, /ada.* on Mastodon/);
    await inspect(page, 'channels-many');
    await page.getByLabel('Search channels').fill('youtube');
    await page.getByText('1 of 9 channels').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('youtube');
  });

  test('works with a form or a bot, by keyboard alone', async ({ stage }) => {
    const { page } = await stage.signedIn();
    const press = (key: string) => page.keyboard.press(key);
    const write = async (label: string, text: string) => {
      await tabTo(page, dialog.getByLabel(label, { exact: true }));
      await press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
    };
    const choose = async (network: string) => {
      await tabTo(page, page.getByRole('button', { name: 'Add channel' }));
      await press('Enter');
      await dialog.getByRole('button', { name: network }).waitFor();
      await inspect(page, 'channels-networks');
      await tabTo(page, dialog.getByRole('button', { name: network }));
      await press('Enter');
    };
    const dialog = page.getByRole('dialog');
    await page.goto('/channels');
    await page.getByRole('button', { name: 'Add channel' }).waitFor();

    const { credentials: bluesky } = await makeAccount(stage, 'bluesky', 'ada');
    await choose('Bluesky');
    await dialog.getByLabel('App password', { exact: true }).waitFor();
    await inspect(page, 'channels-bluesky');
    await write('Handle', 'ada.bsky.social');
    await write('App password', 'wrong-pass-word-here');
    await press('Enter');
    await dialog.getByRole('alert').waitFor();
    await write('App password', bluesky.appPassword!);
    await press('Enter');
    await channels.healthy(page, /ada.bsky.social on Bluesky/);

    const { credentials: telegram } = await makeAccount(stage, 'telegram', 'adanews');
    await choose('Telegram');
    await dialog.getByText(/@BotFather and send/).waitFor();
    await inspect(page, 'channels-telegram');
    await write('Bot token', 'no token');
    await write('Channel', '@adanews');
    await press('Enter');
    await dialog.getByText(/Enter the token that @BotFather gave you/).waitFor();
    await write('Bot token', telegram.botToken!);
    await press('Enter');
    const bot = await channels.healthy(page, /adanews on Telegram/);
    await tabTo(page, bot.getByRole('button', { name: 'Check connection' }));
    await press('Space');
    await bot.getByText('Connection works').waitFor();
    await inspect(page, 'channels-tested');
  });
});
