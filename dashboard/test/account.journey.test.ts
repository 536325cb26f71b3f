import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inspect } from './support/inspect.ts';
import { journeys, test } from './support/journey.ts';
import { enter } from './support/sign-in.ts';

const begin = (page: Page, name: string) => page.getByRole('button', { name }).click();
const refused = /status of 403/;

journeys('a person with an account', () => {
  test('downloads everything in it, after the password', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'], expectedErrors: refused });
    await user.call('POST', '/create-post', { content: 'Kept for the file', platforms: user.channels });
    await page.goto('/settings/profile');
    await begin(page, 'Export my data');
    const dialog = page.getByRole('dialog', { name: 'Export my data' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not my password');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByRole('alert').getByText('The password is not correct').waitFor();
    await inspect(page, 'settings-export');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(user.password);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^crier-export-\d{4}-\d\d-\d\d\.json$/);
    const { postGroups, brands } = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect([postGroups[0].content, brands]).toEqual(['Kept for the file', []]);
    await page.getByText('Your data was downloaded.').waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
  });

  test('deletes it, changes their mind after signing in again, and finds everything as it was', async ({ stage }) => {
    const { page, user } = await stage.signedIn({ networks: ['mastodon'] });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const post = { content: 'Planned for tomorrow', platforms: user.channels, scheduledTime: tomorrow };
    await user.call('POST', '/create-post', post);
    await page.goto('/settings/profile');
    await begin(page, 'Delete account');
    const dialog = page.getByRole('dialog', { name: 'Delete account' });
    await dialog.getByText('For seven days, you can sign in').waitFor();
    await inspect(page, 'settings-delete-account');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(user.password);
    await dialog.getByRole('button', { name: 'Delete account' }).click();

    const heading = page.getByRole('heading', { name: /^Your account will be deleted on / });
    await heading.waitFor();
    await inspect(page, 'account-leaving');
    // Every address shows it, and there is nothing else to do.
    await page.goto('/compose');
    await heading.waitFor();
    expect(await page.getByLabel('Post text').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await enter(page, user);
    await heading.waitFor();
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    await page.goto('/posts?status=scheduled');
    await page.getByText('Planned for tomorrow').waitFor();
    await page.goto('/settings/security');
    const log = page.getByRole('list', { name: 'Audit log' });
    await log.getByText('Deletion of the account was requested').waitFor();
    await log.getByText('The account was kept').waitFor();
  });

  test('confirms with a passkey', async ({ stage }) => {
    const { page } = await stage.signedIn();
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.goto('/settings/security');
    await page.getByLabel('Passkey name').fill('My laptop');
    await begin(page, 'Add passkey');
    await page.getByRole('list', { name: 'Passkeys' }).getByText('My laptop').waitFor();
    await page.goto('/settings/profile');
    await begin(page, 'Delete account');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm with a passkey' });
    await confirm.click();
    await page.getByRole('alert').getByText('This passkey was added less than a day ago').waitFor();
    const added = stage.service.app.db.updateTable('auth_passkeys');
    await added.set({ created_at: new Date(Date.now() - 86_400_000) }).execute();
    await confirm.click();
    await page.getByRole('heading', { name: /^Your account will be deleted on / }).waitFor();
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  });
});
