import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('insights', () => {
  const row = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words });

  test('show what networks report, and explain what they don’t', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'linkedin', 'telegram'] });
    const [mastodon, linkedin, telegram] = user.channels;
    const { body } = await user.call('POST', '/create-post', {
      content: `How many will like it? ${'Long'.repeat(20)}`,
      platforms: [mastodon, linkedin],
      publishNow: true,
    });
    await expect
      .poll(async () => (await user.call('GET', `/get-post/${body.postGroupId}`)).body.status)
      .toBe('published');

    const control = sandboxControl(stage.service.sandbox.url);
    await control('POST', '/faults', {
      network: 'mastodon',
      operation: 'stats',
      kind: 'status',
      status: 403,
      times: 5,
    });
    await page.goto(`/insights?channel=${mastodon}`);
    await page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor();
    expect(await page.title()).toBe('Insights · Crier');
    await page.getByText('Mastodon doesn’t allow Crier to read these statistics.').first().waitFor();
    await row(page, 'How many will like it?').getByText('Not reported by Mastodon').first().waitFor();
    const followers = page.getByRole('region', { name: 'Followers over time' });
    await followers.getByText(/Crier doesn’t store earlier counts/).waitFor();
    await inspect(page, 'insights-mastodon');

    await page.getByLabel('Channel').selectOption(linkedin!);
    const account = page.getByRole('region', { name: 'Account' });
    await account.getByText('Members reached').waitFor();
    await page
      .getByRole('region', { name: 'New followers per day' })
      .getByText(/new followers? in \d+ days?/)
      .waitFor();
    await page
      .getByRole('region', { name: 'Last 30 days' })
      .getByText(/impressions/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'New followers per day' }).locator('svg.recharts-surface').first().waitFor();
    await row(page, 'How many will like it?').waitFor();
    expect(new URL(page.url()).searchParams.get('channel')).toBe(linkedin);
    await inspect(page, 'insights-linkedin');
    // Nothing is wider than a phone's screen.
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);

    await page.getByLabel('Channel').selectOption(telegram!);
    await page.getByRole('heading', { name: 'No statistics from Telegram' }).waitFor();
  });

  test('are explained to users without channels or without insights in their plan', async ({ stage }) => {
    const { page } = await stage.signedIn({ colorScheme: 'dark' });
    await page.goto('/insights');
    await page.getByRole('heading', { name: 'No channels yet' }).waitFor();
    await inspect(page, 'insights-empty');
    const starter = await stage.signedIn({ networks: ['mastodon'], plan: 'starter' });
    await starter.page.goto('/insights');
    await starter.page.getByRole('heading', { name: 'Your plan doesn’t include insights' }).waitFor();
    await starter.page.getByRole('link', { name: 'Usage and plan' }).waitFor();
    await inspect(starter.page, 'insights-plan');
  });
});
