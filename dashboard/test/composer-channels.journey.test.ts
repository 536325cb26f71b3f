import { expect } from 'vitest';
import { composer } from './support/composer.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

const { textField, channel, preview } = composer;

journeys('the composer', () => {
  test('opens with N for writing, publishes and schedules with Ctrl+Enter, and remembers the channels', async ({
    stage,
  }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon', 'bluesky', 'telegram'] });
    await page.goto('/posts');
    await page.getByRole('heading', { name: 'Posts', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => textField(page).evaluate((field) => field.matches(':focus'))).toBe(true);
    expect(await page.getByRole('button', { name: 'Last used' }).count()).toBe(0);
    await channel(page, 'Bluesky').click();
    await channel(page, 'Mastodon').click();
    await textField(page).fill('By keyboard');
    await textField(page).press('Control+Enter');
    await page.waitForURL(/\/posts\/[0-9a-f]{24}$/);
    await page.getByRole('region', { name: 'Bluesky' }).getByText('Published', { exact: true }).waitFor();

    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Last used' }).click();
    expect(await channel(page, 'Bluesky').getAttribute('aria-pressed')).toBe('true');
    expect(await channel(page, 'Telegram').getAttribute('aria-pressed')).toBe('false');
    expect(await page.getByRole('button', { name: 'Last used' }).count()).toBe(0);
    await textField(page).fill('Later');
    await page.getByLabel('Date').fill('2030-03-04 9:00');
    await page.getByLabel('Date').press('Control+Enter');
    await page.getByText('Scheduled for').waitFor();
    const { status, platforms } = await composer.read(user, page);
    expect([status, platforms]).toEqual(['scheduled', [user.channels[1], user.channels[0]]]);
  });

  test('previews the text that has the focus', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon', 'telegram'] });
    await page.goto('/compose');
    await page.getByRole('button', { name: 'Select all' }).click();
    await textField(page).fill('For everyone');
    await page.getByRole('button', { name: 'Customise' }).click();
    await page.getByRole('menuitem', { name: 'Telegram', exact: true }).click();
    const own = page.getByLabel('Text for Telegram');
    await own.fill('For Telegram');
    await preview(page).getByText('For Telegram').waitFor();
    await textField(page).focus();
    await preview(page).getByText('For everyone').waitFor();
  });

  test('finds a channel among many, by network', async ({ stage }) => {
    const networks = ['mastodon', 'bluesky', 'mastodon', 'telegram', 'threads', 'linkedin', 'twitter'] as const;
    const { page } = await stage.signedIn({ networks });
    await page.goto('/compose');
    const buttons = page.getByRole('group', { name: 'Post to' }).getByRole('button');
    await buttons.first().waitFor();
    const names = async () => (await buttons.allInnerTexts()).map((name) => name.split('\n').at(-1));
    expect((await names()).filter((name, index, all) => name === all[index - 1])).toEqual(['Mastodon']);
    await page.getByLabel('Find a channel').fill('mastodon');
    await expect.poll(names).toEqual(['Mastodon', 'Mastodon']);
    await buttons.last().click();
    await page.getByLabel('Find a channel').fill('threads');
    // Selected channels stay in sight, below.
    await expect.poll(names).toEqual(['Threads', 'Mastodon']);
    await inspect(page, 'composer-find-channel');
    await page.getByLabel('Find a channel').press('Enter');
    await page.getByText(/^2 selected: .* on Mastodon, .* on Threads$/).waitFor();
    expect(await buttons.count()).toBe(7);
  });
});
