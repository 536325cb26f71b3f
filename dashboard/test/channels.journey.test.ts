import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { accessibilityProblems, chromiumPath, openStage, type Stage } from './support/stage.ts';

const shots = process.env.SHOTS;
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
};

describe.skipIf(!chromiumPath)('channels', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  const makeAccount = (network: string, handle: string) =>
    sandboxControl(stage.service.sandbox.url)<{ credentials: Record<string, string> }>('POST', '/accounts', {
      network,
      handle,
    });

  const consent = async (page: Page, decision: 'Allow' | 'Deny', handle: string) => {
    await page.getByLabel('Handle of the new account').fill(handle);
    await page.getByRole('button', { name: decision }).click();
  };

  test('are connected by consent, by a form and by a bot, tested and disconnected', { timeout: 90_000 }, async () => {
    const { page, user } = await stage.signedIn();
    await page.goto('/channels');
    await page.getByText('No channel yet').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await shoot(page, 'channels-empty');

    await page.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Mastodon' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await shoot(page, 'channels-networks');
    await dialog.getByRole('button', { name: 'Mastodon' }).click();
    expect(await dialog.getByLabel('Server').inputValue()).toBe('mastodon.social');
    await dialog.getByRole('button', { name: 'Continue to Mastodon' }).click();
    await consent(page, 'Allow', 'ada');
    await page.getByRole('status').getByText('Connected').waitFor();
    expect(new URL(page.url()).pathname).toBe('/channels');
    await page.getByRole('listitem', { name: /ada.* on Mastodon/ }).waitFor();

    const { credentials: bluesky } = await makeAccount('bluesky', 'ada');
    await page.getByRole('button', { name: 'Add channel' }).click();
    await dialog.getByRole('button', { name: 'Bluesky' }).click();
    await dialog.getByLabel('Handle').fill('ada.bsky.social');
    await dialog.getByLabel('App password', { exact: true }).fill('wrong-pass-word-here');
    await dialog.getByRole('button', { name: 'Connect Bluesky' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('App password', { exact: true }).fill(bluesky.appPassword!);
    await dialog.getByRole('button', { name: 'Connect Bluesky' }).click();
    await page.getByRole('listitem', { name: /ada.bsky.social on Bluesky/ }).waitFor();

    const { credentials: telegram } = await makeAccount('telegram', 'adanews');
    await page.goto('/channels?add=telegram');
    await dialog.getByText(/@BotFather and send/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await shoot(page, 'channels-telegram');
    await dialog.getByLabel('Bot token').fill('no token');
    await dialog.getByLabel('Channel').fill('@adanews');
    await dialog.getByRole('button', { name: 'Connect Telegram' }).click();
    await dialog.getByText(/Enter the token that @BotFather gave you/).waitFor();
    await dialog.getByLabel('Bot token').fill(telegram.botToken!);
    await dialog.getByRole('button', { name: 'Connect Telegram' }).click();
    const bot = page.getByRole('listitem', { name: /adanews on Telegram/ });
    await bot.getByText('Healthy').waitFor();

    await bot.getByRole('button', { name: 'Test' }).click();
    await bot.getByText('The test went well').waitFor();
    await shoot(page, 'channels-three');

    const { body } = await user.call('GET', '/platform-connections');
    const target = body.connections.find(({ platform }: { platform: string }) => platform === 'telegram').platformId;
    const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
    const post = await user.call('POST', '/create-post', { content: 'Later', platforms: [target], scheduledTime });
    expect(post.status).toBe(200);
    await bot.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByText(/1 scheduled post goes to this account. It becomes a draft/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await shoot(page, 'channels-disconnect');
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await bot.waitFor({ state: 'detached' });

    await page.getByLabel('Search channels').fill('bluesky');
    await page.getByText('1 of 2 channels').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('bluesky');
  });

  test('that were refused on the consent page say why', async () => {
    const { page } = await stage.signedIn();
    await page.goto('/channels?add=networks');
    await page.getByRole('dialog').getByRole('button', { name: 'X', exact: true }).click();
    await consent(page, 'Deny', 'ada');
    await page.getByRole('alert').getByText('cancelled on the consent page').waitFor();
    expect(new URL(page.url()).pathname).toBe('/channels');
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name)).not.toContain('crier.connect-problem');
  });

  test.each(['light', 'dark'] as const)('can be many and need attention (%s)', async (colorScheme) => {
    const { page, user } = await stage.signedIn({ colorScheme, networks: ['mastodon'], width: 360 });
    const { pool } = stage.service.database;
    await pool.query(`update connections set reconnect_required_at = now(), last_error = null where user_id = $1`, [
      user.id,
    ]);
    await page.goto('/channels');
    await page.getByRole('listitem').getByText('no longer accepts the access').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await shoot(page, `channels-360-${colorScheme}`);
    await page.getByText('Need attention (1)').click();
    await page.getByRole('listitem').getByRole('button', { name: 'Reconnect' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue to Mastodon' }).waitFor();
  });
});
