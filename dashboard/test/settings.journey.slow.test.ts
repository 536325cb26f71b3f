import { expect } from 'vitest';
import { sandboxControl } from '../../test/support/servers/sandbox-control.ts';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';

/** The heading of each page, and an element that appears once it has loaded. */
const pages = {
  profile: ['Profile', 'Export my data'],
  security: ['Security', 'Signed in'],
  appearance: ['Appearance', 'System'],
  usage: ['Usage and plan', 'Webhooks'],
} as const;

journeys('the settings', () => {
  test('save profile, posting slots and theme', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    // The shorter address redirects there.
    await page.goto('/settings');
    await page.waitForURL('**/settings/profile');
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByRole('combobox', { name: 'Time zone' }).click();
    // Typing replaces the current selection.
    await page.keyboard.type('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await page.getByRole('combobox', { name: 'Time format' }).click();
    await page.getByRole('option', { name: '24 hours' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved.').waitFor();
    await page.getByRole('link', { name: 'Queue', exact: true }).last().click();
    await page.getByText('Times are in America/New York.').waitFor();

    await page.getByLabel('Slot time').fill('14:30');
    await page.getByRole('button', { name: 'Add slots' }).click();
    const remove = page.getByRole('button', { name: 'Remove Monday 14:30' });
    await remove.click();
    await expect.poll(() => remove.count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await remove.waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Remove .* 14:30$/ }).count()).toBe(5);
    await page.goto('/settings/profile');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');

    // Times are accepted and shown in the user's format.
    await page.getByRole('combobox', { name: 'Time format' }).click();
    await page.getByRole('option', { name: '12 hours' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved.').waitFor();
    await page.goto('/queue?slots=edit');
    await page.getByRole('button', { name: 'Remove Monday 2:30 pm' }).waitFor();
    expect(await page.getByLabel('Slot time').inputValue()).toBe('9:00 am');
    await page.getByLabel('Slot time').fill('16.15');
    await page.getByLabel('Slot time').blur();
    expect(await page.getByLabel('Slot time').inputValue()).toBe('4:15 pm');
    await page.getByLabel('Slot time').fill('soon');
    await page.getByRole('button', { name: 'Add slots' }).click();
    await page.getByRole('alert').getByText('Enter a time, such as 14:30 or 2:30 pm.').waitFor();

    await page.goto('/settings/profile');
    await page.getByRole('link', { name: 'Appearance' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  });

  test('change the email address with a link sent to the new one', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    await page.goto('/settings/profile');
    await page.getByRole('button', { name: 'Change email' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New address').fill('ada@new.example');
    await dialog.getByLabel('Password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await dialog.getByRole('alert').getByText('The current password is wrong').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await inspect(page, 'settings-email');
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await dialog.getByText('Check your inbox').waitFor();

    const mails = () => sandboxControl(stage.service.sandbox.url)<{ to: string; text: string }[]>('GET', '/mail');
    const find = async () => (await mails()).find(({ to }) => to === 'ada@new.example')?.text ?? '';
    await expect.poll(find).toMatch(/confirm-email/);
    await page.goto(/http\S+confirm-email\S+/.exec(await find())![0]);
    await inspect(page, 'confirm-email');
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByText('Sign in with your new email address').waitFor();
    await page.goto('/settings/profile');
    await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe('ada@new.example');
  });

  test('show plan usage, and what happens at the limits', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon', 'bluesky'], plan: 'starter' });
    await page.goto('/settings/usage');
    const channels = page.getByRole('region', { name: 'Channels' });
    await channels.getByText('2 of 3').waitFor();
    await channels.getByText('At the limit, you can’t connect more channels.').waitFor();
    await page.getByRole('region', { name: 'Posts this month' }).getByText('Resets on').waitFor();
  });

  test('are accessible, and active in the side bar', async ({ stage }) => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    const mark = page.getByRole('navigation', { name: 'Pages' }).getByText('Settings');
    for (const [path, [name, last]] of Object.entries(pages)) {
      await page.goto(`/settings/${path}`);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByLabel(last).or(page.getByText(last)).first().waitFor();
      expect(await page.title()).toBe(`${name} · Crier`);
      expect(await mark.locator('xpath=ancestor::*[@data-active]').count()).toBeGreaterThan(0);
      await inspect(page, `settings-${path}`);
    }
  });

  test('a new password ends keys and applications as well if the person asks for it', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    const works = async () => (await user.call('GET', '/account-context')).status;
    const change = async (currentPassword: string, newPassword: string) => {
      await page.getByLabel('Current password').fill(currentPassword);
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Password changed.').first().waitFor();
      await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('');
    };
    await page.goto('/settings/security');
    await change(user.password, 'copper lantern drifting');
    expect(await works()).toBe(200);
    await page.getByLabel('Also revoke all other access').check();
    await change('copper lantern drifting', 'another lantern drifting');
    expect(await works()).toBe(401);
  });
});
