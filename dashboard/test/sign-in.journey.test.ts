import { encode } from 'uqr';
import { expect } from 'vitest';
import { fromBase32 } from '../../src/foundation/lib/base32.ts';
import { totpCode, totpStep } from '../../src/foundation/lib/totp.ts';
import { inspect } from './support/inspect.ts';
import { journeys } from './support/journey.ts';
import { test } from './support/mail-stage.ts';
import { enter } from './support/sign-in.ts';
import type { Stage } from './support/stage.ts';

/** The app's code this many 30-second steps from now. A code works once. */
const codeOf = ({ service: { app } }: Stage, secret: string, stepsLater = 0) =>
  totpCode(fromBase32(secret), totpStep(app.clock.now()) + stepsLater);

journeys('a user', () => {
  test('who signs up without verification sees every error at its field', async ({ stage }) => {
    const page = await stage.aPage();
    await page.goto('/signup');
    await page.getByLabel('Email').fill('ada');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').filter({ hasText: 'such as ada@example.com' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'at least eight characters' }).waitFor();
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Password').fill('12345678');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor();
    await inspect(page, 'sign-up-password');
    // The rejected password is selected, so typing replaces it.
    await page.keyboard.type('a sentence nobody guesses');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  });

  test('signs up, chooses a password with an emailed link, and signs in with it', async ({ mailStage }) => {
    const page = await mailStage.aPage();
    const [email, password] = ['ada@example.com', 'a sentence nobody guesses'];
    await page.goto('/signin');
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill(email);
    await page.getByText('We’ll email you a link to choose your password').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await inspect(page, 'sign-up');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('status').getByText('Check your inbox').waitFor();
    await inspect(page, 'sign-up-mailed');

    await mailStage.openMail(page, email, 'Confirm your email address');
    await inspect(page, 'verify-email');
    await page.getByLabel('Password').fill('12345678');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('You can now sign in with your email address and password.').waitFor();
    await inspect(page, 'verified');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await enter(page, { email, password: 'not the password' });
    await page.getByRole('alert').getByText('Invalid email or password').waitFor();
    await enter(page, { password });
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
  });

  test('adds a passkey, signs in with it, and deletes it', async ({ stage }) => {
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
    await page.getByLabel('Passkey name').fill('My laptop');
    await page.getByRole('button', { name: 'Add passkey' }).click();
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
    await page.getByText('No passkeys yet.').waitFor();
  });

  test('turns on two-factor authentication, then signs in with a code and a recovery code', async ({ stage }) => {
    const { page, user } = await stage.signedIn();
    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = (await dialog.getByTestId('setup-key').innerText()).replaceAll(' ', '');
    const uri = await dialog.getByRole('link', { name: 'open it directly' }).getAttribute('href');
    expect(uri).toContain(secret);
    const drawn = dialog.getByRole('img', { name: 'QR code for your authenticator app' });
    const { size, data } = encode(uri ?? '', { border: 4 });
    expect(await drawn.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`);
    const path = (await drawn.locator('path').getAttribute('d')) ?? '';
    expect(path.match(/M/g)).toHaveLength(data.flat().filter(Boolean).length);
    await inspect(page, 'settings-two-factor-setup');
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf(stage, secret));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('Keep these codes in a safe place').waitFor();
    const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('crier-recovery-codes.txt');
    await inspect(page, 'settings-recovery-codes');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await inspect(page, 'settings-security-two-factor');
    await page.getByRole('list', { name: 'Audit log' }).getByText('Two-factor sign-in was turned on').waitFor();

    const elsewhere = await stage.aPage();
    await elsewhere.goto('/settings/security');
    await enter(elsewhere, user);
    await elsewhere.getByLabel('Code').waitFor();
    await inspect(elsewhere, 'sign-in-code');
    await elsewhere.getByLabel('Code').fill(codeOf(stage, secret, 1));
    await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click();
    await elsewhere.getByRole('heading', { name: 'Security', level: 1 }).waitFor();

    // The first device sees the session and ends it.
    await page.reload();
    // Content above may shift the list while it loads.
    await page.getByText('10 recovery codes left').waitFor();
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await expect.poll(() => sessions.count()).toBe(1);
    await elsewhere.reload();
    await enter(elsewhere, user);
    await elsewhere.getByLabel('Code').fill(codes[0]!);
    await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click();
    await elsewhere.getByText('9 recovery codes left').waitFor();

    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[1]!);
    await dialog.getByLabel('Password').fill(user.password);
    await dialog.getByRole('button', { name: 'Create new codes' }).click();
    await dialog.getByText('Keep these codes in a safe place').waitFor();
    const [fresh] = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[2]!);
    await dialog.getByLabel('Password').fill(user.password);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('alert').getByText('The code is wrong').waitFor();
    await inspect(page, 'settings-two-factor-off');
    await dialog.getByRole('textbox', { name: 'Code' }).fill(fresh!);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
  });
});
