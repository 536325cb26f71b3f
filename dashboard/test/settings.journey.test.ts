import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBase32 } from '../../src/lib/base32.ts';
import { totpCode, totpStep } from '../../src/lib/totp.ts';
import { sandboxControl } from '../../test/support/sandbox-control.ts';
import { inspect } from './support/inspect.ts';
import { chromiumPath, openStage, type Stage } from './support/stage.ts';

/** The heading of each page, and what it shows when everything is there. */
const pages = {
  profile: ['Profile', 'Remove Monday 14:30'],
  security: ['Security', 'Signed in'],
  appearance: ['Appearance', 'System'],
  usage: ['Usage and plan', 'Webhooks'],
} as const;

describe.skipIf(!chromiumPath)('the settings', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  /** The code that the app shows, some steps of 30 seconds from now. A code works once. */
  const codeOf = (secret: string, stepsLater = 0) =>
    totpCode(fromBase32(secret), totpStep(stage.service.app.clock.now()) + stepsLater);

  test('switch two-factor sign-in on; the next sign-in then needs a code, and a recovery code serves as one', async () => {
    const { page, user } = await stage.signedIn();
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();

    const secret = (await dialog.getByTestId('setup-key').innerText()).replaceAll(' ', '');
    expect(await dialog.getByRole('link', { name: 'open it there' }).getAttribute('href')).toContain(secret);
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();

    await dialog.getByText('Keep these codes in a safe place').waitFor();
    const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('crier-recovery-codes.txt');
    await inspect(page, 'settings-recovery-codes');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await inspect(page, 'settings-security-two-factor');
    await page.getByRole('list', { name: 'Audit log' }).getByText('Two-factor sign-in was switched on').waitFor();

    const elsewhere = await stage.aPage();
    await enterPassword(elsewhere, user);
    await elsewhere.getByLabel('Code').waitFor();
    await inspect(elsewhere, 'sign-in-code');
    await elsewhere.getByLabel('Code').fill(codeOf(secret, 1));
    await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click();
    await elsewhere.getByRole('heading', { name: 'Security', level: 1 }).waitFor();

    await page.reload();
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await expect.poll(() => sessions.count()).toBe(1);
    await elsewhere.reload();
    await elsewhere.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await enterPassword(elsewhere, user);
    await elsewhere.getByLabel('Code').fill(codes[0]!);
    await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click();
    await elsewhere.getByText('9 recovery codes left').waitFor();

    await page.getByRole('button', { name: 'Switch off' }).click();
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
  }, 180_000);

  test('add, rename and delete a passkey, with which one signs in', async () => {
    const { page } = await stage.signedIn();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/settings/security');
    await page.getByLabel('Name of the passkey').fill('My laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText('My laptop').waitFor();
    await passkeys.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await passkeys.getByText('Old laptop').waitFor();

    await page.context().clearCookies();
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await passkeys.getByText('Old laptop').waitFor();
    await passkeys.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You have no passkey yet.').waitFor();
  });

  test('keep the profile, the posting slots and the theme', async () => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    await page.goto('/settings/profile');
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await page.getByRole('combobox', { name: 'Time format' }).click();
    await page.getByRole('option', { name: '24 hours' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    await page.getByText('Times are in America/New York.').waitFor();

    await page.getByLabel('Time of the slot').fill('14:30');
    await page.getByRole('button', { name: 'Add slots' }).click();
    const remove = page.getByRole('button', { name: 'Remove Monday 14:30' });
    await remove.click();
    await expect.poll(() => remove.count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await remove.waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Remove .* 14:30$/ }).count()).toBe(5);
    await page.reload();
    await remove.waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');

    await page.getByRole('link', { name: 'Appearance' }).click();
    await page.getByRole('radio', { name: 'Dark' }).check();
    await page.reload();
    await page.getByRole('radio', { name: 'Dark' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
  });

  test('change the e-mail address by a link to the new one', async () => {
    const { page, user } = await stage.signedIn();
    await page.goto('/settings/profile');
    await page.getByRole('button', { name: 'Change email' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New address').fill('ada@new.example');
    await dialog.getByLabel('Password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog.getByRole('alert').getByText('The current password is wrong').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(user.password);
    await inspect(page, 'settings-email');
    await dialog.getByRole('button', { name: 'Send the link' }).click();
    await dialog.getByText('Look into your mail').waitFor();

    const mails = () => sandboxControl(stage.service.sandbox.url)<{ to: string; text: string }[]>('GET', '/mail');
    const find = async () => (await mails()).find(({ to }) => to === 'ada@new.example')?.text ?? '';
    await expect.poll(find).toMatch(/confirm-email/);
    await page.goto(/http\S+confirm-email\S+/.exec(await find())![0]);
    await inspect(page, 'confirm-email');
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByText('You sign in with your new address').waitFor();
    await page.goto('/settings/profile');
    await expect.poll(() => page.getByLabel('Email', { exact: true }).inputValue()).toBe('ada@new.example');
  });

  test('say how much of the plan is used, and what happens at its limits', async () => {
    const { page } = await stage.signedIn({ networks: ['mastodon', 'bluesky'], plan: 'starter' });
    await page.goto('/settings/usage');
    const channels = page.getByRole('region', { name: 'Channels' });
    await channels.getByText('2 of 3').waitFor();
    await channels.getByText('At the limit, no further channel can be connected.').waitFor();
    await page.getByRole('region', { name: 'Posts this month' }).getByText('The count begins again on').waitFor();
  });

  test('can be used by everybody, and are marked in the side bar', async () => {
    const { page } = await stage.signedIn({ networks: ['mastodon'] });
    const slots = [{ weekday: 1, time: '14:30' }];
    await page.request.put('/api/v1/posting-slots', {
      data: { timeZone: 'Asia/Tokyo', slots },
      headers: { origin: stage.url },
    });
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

  async function enterPassword(page: Page, { email, password }: { email: string; password: string }) {
    await page.goto('/settings/security');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
});
