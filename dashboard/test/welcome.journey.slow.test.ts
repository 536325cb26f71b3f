import { expect } from 'vitest';
import { channels } from './support/channels.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

journeys('the first run', () => {
  test('leads from a new account to a published post', async ({ stage }) => {
    const page = await stage.aPage();
    await page.goto('/signup');
    await page.getByLabel('Email').fill('new@example.com');
    await page.getByLabel('Password', { exact: true }).fill('a sentence nobody guesses');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor({ timeout: 20_000 });
    expect(await page.title()).toBe('Welcome · Crier');
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(3);
    await inspect(page, 'welcome-start');

    await page.getByRole('button', { name: 'Connect a sandbox account' }).click();
    await channels.decide(page, 'Allow', 'grace');
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await inspect(page, 'welcome-write');
    await page.getByRole('button', { name: 'Continue' }).click();
    await inspect(page, 'welcome-written');
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('main').getByText('Published', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open on Mastodon' }).waitFor();
    await inspect(page, 'welcome-published');

    await page.goto('/welcome');
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
  });

  test('can be skipped and does not come back', async ({ stage }) => {
    const { page } = await stage.signedIn();
    await page.goto('/');
    await page.getByRole('button', { name: 'Skip' }).press('Enter');
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/calendar');
  });
});
